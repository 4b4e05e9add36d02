#!/usr/bin/env python3
"""What a scan across R GPUs takes, predicted from a recording of two, printed beside what was measured.

    perf/ranks_model.py [perf/results/h200x2_multi.csv] [--ranks 2,4,8,64,1024] [--way lightscan|lightscan_nccl]

The model, of a part of n elements on each GPU:

    time(R, n) = single(n) + extra + (bound(n) - bound(smallest n)) / 3 + step * (ceil(R / 32) - 1)

    single   a GPU's scan of its part alone, as recorded
    extra    what a call of the smallest n takes more than that: the launch of the fold, and the exchange
    bound    a copy that moves 3n elements; the fold reads n. Without the time of the smallest, which is that of a launch
    step     a lane of the exchange's warp reads the messages of ceil(R / 32) ranks, one after the other, from this GPU's own memory:
             0.7 us each, which is not measured but taken as half of a round trip between two GPUs

It holds as long as every GPU reaches every other one as fast as those two did: for the GPUs of one machine. Through NCCL (--way
lightscan_nccl) an all-gather grows by a step of its own, which two GPUs do not tell: there the model is a lower bound.
"""

import argparse
import csv
import math
import pathlib

STEP_US = 0.7


def recorded(path):
    """{(impl, type, n): microseconds}, of one number of GPUs."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    if {row["gpus"] for row in rows} != {"2"}:
        raise SystemExit(f"{path}: the model is made from a recording of two GPUs")
    return {(row["impl"], row["type"], int(row["n_per_gpu"])): float(row["median_us"]) for row in rows}


def predicted(times, way, kind, n, ranks):
    least = min(m for impl, t, m in times if impl == "single" and t == kind)
    extra = times[way, kind, least] - times["single", kind, least]
    fold = (times["bound", kind, n] - times["bound", kind, least]) / 3
    return times["single", kind, n] + extra + fold + STEP_US * (math.ceil(ranks / 32) - 1)


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", nargs="?", default=here / "results" / "h200x2_multi.csv")
    parser.add_argument("--ranks", default="2,4,8,64,1024", help="numbers of GPUs, with commas between them")
    parser.add_argument("--way", default="lightscan", choices=("lightscan", "lightscan_nccl"))
    options = parser.parse_args()
    times = recorded(options.recording)
    ranks = [int(r) for r in options.ranks.split(",")]
    print("type    n a GPU    | measured, 2   model, 2   off    | model, us: " + "".join(f"{r:>9}" for r in ranks))
    for impl, kind, n in sorted(times, key=lambda key: (key[1], key[2])):
        if impl != options.way:
            continue
        found = times[impl, kind, n]
        of_two = predicted(times, impl, kind, n, 2)
        line = "".join(f"{predicted(times, impl, kind, n, r):9.1f}" for r in ranks)
        print(f"{kind:<7} 2^{math.log2(n):<8.0f} | {found:11.1f} {of_two:10.1f} {of_two / found - 1:+7.1%} |            {line}")


if __name__ == "__main__":
    main()
