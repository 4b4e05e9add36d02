#!/usr/bin/env python3
"""Writes what the documents show of the recorded runs, from the files in perf/results.

    python3 perf/tables.py           # after a new recording
    python3 perf/tables.py --check   # fails where a document shows something else than its recording says

Such a part of a document stands between `<!-- recorded: NAME -->` and `<!-- end -->`; parts() has them by name. So a figure that is
quoted has one place where it is chosen, here, and no place where it is copied by hand. Needs nothing but Python.
"""

import argparse
import csv
import difflib
import json
import math
import pathlib
import re
import statistics
import sys
import textwrap
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "perf" / "results"
DOCUMENTS = ["README.md", "perf/results/README.md"]
PART = re.compile(r"(<!-- recorded: (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)

# Whose code and shapes are measured on another GPU.
OTHER_ARCHITECTURES = (75, 80, 86, 120)

# What a recording has: by the end of its name, behind that of the GPU.
CONTENTS = {
    "": "scans: sums of six types, by key, other operators, conversions, iterators, large structs",
    "_select": "selections, partitions, reductions by key, run lengths",
    "_segments": "scans of segments, of rows and along axes",
    "_sweep": "every kind of scan, input and output, small and large",
    "_calls": "what one small call costs",
    "_paper": "the paper's tables",
    "_movers": "what memory gives to kernels that compute nothing",
    "_multi": "one scan across GPUs",
    "_host": "`lightscan::host`",
    **{f"_as_sm{arch}": f"plain scans by what sm_{arch} has" for arch in OTHER_ARCHITECTURES},
}
# Besides, what was measured again beside a newer CUB and Thrust than the toolkit's.
NEWEST = "_newest"

# lightscan_host_perf writes to the standard output, and nothing beside it.
HOST_RUN = types.SimpleNamespace(gpu="none", commit="4b6f723", date="2026-11-21", cccl="")

# What is shown of scans and the like: a label, then recording, op, type and n, None for the largest one.
ON_THE_FRONT_PAGE = [
    ("sum of int8", "h200", "inclusive_sum", "int8", None),
    ("sum of int32", "h200", "inclusive_sum", "int32", None),
    ("sum of int32", "h200", "inclusive_sum", "int32", 2**22),
    ("sum of int32", "h200", "inclusive_sum", "int32", 2**10),
    ("sum by key, runs of 32 (int32, float)", "h200", "inclusive_sum_by_key_run32", "float", None),
    ("sum by key, runs of 32 (int64, double)", "h200", "inclusive_sum_by_key_run32", "double_by_int64", None),
    ("sums of segments of 1 to 63 at offsets (float)", "h200_segments", "segments_random", "float", None),
    ("sums along axis 1 of 2,684 x 100 x 1,000 (float)", "h200_segments", "axis_100_by_1000", "float", None),
    ("64-byte struct with its own operator", "h200", "inclusive_scan_struct64", "struct64", None),
    ("copy_if, half kept (uint32)", "h200_select", "select_50", "uint32", None),
    ("reduce_by_key, runs of 64 (uint32, float)", "h200_select", "reduce_by_key_64", "float", None),
    ("run lengths, runs of 64 (uint32)", "h200_select", "run_length_encode_64", "uint32", None),
]
OTHER_SCANS = [
    ("sum by key, runs of 1 (int32, float)", "h200", "inclusive_sum_by_key_run1", "float", None),
    ("sum by key, runs of a million (int32, float)", "h200", "inclusive_sum_by_key_run1000000", "float", None),
    ("sum by key, keys computed (float)", "h200", "inclusive_sum_by_key_computed", "float", None),
    ("sum of 1-byte elements in 8 bytes", "h200", "inclusive_sum", "uint8_to_int64", None),
    ("sum of 8-byte elements in 4 bytes", "h200", "inclusive_sum", "int64_to_int32", None),
    ("affine maps, not commutative (2 floats)", "h200", "inclusive_compose", "affine_float", None),
    ("statistics in a 16-byte struct", "h200", "inclusive_summarize", "struct16", None),
    ("64-byte struct with its own operator", "h200", "inclusive_scan_struct64", "struct64", None),
    ("256-byte struct with its own operator", "h200", "inclusive_scan_struct256", "struct256", None),
    ("from the last to the first (float)", "h200", "reverse_inclusive_sum", "float", None),
    ("zip of two to zip of two (float, float)", "h200", "inclusive_sum_zip_to_zip", "float_float", None),
    ("permutation_iterator, in order (float)", "h200", "inclusive_sum_permutation", "float", None),
    ("values at random, by key (int32, float)", "h200", "inclusive_sum_by_key_permutation_random", "float", None),
    ("products with values at random (int32)", "h200", "inclusive_sum_products_random", "int32", None),
    ("differences of offsets, by a functor (int32)", "h200", "inclusive_sum_differences", "int32", None),
    ("counting_iterator, nothing is read (int32)", "h200", "inclusive_sum_counting", "int32", None),
]
SELECTIONS = [
    *[(f"copy_if, {kept}% kept (uint32)", f"select_{kept}", "uint32") for kept in (5, 50, 95)],
    *[(f"copy_if, half kept ({name})", "select_50", name) for name in ("uint8", "uint16", "uint64", "struct16")],
    ("partition, half (uint32)", "partition_50", "uint32"),
    *[(f"unique, runs of {run} (uint32)", f"unique_{run}", "uint32") for run in (1, 4, 64)],
    *[(f"reduce_by_key, runs of {run} (uint32, float)", f"reduce_by_key_{run}", "float") for run in (1, 4, 64)],
    ("reduce_by_key, runs of 64 (uint32, 64-byte structs)", "reduce_by_key_64", "struct64"),
    ("copy_if, half kept (zips of four uint32)", "select_zip_50", "uint32_uint32_uint32_uint32"),
    ("reduce_by_key, runs of 16 (zips of two uint32, double)", "reduce_by_key_zip_16", "double"),
    *[(f"run lengths, runs of {run} (uint32)", f"run_length_encode_{run}", "uint32") for run in (1, 4, 64)],
    *[(f"runs of two or more, all of {run} (uint32)", f"non_trivial_runs_{run}", "uint32") for run in (2, 64)],
    ("indices of half, which are kept (int32)", "select_indices_50", "int32"),
    ("copy_if, half kept, gathered (uint32)", "select_gathered_50", "uint32"),
    *[(f"reduce_by_key, runs of {run}, keys gathered (float)", f"reduce_by_key_gathered_{run}", "float") for run in (1, 64)],
    *[(f"reduce_by_key, rows of {run:,} (float)", f"reduce_by_key_rows_{run}", "float") for run in (32, 1000)],
]
SEGMENTS = [
    *[(f"segments of {length:,} at offsets", f"segments_{length}") for length in (1, 7, 32, 1000, 100000)],
    ("segments of 1 to 63 at offsets", "segments_random"),
    ("one of half of all elements, the others of 8", "segments_giant"),
    ("32 each, and as many empty ones in a row", "segments_half_empty"),
    *[(f"rows of {length:,}", f"rows_{length}") for length in (1, 7, 32, 1000, 100000)],
    *[(f"along lines of {length:,}, {inner:,} side by side", f"axis_{length}_by_{inner}")
      for length, inner in ((100, 2), (134217728, 2), (100, 1000), (268435, 1000), (262144, 1024), (256, 1048576))],
]


def read(name):
    """A recording: its rows, and with what it was measured."""
    with open(RESULTS / f"{name}.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["n"] = int(row.get("n") or row.get("n_per_gpu") or row.get("elements") or 0)
        if "median_us" in row:
            row["median_us"] = float(row["median_us"])
    if name == "h200_host":
        return types.SimpleNamespace(name=name, rows=rows, about=HOST_RUN)
    runs = json.loads((RESULTS / f"{name}.json").read_text())  # several, if it was interrupted and resumed
    about = types.SimpleNamespace(**runs[0])
    about.date = about.date[:10]
    if any((row["gpu"], row["commit"]) != (about.gpu, about.commit) for row in [*rows, *runs]):
        sys.exit(f"{name}.csv and {name}.json are not of one GPU and commit")
    return types.SimpleNamespace(name=name, rows=rows, about=about)


def provenance(about):
    return f"{about.gpu}, commit {about.commit}, {about.date}, CCCL {about.cccl}"


def has(recording, op, type):
    return any((row.get("op"), row["type"]) == (op, type) for row in recording.rows)


def find(recording, impl, op, type, n=None):
    """The row of an implementation in a case; without n, in the largest one of its kind."""
    found = [row for row in recording.rows if (row["impl"], row.get("op"), row["type"]) == (impl, op, type)]
    found = [row for row in found if n in (None, row["n"])]
    if not found:
        sys.exit(f"{recording.name}.csv has no {impl} of {op}, {type}, {n or 'any n'}")
    return max(found, key=lambda row: row["n"])


def comparisons(recording):
    """LightScan beside CUB and Thrust: (what, type, n, LightScan's, CUB's and Thrust's microseconds, the faster one's over ours)."""
    compared = []
    if recording.name.endswith("_sweep"):
        for row in recording.rows:
            what = f"`{row['call']}`: {row['input']} to {row['output']}"
            times = [float(row[f"{impl}_us"]) for impl in ("lightscan", "cub", "thrust")]
            compared.append((what, row["type"], row["n"], *times, float(row["ratio"])))
        return compared
    times = {(row["impl"], row["op"], row["type"], row["n"]): row["median_us"] for row in recording.rows}
    for row in recording.rows:
        if row["impl"] == "lightscan":
            case = (row["op"], row["type"], row["n"])
            peers = [times.get((impl, *case), times.get((impl + NEWEST, *case))) for impl in ("cub", "thrust")]
            ratios = [float(row[column]) for column in ("vs_cub", "vs_thrust") if row[column]]
            compared.append((f"`{row['op']}`", *case[1:], row["median_us"], *peers, min(ratios)))
    return compared


# ---- how figures are written

def count(n):
    """2^28 for what is that, or less than a thousandth off; else 1,000,000."""
    power = round(math.log2(n))
    return f"2^{power}" if abs(n / 2**power - 1) < 1e-3 else f"{n:,}"


def time(us):
    return "" if us is None else f"{us:,.0f} us" if us >= 100 else f"{us:.1f} us"


def ratio(value):
    return f"{float(value):.2f}" if value else ""


def table(columns, rows):
    def line(cells):
        return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells) + "\n"

    return line(columns) + "|" + "---|" * len(columns) + "\n" + "".join(map(line, rows))


def paragraph(text):
    return textwrap.fill(text, 136, break_long_words=False, break_on_hyphens=False) + "\n"


def listed(words):
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]


