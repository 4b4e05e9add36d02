#!/usr/bin/env python3
"""Draws the pictures in perf/results from the recorded runs there.

    python3 -m venv build/plot && build/plot/bin/pip install -r perf/requirements.txt
    build/plot/bin/python perf/plot.py

Reads <gpu>.csv and, if they are there, <gpu>_calls.csv, <gpu>_select.csv and <gpu>_segments.csv; writes <gpu>_throughput.svg,
<gpu>_speedup.svg, <gpu>_small.svg, <gpu>_select.svg, <gpu>_segments.svg and <gpu>_axes.svg. The same input gives the same files, byte
by byte. Each names the SHA-256 of what it was made from, which is how the tests know that a picture is not older than its data.
"""

import argparse
import csv
import hashlib
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
TYPES = ["int8", "int16", "int32", "int64", "float", "double"]

# A grey and colours that are readable on white and on black; told apart by their markers as well.
TEXT = "#7b7f86"
STYLES = {
    "memcpy": dict(label="memcpy", color=TEXT, linestyle="--", marker=None),
    "empty_kernel": dict(label="empty kernel", color=TEXT, linestyle="--", marker=None),
    "thrust": dict(label="thrust::cuda::par", color="#b06ab3", marker="^"),
    "thrust_nosync": dict(label="thrust::cuda::par_nosync", color="#b06ab3", linestyle=":", marker="v"),
    "cub": dict(label="CUB", color="#d9661f", marker="s"),
    "lightscan": dict(label="LightScan", color="#1f8ad6", marker="o"),
    "lightscan_nosync": dict(label="LightScan, par_nosync", color="#1f8ad6", linestyle=":", marker="D"),
}

matplotlib.rcParams.update({
    "axes.edgecolor": TEXT,
    "axes.grid": True,
    "axes.labelcolor": TEXT,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 11,
    "figure.constrained_layout.use": True,
    "font.size": 9.5,
    "grid.alpha": 0.25,
    "grid.color": TEXT,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "lines.markersize": 4,
    "savefig.transparent": True,
    "svg.fonttype": "path",  # the same letters everywhere
    "svg.hashsalt": "lightscan",
    "text.color": TEXT,
    "xtick.color": TEXT,
    "ytick.color": TEXT,
})


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["n"] = int(row["n"])
        row["median_us"] = float(row["median_us"])
    return rows


def only(rows, column):
    """The one value that all rows have in a column."""
    values = {row[column] for row in rows}
    if len(values) != 1:
        sys.exit(f"column {column} has {sorted(values)}: a picture shows one run")
    return values.pop()


def date_of(commit):
    shown = subprocess.run(["git", "-C", str(RESULTS), "show", "--no-patch", "--format=%cs", commit],
                           capture_output=True, text=True)
    if shown.returncode != 0:
        sys.exit(f"git does not know the commit {commit}; say its date with --date")
    return shown.stdout.strip()


def power_ticks(axis, sizes, step):
    exponents = [n.bit_length() - 1 for n in sizes]
    shown = list(range(min(exponents), max(exponents) + 1, step))
    axis.set_xscale("log", base=2)
    axis.set_xticks([2**e for e in shown], [f"$2^{{{e}}}$" for e in shown])
    axis.minorticks_off()


def lines(axis, rows, impls, value):
    for impl in impls:
        points = sorted((row["n"], value(row)) for row in rows if row["impl"] == impl)
        if points:
            axis.plot(*zip(*points), **STYLES[impl])


def legend_below(figure, axis):
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))


def save(figure, path, sources, caption):
    figure.supxlabel(caption, fontsize=8.5, color=TEXT)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    made_from = "".join(f"<!-- made from {source.name} {hashlib.sha256(source.read_bytes()).hexdigest()} -->\n"
                        for source in [pathlib.Path(__file__), *sources])
    path.write_text(path.read_text().rstrip("\n") + "\n" + made_from)
    print(path)


