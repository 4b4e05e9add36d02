#!/usr/bin/env python3
"""What a scan across R GPUs takes, predicted from what two took, printed beside what was measured of as many as a recording has.

    perf/ranks_model.py [perf/results/h200x4_multi.csv] [--ranks 2,4,8,64,1024] [--way lightscan|lightscan_nccl]

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
    """{number of GPUs: {(impl, type, n): microseconds}}"""
    times = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            of_number = times.setdefault(int(row["gpus"]), {})
            of_number[row["impl"], row["type"], int(row["n_per_gpu"])] = float(row["median_us"])
    if 2 not in times:
        raise SystemExit(f"{path}: the model is made from what two GPUs took")
    return times


def predicted(times, way, kind, n, ranks):
    least = min(m for impl, t, m in times if impl == "single" and t == kind)
    extra = times[way, kind, least] - times["single", kind, least]
    fold = (times["bound", kind, n] - times["bound", kind, least]) / 3
    return times["single", kind, n] + extra + fold + STEP_US * (math.ceil(ranks / 32) - 1)


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", nargs="?", default=here / "results" / "h200x4_multi.csv")
    parser.add_argument("--ranks", default="2,4,8,64,1024", help="numbers of GPUs, with commas between them")
    parser.add_argument("--way", default="lightscan", choices=("lightscan", "lightscan_nccl"))
    options = parser.parse_args()
    measured = recorded(options.recording)
    times = measured[2]
    ranks = [int(r) for r in options.ranks.split(",")]
    columns = "".join(f"measured, {gpus}   model     off | " for gpus in sorted(measured))
    print(f"type    n a GPU    | {columns}model, us: " + "".join(f"{r:>9}" for r in ranks))
    for impl, kind, n in sorted(times, key=lambda key: (key[1], key[2])):
        if impl != options.way:
            continue
        line = f"{kind:<7} 2^{math.log2(n):<8.0f} | "
        for gpus in sorted(measured):
            found, model = measured[gpus][impl, kind, n], predicted(times, impl, kind, n, gpus)
            line += f"{found:{10 + len(str(gpus))}.1f} {model:7.1f} {model / found - 1:+7.1%} | "
        print(line + " " * 11 + "".join(f"{predicted(times, impl, kind, n, r):9.1f}" for r in ranks))


if __name__ == "__main__":
    main()