# ---- what the documents show

def newest(name):
    """The recording of the same cases beside newer peers."""
    gpu, underscore, kind = name.partition("_")
    return gpu + NEWEST + underscore + kind


def beside_peers(cases):
    rows = []
    versions = set()
    for label, name, op, type, n in cases:
        recordings = [read(name), read(newest(name))]
        versions.add(tuple(".".join(recording.about.cccl.split(".")[:2]) for recording in recordings))
        row = find(recordings[0], "lightscan", op, type, n)
        # Beside newer peers an older program may have been recorded, which has fewer cases.
        beside_newest = find(recordings[1], "lightscan", op, type, n) if has(recordings[1], op, type) else {}
        rows.append([label, count(row["n"]), time(row["median_us"]), f"{float(row['gb_per_s']):,.0f} GB/s", ratio(row["of_memcpy"]),
                     *[ratio(some.get(column)) for some in (row, beside_newest) for column in ("vs_cub", "vs_thrust")]])
    if len(versions) != 1:
        sys.exit(f"one table cannot show peers of several versions: {versions}")
    peers = [f"times {peer} {version}" for version in versions.pop() for peer in ("CUB", "Thrust")]
    return table(["what", "elements", "time", "throughput", "of memcpy", *peers], rows)


def how_often_faster():
    kinds = {"": "scans", "_select": "selections", "_segments": "segments and axes", "_sweep": "scans of every kind"}
    sentences = []
    for gpu in ("h200", "h200_newest", "h100", "h100_newest"):
        counts, abouts = [], []
        for kind, what in kinds.items():
            recording = read(gpu + kind)
            ratios = [compared[-1] for compared in comparisons(recording)]
            faster = sum(ratio > 1 for ratio in ratios)
            counts.append(f"{faster:,} of {len(ratios):,} {what} (commit {recording.about.commit})")
            abouts.append(recording.about)
        if len({(about.gpu, about.cccl) for about in abouts}) != 1:
            sys.exit(f"the recordings {gpu} are not of one GPU, beside one version of the peers")
        dates = [about.date for about in abouts]
        when = " to ".join(sorted({min(dates), max(dates)}))
        sentences.append(f"- {abouts[0].gpu}, CCCL {abouts[0].cccl}, {when}: {listed(counts)}")
    return "LightScan was faster than both CUB and Thrust in this many of the [recorded](perf/results/README.md) cases:\n\n" + "\n".join(sentences) + "\n"