def throughput(rows):
    """GB/s over N, one panel for each type."""
    figure, axes = plt.subplots(2, 3, figsize=(10, 5.8), sharex=True, sharey=True)
    for axis, name in zip(axes.flat, TYPES):
        of_type = [row for row in rows if row["type"] == name]
        lines(axis, of_type, ["memcpy", "thrust", "cub", "lightscan"], lambda row: float(row["gb_per_s"]))
        power_ticks(axis, {row["n"] for row in rows}, 4)
        axis.set_title(name)
        axis.set_ylim(bottom=0)
        axis.tick_params(labelbottom=True, labelleft=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("read + written (GB/s)")
    for axis in axes[1]:
        axis.set_xlabel("N (elements)")
    legend_below(figure, axes.flat[0])
    return figure


def speedup(rows):
    """How many times as fast as CUB and Thrust, for each type, at three sizes."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.9))
    time = {(row["impl"], row["type"], row["n"]): row["median_us"] for row in rows}
    measured = {row["n"] for row in rows}
    largest = max(n for n in measured if all(("lightscan", name, n) in time for name in TYPES))
    sizes = [(2**16, "#8fbfe6"), (2**22, "#4aa3e0"), (largest, "#1a6fb0")]
    width = 0.27
    for axis, peer in zip(axes, ["cub", "thrust"]):
        for i, (size, color) in enumerate(sizes):
            heights = [time[peer, name, size] / time["lightscan", name, size] for name in TYPES]
            places = [place + (i - 1) * width for place in range(len(TYPES))]
            bars = axis.bar(places, heights, width, label=f"N = $2^{{{size.bit_length() - 1}}}$ elements", color=color)
            axis.bar_label(bars, fmt="%.1f", fontsize=7, color=TEXT, padding=1)
        axis.axhline(1, color=TEXT, linewidth=1)
        axis.set_xticks(range(len(TYPES)), TYPES)
        axis.grid(axis="x", visible=False)
        axis.set_title(f"LightScan against {STYLES[peer]['label']}")
        axis.set_ylabel("times as fast (ratio of medians)")
    legend_below(figure, axes[0])
    return figure


def small_from_cases(rows):
    """Microseconds between two events around one call, int32, up to 4 MiB."""
    figure, axis = plt.subplots(figsize=(6.4, 4.2))
    of_type = [row for row in rows if row["type"] == "int32" and row["n"] <= 2**20]
    lines(axis, of_type, ["memcpy", "thrust", "cub", "lightscan"], lambda row: row["median_us"])
    power_ticks(axis, {row["n"] for row in of_type}, 2)
    axis.set_ylim(bottom=0)
    axis.set_xlabel("N (elements)")
    axis.set_ylabel("time of one call, between events (us)")
    axis.set_title("int32")
    legend_below(figure, axis)
    return figure


CALLS = {"event": "one call, between events", "back_to_back": "1,000 calls in a row, host time of one",
         "sync": "one call and a synchronisation, host time"}


def small_from_calls(rows):
    """The same from the calls' own recording: over N where there are several, as bars where there is one size."""
    kinds = [kind for kind in CALLS if any(row["call"] == kind for row in rows)]
    figure, axes = plt.subplots(1, len(kinds), figsize=(4.6 * len(kinds), 4.2), squeeze=False)
    for axis, kind in zip(axes.flat, kinds):
        of_kind = [row for row in rows if row["call"] == kind and row["type"] == "int32"]
        sizes = sorted({row["n"] for row in of_kind if row["impl"] != "empty_kernel"})
        impls = [impl for impl in STYLES if any(row["impl"] == impl for row in of_kind)]
        axis.set_title(CALLS[kind], fontsize=9.5)
        if len(sizes) > 2:
            lines(axis, of_kind, [impl for impl in impls if impl != "empty_kernel"], lambda row: row["median_us"])
            empty = [row["median_us"] for row in of_kind if row["impl"] == "empty_kernel"]
            if empty:
                axis.axhline(min(empty), **{**STYLES["empty_kernel"], "linewidth": 1.2})
            power_ticks(axis, sizes, 2)
            axis.set_ylim(bottom=0)
            axis.set_xlabel("N (int32 elements)")
            axis.set_ylabel("time (us)")
            axis.legend(fontsize=8)
        else:
            heights = [min(row["median_us"] for row in of_kind if row["impl"] == impl) for impl in impls]
            bars = axis.barh([STYLES[impl]["label"] for impl in impls], heights,
                             color=[STYLES[impl]["color"] for impl in impls])
            axis.bar_label(bars, fmt="%.1f", fontsize=8, color=TEXT, padding=2)
            axis.grid(axis="y", visible=False)
            axis.set_xlabel(f"time (us), N = $2^{{{sizes[0].bit_length() - 1}}}$ int32 elements")
    return figure


# A panel each: what it shows, and (op, type, what stands below the bars).
RUNS = [("1", "1"), ("4", "4"), ("64", "64"), ("1000000", "$10^6$")]
SELECTIONS = [
    ("copy_if, uint32: so many kept", [(f"select_{kept}", "uint32", f"{kept}%") for kept in (5, 50, 95)]),
    ("copy_if, half kept: types", [("select_50", name, name) for name in ("uint8", "uint16", "uint32", "uint64", "struct16")]),
    ("partitions, uint32, half each", [("partition_50", "uint32", "partition\n(from the end)"),
                                       ("partition_copy_50", "uint32", "partition_copy")]),
    ("unique, uint32: runs of", [(f"unique_{run}", "uint32", label) for run, label in RUNS[:3]]),
    ("reduce_by_key, uint32, float: runs of", [(f"reduce_by_key_{run}", "float", label) for run, label in RUNS]),
    ("lengths of runs, uint32: runs of", [(f"run_length_encode_{run}", "uint32", label) for run, label in RUNS]),
]


def selections(rows):
    """Share of a memcpy of the bytes read and written, the largest case of each kind, one panel for each algorithm."""
    figure, axes = plt.subplots(2, 3, figsize=(10, 5.6), sharey=True)
    impls = ["thrust", "cub", "lightscan"]
    width = 0.27
    for axis, (title, cases) in zip(axes.flat, SELECTIONS):
        for i, impl in enumerate(impls):
            largest = [max((row for row in rows if (row["impl"], row["op"], row["type"]) == (impl, op, name)),
                           key=lambda row: row["n"]) for op, name, _ in cases]
            bars = axis.bar([place + (i - 1) * width for place in range(len(cases))],
                            [float(row["of_memcpy"]) for row in largest], width,
                            label=STYLES[impl]["label"], color=STYLES[impl]["color"])
            axis.bar_label(bars, fmt="%.2f", fontsize=6.5, color="white", rotation=90, padding=-18)
        axis.axhline(1, **{**STYLES["memcpy"], "linewidth": 1})
        axis.set_xticks(range(len(cases)), [label for _, _, label in cases])
        axis.grid(axis="x", visible=False)
        axis.set_ylim(0, 1.12)
        axis.set_title(title, fontsize=9.5)
    for axis in axes[:, 0]:
        axis.set_ylabel("share of memcpy")
    legend_below(figure, axes.flat[0])
    return figure


def segments(rows):
    """Share of a memcpy over the length of the segments, 2^28 elements: at offsets, and rows."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.9), sharey=True)
    for axis, kind, title in zip(axes, ["segments", "rows"], ["segments at offsets", "rows of one length"]):
        for impl in ["thrust", "cub", "lightscan"]:
            points = []
            for row in rows:
                name, _, length = row["op"].partition("_")
                if (row["impl"], name, row["type"]) == (impl, kind, "float") and length.isdigit() and row["n"] > 2**27:
                    points.append((int(length), float(row["of_memcpy"])))
            axis.plot(*zip(*sorted(points)), **STYLES[impl])
        axis.axhline(1, **{**STYLES["memcpy"], "linewidth": 1})
        axis.set_xscale("log", base=10)
        axis.set_ylim(0, 1.12)
        axis.set_title(f"{title}, float")
        axis.set_xlabel("elements of a segment")
    axes[0].set_ylabel("share of memcpy")
    legend_below(figure, axes[0])
    return figure


def along_axes(rows):
    """Share of a memcpy over the length of the lines, 2^28 elements, by how many lie side by side."""
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.9), sharey=True)
    for axis, inner in zip(axes, ["2", "16", "1000"]):
        for impl in ["thrust", "cub", "lightscan"]:
            points = []
            for row in rows:
                kind, _, shape = row["op"].partition("_")
                length, _, beside = shape.partition("_by_")
                if (row["impl"], kind, row["type"], beside) == (impl, "axis", "float", inner) and row["n"] > 2**27:
                    points.append((int(length), float(row["of_memcpy"])))
            axis.plot(*zip(*sorted(points)), **STYLES[impl])
        axis.axhline(1, **{**STYLES["memcpy"], "linewidth": 1})
        axis.set_xscale("log", base=10)
        axis.set_ylim(0, 1.12)
        axis.set_title(f"{int(inner):,} lines side by side, float")
        axis.set_xlabel("elements of a line")
    axes[0].set_ylabel("share of memcpy")
    legend_below(figure, axes[0])
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gpu", default="h200", help="which recording: perf/results/<gpu>.csv")
    parser.add_argument("--date", help="of the run; else that of its commit")
    options = parser.parse_args()

    cases_file = RESULTS / f"{options.gpu}.csv"
    calls_file = RESULTS / f"{options.gpu}_calls.csv"
    cases = read(cases_file)

    def caption(what, rows):
        commit = only(rows, "commit")
        return f"{what}. {only(rows, 'gpu')}, {options.date or date_of(commit)}, commit {commit}; medians"

    sums = [row for row in cases if row["op"] == "inclusive_sum"]
    save(throughput(sums), RESULTS / f"{options.gpu}_throughput.svg", [cases_file], caption("Inclusive sum", cases))
    save(speedup(sums), RESULTS / f"{options.gpu}_speedup.svg", [cases_file], caption("Inclusive sum", cases))
    small = RESULTS / f"{options.gpu}_small.svg"
    if calls_file.exists():
        calls = read(calls_file)
        save(small_from_calls(calls), small, [calls_file], caption("Small inclusive sums", calls))
    else:
        save(small_from_cases(sums), small, [cases_file], caption("Small inclusive sums", cases))
    select_file = RESULTS / f"{options.gpu}_select.csv"
    if select_file.exists():
        selected = read(select_file)
        save(selections(selected), RESULTS / f"{options.gpu}_select.svg", [select_file],
             caption("$2^{28}$ elements, by key $2^{27}$", selected))
    segments_file = RESULTS / f"{options.gpu}_segments.csv"
    if segments_file.exists():
        segmented = read(segments_file)
        save(segments(segmented), RESULTS / f"{options.gpu}_segments.svg", [segments_file],
             caption("Inclusive sums of segments, $2^{28}$ elements", segmented))
        save(along_axes(segmented), RESULTS / f"{options.gpu}_axes.svg", [segments_file],
             caption("Inclusive sums along an axis, $2^{28}$ elements; CUB and Thrust by key, with places computed", segmented))


if __name__ == "__main__":
    main()
