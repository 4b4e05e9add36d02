#!/usr/bin/env python3
"""The last part of testing/gpu_lane: from what ctest and sanitize.sh wrote, a summary in Markdown, on the standard output.

Exit code: 0 all passed; 1 something failed, or was skipped that may not be.
"""
import argparse
import re
import sys
import xml.etree.ElementTree

TWO_GPUS = "needs two GPUs"
# The preset test-newest-cccl is for what the toolkit's CCCL does not have.
ALWAYS_ALLOWED = ["this CCCL has no "]


class Program:
    """A test of ctest's, and the cases in it where it is a GoogleTest program."""

    def __init__(self, testcase):
        self.name = testcase.get("name")
        self.seconds = float(testcase.get("time"))
        output = testcase.findtext("system-out") or ""
        self.passed_cases, self.failed_cases, self.skipped_cases, self.unended_case = 0, [], {}, None
        self._read_cases(output)
        # To ctest a program that is not there is skipped, too.
        skipped = testcase.find("skipped")
        self.is_skipped = skipped is not None and skipped.get("message", "").startswith("SKIP_")
        self.failed = testcase.get("status") != "run" and not self.is_skipped
        last_line = (output.strip().splitlines() or ["says nothing"])[-1]
        self.reason = re.sub("^skipped: ", "", last_line)

    def _read_cases(self, output):
        said = []
        for line in output.splitlines():
            begun = re.match(r"\[ RUN      \] (\S+)", line)
            ended = re.match(r"\[ *(OK|FAILED|SKIPPED) *\] ([^\s,]+).* \(\d+ ms\)$", line)
            if begun:
                self.unended_case = begun[1]
            elif line.endswith(": Skipped"):  # "<file>:<line>: Skipped", and then why
                said = []
            elif not ended:
                said.append(line)
            else:
                self.unended_case = None
                if ended[1] == "OK":
                    self.passed_cases += 1
                elif ended[1] == "FAILED":
                    self.failed_cases.append(ended[2])
                else:
                    why = " ".join(text for text in said if text)
                    self.skipped_cases.setdefault(why or "says nothing", []).append(ended[2])

    def failure(self):
        where = [f"`{case}`" for case in self.failed_cases]
        if self.unended_case:
            where.append(f"`{self.unended_case}`, which did not end,")
        return f"`{self.name}`: " + (", ".join(where) + f" after {self.seconds:.0f} s" if where else self.reason)

    def skips(self):
        """Why and what, of the program and its cases."""
        if self.is_skipped:
            yield self.reason, f"`{self.name}`"
        for why, cases in self.skipped_cases.items():
            yield why, ", ".join(f"`{case}`" for case in cases) + f" of `{self.name}`"


def counts(programs):
    failed = sum(program.failed for program in programs)
    skipped = sum(program.is_skipped for program in programs)
    cases = sum(program.passed_cases for program in programs)
    skipped_cases = sum(len(names) for program in programs for names in program.skipped_cases.values())
    return (f"{len(programs) - failed - skipped} programs passed, {failed} failed, {skipped} skipped; {cases} cases passed, "
            f"{skipped_cases} skipped; {sum(program.seconds for program in programs):.0f} s")


def read_sanitizer(file_name):
    """How many runs of each tool found nothing, and what is wrong."""
    with open(file_name, encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    clean, failures = {}, []
    for line in lines:
        said = re.match(r"(\w+check): (clean on |sees the planted fault|.*)", line)
        if said and said[2] == "clean on ":
            clean[said[1]] = clean.get(said[1], 0) + 1
        elif said and said[2] != "sees the planted fault":
            failures.append(line)
    if not failures and lines[-1:] != ["all clean"]:
        failures.append("the sanitizer's suite did not end")
    return ", ".join(f"{tool} clean {count} times" for tool, count in clean.items()) or "nothing clean", failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", help="what ctest --output-junit wrote")
    parser.add_argument("--gpus", type=int, default=1, help="how many there are")
    parser.add_argument("--sanitizer", help="what sanitize.sh said")
    parser.add_argument("--sanitizer-seconds", default="?")
    parser.add_argument("--may-skip", action="append", default=[], metavar="REGEX")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE", help="a row of the table")
    arguments = parser.parse_args()

    try:
        testcases = xml.etree.ElementTree.parse(arguments.tests).getroot().iter("testcase")
    except (OSError, xml.etree.ElementTree.ParseError):
        testcases = []
    programs = [Program(testcase) for testcase in testcases]
    probes = [program for program in programs if program.name.startswith("stress_")]
    rows = [fact.split("=", 1) for fact in arguments.fact]
    rows.append(("tests", counts([program for program in programs if program not in probes])))
    rows.append(("probes", counts(probes)))
    failures = [program.failure() for program in programs if program.failed]
    if not programs:
        failures.append("no test ran")
    if arguments.sanitizer:
        clean, sanitizer_failures = read_sanitizer(arguments.sanitizer)
        rows.append(("sanitizer", f"{clean}; {arguments.sanitizer_seconds} s"))
        failures += sanitizer_failures

    allowed = ALWAYS_ALLOWED + arguments.may_skip + ([TWO_GPUS] if arguments.gpus < 2 else [])
    may_be, may_not_be = {}, {}
    for program in programs:
        for why, what in program.skips():
            kind = may_be if any(re.search(regex, why) for regex in allowed) else may_not_be
            kind.setdefault(why, []).append(what)

    passed = not failures and not may_not_be
    print(f"### GPU lane: {'passed' if passed else 'FAILED'}\n")
    print("| | |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")
    if failures:
        print("\nFailed:\n")
        print("\n".join(f"- {failure}" for failure in failures))
    for title, kind in (("Skipped, which was not allowed", may_not_be), ("Skipped", may_be)):
        if kind:
            print(f"\n{title}:\n")
            print("\n".join(f"- {why}: {', '.join(what)}" for why, what in kind.items()))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