def front_page():
    return "\n".join([how_often_faster(), beside_peers(ON_THE_FRONT_PAGE), across_gpus_in_words() + host_in_words()])


def across_gpus_in_words():
    recording = read("h200x2_multi")

    def us(impl, n):
        return find(recording, impl, None, "int32", n)["median_us"]

    large, small = (find(recording, "lightscan", None, "int32", n) for n in (2**28, 2**20))
    return paragraph(
        f"[Across two GPUs](perf/results/h200x2_multi.csv) ({provenance(recording.about)}), {count(large['n'])} int32 on each take {time(large['median_us'])}, "
        f"{ratio(large['of_bound'])} of a memcpy of as many bytes and {ratio(large['vs_peer'])} times as fast as CUB's reduction and scan "
        f"around an all-gather; {count(small['n'])} take {time(small['median_us'])}, {ratio(small['vs_peer'])} times as fast and "
        f"{time(small['median_us'] - us('single', small['n']))} more than one GPU's scan.")


def host_in_words():
    ours = [row for row in read("h200_host").rows if row["impl"] == "lightscan"]

    def least_and_most(column):
        ends = [choose(ours, key=lambda row: float(row[column])) for choose in (min, max)]
        return " to ".join(f"{ratio(row[column])} ({row['type']})" for row in ends)

    return paragraph(
        f"[On {ours[0]['threads']} cores](perf/results/h200_host.csv) of an Intel Xeon (commit {HOST_RUN.commit}, {HOST_RUN.date}), {count(ours[0]['n'])} elements go at "
        f"{least_and_most('of_memcpy')} of a parallel memcpy, {least_and_most('vs_best_peer')} times as fast as the better of oneTBB and "
        "`std::execution::par`.")


def recordings():
    rows = []
    for path in sorted(RESULTS.glob("*.csv")):
        gpu, underscore, kind = path.stem.partition("_")
        end = (underscore + kind).removeprefix(NEWEST)
        if end not in CONTENTS:
            sys.exit(f"{path.name} has no line in CONTENTS of perf/tables.py")
        recording = read(path.stem)
        about = recording.about
        rows.append([f"[{path.name}]({path.name})", CONTENTS[end] + (", beside newer peers" if end != underscore + kind else ""), f"{len(recording.rows):,}", about.commit, about.date,
                     about.cccl])
    return table(["file", "what was measured", "rows", "commit", "date", "CCCL"], rows)


def sums():
    cases = []
    for name in ("int8", "int16", "int32", "int64", "float", "double"):
        cases += [(name, "h200", "inclusive_sum", name, n) for n in (2**16, 2**22, None)]
    return beside_peers(cases)


def scans():
    return beside_peers([case for case in ON_THE_FRONT_PAGE if "by_key_run" in case[2]] + OTHER_SCANS)


def selections():
    return beside_peers([(label, "h200_select", op, type, None) for label, op, type in SELECTIONS])


def segments():
    return beside_peers([(label, "h200_segments", op, "float", None) for label, op in SEGMENTS])


def calls():
    rows = read("h200_calls").rows
    shown = [("event", 2**10), ("event", 2**16), ("event", 2**20), ("back_to_back", 2**10), ("sync", 2**10)]
    median = {(row["impl"], row["call"], row["n"]): row["median_us"] for row in rows}
    impls = list(dict.fromkeys(row["impl"] for row in rows))
    return table(["", *[f"{call}, {count(n)}" for call, n in shown]],
                 [[impl, *[time(median.get((impl, *column))) for column in shown]] for impl in impls])


def sweep():
    rows = read("h200_sweep").rows

    def line(label, some):
        ratios = [float(row["ratio"]) for row in some]
        by_pipeline = sum(row["path"] == "bulk pipeline" for row in some)
        return [label, f"{len(ratios):,}", f"{by_pipeline:,}", str(sum(ratio <= 1 for ratio in ratios)),
                *[f"{of(ratios):.2f}" for of in (min, statistics.median, max)]]

    lines = [line(count(n), [row for row in rows if row["n"] == n]) for n in sorted({row["n"] for row in rows})]
    lines += [line(f"all by the {path}", [row for row in rows if row["path"] == path]) for path in ("plain kernel", "bulk pipeline")]
    return table(["elements", "calls", "by the pipeline", "not faster", "least ratio", "median", "greatest"], lines)


def across_gpus():
    recording = read("h200x2_multi")
    rows = []
    for type in ("int32", "double"):
        for n in (2**10, 2**20, 2**24, 2**28):
            ours = find(recording, "lightscan", None, type, n)
            times = [time(find(recording, impl, None, type, n)["median_us"])
                     for impl in ("bound", "single", "peer", "lightscan", "lightscan_nccl")]
            rows.append([type, count(n), *times, *[ratio(ours[column]) for column in ("of_bound", "vs_peer")]])
    return table(["", "elements a GPU", "bound", "single", "peer", "lightscan", "lightscan_nccl", "of bound", "times peer"], rows)


def host():
    return table(["", "LightScan", "throughput", "of memcpy", "times the better of oneTBB and `std::execution::par`"],
                 [[row["type"], f"{float(row['median_ms']):.1f} ms", f"{float(row['gb_per_s']):.0f} GB/s", ratio(row["of_memcpy"]),
                   ratio(row["vs_best_peer"])] for row in read("h200_host").rows if row["impl"] == "lightscan"])


def other_architectures():
    """What other architectures take, on an H200 and on an H100: the share of memcpy, and times CUB."""
    cases = [*[(name, "inclusive_sum", name) for name in ("int8", "int16", "int32", "float", "int64", "double")],
             ("by key, runs of 32 (int32, float)", "inclusive_sum_by_key_run32", "float"),
             ("by key, runs of 32 (int64, double)", "inclusive_sum_by_key_run32", "double_by_int64"),
             ("through a function (float)", "transform_inclusive_sum", "float"),
             ("from the last to the first (float)", "reverse_inclusive_sum", "float"),
             ("affine maps (2 floats)", "inclusive_compose", "affine_float"),
             ("statistics in a 16-byte struct", "inclusive_summarize", "struct16")]
    found = [[read(f"{gpu}_as_sm{arch}") for gpu in ("h200", "h100")] for arch in OTHER_ARCHITECTURES]

    def cell(recordings, op, type):
        rows = [find(recording, "lightscan", op, type) for recording in recordings]
        return ", ".join(f"{ratio(row['of_memcpy'])} ({ratio(row['vs_cub'])})" for row in rows)

    lines = [[label, count(find(found[0][0], "lightscan", op, type)["n"]), *[cell(recording, op, type) for recording in found]]
             for label, op, type in cases]
    return table(["", "elements", *[f"as sm_{arch}" for arch in OTHER_ARCHITECTURES]], lines)


def not_faster():
    rows = []
    h200, h100 = ([gpu + kind for kind in ("", "_select", "_segments", "_sweep")] for gpu in ("h200", "h100"))
    for name in (*h200, "h200_paper", *map(newest, h200), *h100, *map(newest, h100)):
        for what, type, n, *times, least in comparisons(read(name)):
            if least <= 1:
                rows.append([name, what, type, count(n), *map(time, times), f"{least:.3f}"])
    return table(["recording", "case or call", "type", "elements", "LightScan", "CUB", "Thrust", "ratio"], rows)


def spread():
    rows = read("h200").rows

    def times_of(n):
        return [row["median_us"] for row in rows if (row["impl"], row["n"]) == ("memcpy", n) and row["type"] in ("int32", "float")
                and row["op"] in ("inclusive_sum", "exclusive_sum")]

    sentences = [f"{min(times):.1f} to {max(times):.1f} us for {count(n)} elements" for n in (2**28, 2**22) for times in [times_of(n)]]
    return paragraph("The same memcpy of int32 or float took, in the four cases of h200.csv that have it, "
                     f"{listed(sentences)}: nothing but other memory.")


def same_bits():
    recording = read("h200_newest")
    sentences = []
    for type in ("float", "double"):
        asked, cub, ours = (time(find(recording, impl, "inclusive_sum", type, 2**28)["median_us"])
                            for impl in ("cub_run_to_run", "cub_newest", "lightscan"))
        sentences.append(f"of {type}, {asked} where that is asked for, {cub} where it is not, and LightScan's {ours}")
    return paragraph(f"CUB's sums of {count(2**28)} elements take, {'; '.join(sentences)}.")


PARTS = [front_page, recordings, sums, scans, selections, segments, calls, sweep, across_gpus, host, other_architectures,
         not_faster, spread, same_bits]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a document is not what it would be")
    options = parser.parse_args()

    parts = {part.__name__: part for part in PARTS}
    differ = False
    for name in DOCUMENTS:
        document = ROOT / name
        text = document.read_text()
        for unknown in {part for _, part, _, _ in PART.findall(text)} - set(parts):
            sys.exit(f"{name} wants '{unknown}', which perf/tables.py does not have")
        written = PART.sub(lambda part: part[1] + parts[part[2]]() + part[4], text)
        if not options.check:
            document.write_text(written)
        elif written != text:
            differ = True
            print(f"{name} shows something else than perf/results has: run python3 perf/tables.py")
            print("\n".join(difflib.unified_diff(text.splitlines(), written.splitlines(), "shown", "recorded", lineterm="", n=0)))
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
