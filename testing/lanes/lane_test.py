"""testing/gpu_lane, run with commands that stand in for nvidia-smi and compute-sanitizer, on a build folder that is planted."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["ROOT"])
NO_GPU = 'echo "NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver."; exit 9'
ONE_GPU = 'echo "570.1, NVIDIA H100 80GB HBM3"'
TWO_GPUS = ONE_GPU + "; " + ONE_GPU
# $2 is the tool, $5 the program; 86 is for what is found.
SANITIZER = 'case "$5" in */planted_faults) exit 86 ;; esac; echo "[  PASSED  ] 3 tests."'


class gpu_lane(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.build = self.folder / "build"
        (self.folder / "commands").mkdir()
        self.build.mkdir()
        (self.build / "CMakeCache.txt").write_text(
            f"CMAKE_CUDA_COMPILER:FILEPATH={os.environ['NVCC']}\nCCCL_DIR:PATH={os.environ['CCCL_DIR']}\n")
        self.tests = ""
        self.stand_in("nvidia-smi", ONE_GPU)
        self.stand_in("compute-sanitizer", SANITIZER)

    def stand_in(self, command, script):
        file = self.folder / "commands" / command
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def plant(self, name, *command, labels="gpu", timeout=30):
        self.tests += "add_test({} {})\n".format(name, " ".join(f'"{word}"' for word in command))
        self.tests += f'set_tests_properties({name} PROPERTIES LABELS "{labels}" TIMEOUT {timeout} SKIP_RETURN_CODE 77)\n'

    def plant_cases(self, name, filter, **properties):
        self.plant(name, os.environ["PLANTED_CASES"], f"--gtest_filter={filter}", **properties)

    def run_lane(self, *options, build=True):
        (self.build / "CTestTestfile.cmake").write_text(self.tests)
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("LIGHTSCAN_", "CUDA_VISIBLE", "GTEST_", "CTEST_"))}
        environment["PATH"] = f"{self.folder / 'commands'}:{environment['PATH']}"
        environment["LIGHTSCAN_COMMIT"] = "1234567"
        command = [ROOT / "testing/gpu_lane", *([f"--build={self.build}"] if build else []), *options]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.summary, self.errors = done.stdout, done.stderr
        return done.returncode

    def expect_lines(self, *lines):
        for line in lines:
            self.assertRegex(self.summary, re.compile(f"^{line}$", re.MULTILINE))

    def test_without_a_gpu(self):
        self.plant("passes", "true")
        for smi in (NO_GPU, NO_GPU.replace("exit 9", "exit 0"), "exit 0"):
            self.stand_in("nvidia-smi", smi)
            self.assertEqual(self.run_lane(), 2)
            self.assertEqual(self.errors, "gpu_lane: nvidia-smi finds no GPU here, and these tests need one\n")
            self.assertEqual(self.summary, "")

    def test_arguments_that_make_no_sense(self):
        self.assertEqual(self.run_lane("--sanitizer"), 2)
        self.assertIn("'--sanitizer' is no option", self.errors)
        self.assertEqual(self.run_lane("--build=nowhere"), 2)
        self.assertIn("nowhere is no build folder", self.errors)

    def test_a_folder_without_the_programs(self):
        with (self.build / "CMakeCache.txt").open("a") as cache:
            cache.write("LIGHTSCAN_BUILD_GPU_TESTS:BOOL=OFF\n")
        self.assertEqual(self.run_lane(), 2)
        self.assertIn("LIGHTSCAN_BUILD_GPU_TESTS is OFF", self.errors)

    def test_a_build_that_fails(self):
        self.stand_in("cmake", f'echo "$@" >> {self.folder}/calls; [ "$1" != --build ]')
        self.assertEqual(self.run_lane("--jobs=3", build=False), 1)
        self.assertEqual((self.folder / "calls").read_text(), "--preset test -U CMAKE_CUDA_ARCHITECTURES "
                         "-DLIGHTSCAN_BUILD_GPU_TESTS=ON\n"
                         "--build --preset test --target gpu_lane --parallel 3\n")
        self.assertIn("gpu_lane: the tests could not be built", self.errors)

    def test_all_that_passes(self):
        self.plant_cases("good", "cases.pass")
        self.plant_cases("stress_good", "cases.pass")
        self.plant("example", "true", labels="cpu;gpu")
        self.plant("of_no_gpu", "false", labels="cpu")
        self.stand_in("nvidia-smi", TWO_GPUS)
        self.assertEqual(self.run_lane(), 0)
        self.expect_lines(
            "### GPU lane: passed",
            r"\| GPU \| 2 x NVIDIA H100 80GB HBM3 \|",
            r"\| driver \| 570.1 \|",
            rf"\| toolkit \| CUDA {os.environ['NVCC_VERSION']}, CCCL {os.environ['CCCL_VERSION']} \|",
            r"\| commit \| 1234567.*\|",
            r"\| date \| 20..-..-.. \|",
            r"\| built \| before, .* \(--build\) \|",
            r"\| tests \| 2 programs passed, 0 failed, 0 skipped; 1 cases passed, 0 skipped; \d+ s \|",
            r"\| probes \| 1 programs passed, 0 failed, 0 skipped; 1 cases passed, 0 skipped; \d+ s \|",
            r"\| sanitizer \| memcheck clean \d+ times, racecheck clean \d+ .*, initcheck .*; \d+ s \|")
        self.assertNotIn("Failed", self.summary)
        self.assertNotIn("Skipped", self.summary)
        self.assertEqual((self.folder / "gpu_lane.md").read_text(), self.summary)

    def test_failures(self):
        self.plant_cases("wrong", "cases.pass:cases.fail:cases.need_two_gpus")
        self.plant_cases("breaks", "cases.pass:cases.crash")
        self.plant_cases("stress_hangs", "cases.hang", timeout=3)
        self.plant("lost", self.folder / "nowhere")
        self.plant("other", "sh", "-c", "echo it is 4, not 5; exit 1")
        self.assertEqual(self.run_lane("--no-sanitizer"), 1)
        self.expect_lines(
            "### GPU lane: FAILED",
            r"\| left out \| the sanitizer \(--no-sanitizer\) \|",
            r"\| tests \| 0 programs passed, 4 failed, 0 skipped; 2 cases passed, 1 skipped; \d+ s \|",
            r"\| probes \| 0 programs passed, 1 failed, .*",
            r"- `wrong`: `cases.fail` after \d+ s",
            r"- `breaks`: `cases.crash`, which did not end, after \d+ s",
            r"- `stress_hangs`: `cases.hang`, which did not end, after \d+ s",
            "- `lost`: Unable to find executable: .*/nowhere",
            "- `other`: it is 4, not 5",
            "- needs two GPUs: `cases.need_two_gpus` of `wrong`")

    def test_skips(self):
        self.plant_cases("partly", "cases.pass:cases.need_two_gpus")
        self.plant_cases("strict", "cases.may_lack_two_gpus")
        self.assertEqual(self.run_lane("--no-sanitizer"), 0)
        self.expect_lines("### GPU lane: passed", "Skipped:", "- needs two GPUs: `cases.need_two_gpus` of `partly`")
        self.stand_in("nvidia-smi", TWO_GPUS)
        self.assertEqual(self.run_lane("--no-sanitizer"), 1)
        self.expect_lines(r"- `strict`: `cases.may_lack_two_gpus` after \d+ s", "Skipped, which was not allowed:",
                          "- needs two GPUs: `cases.need_two_gpus` of `partly`")

        self.stand_in("nvidia-smi", ONE_GPU)
        self.plant_cases("wants_memory", "*need_memory*")
        self.plant("wants_nccl", "sh", "-c", "echo skipped: NCCL was not found; exit 77")
        self.assertEqual(self.run_lane("--no-sanitizer", "--may-skip=free GPU memory"), 1)
        self.expect_lines(
            "### GPU lane: FAILED",
            r"\| tests \| 3 programs passed, 0 failed, 1 skipped; 2 cases passed, 3 skipped; \d+ s \|",
            "Skipped, which was not allowed:",
            "- NCCL was not found: `wants_nccl`",
            "- needs 9 GB of free GPU memory: `cases/need_memory.which_nobody_has/0`, `cases/need_memory.which_nobody_has/1` "
            "of `wants_memory`")
        self.assertNotIn("Failed:", self.summary)
        self.assertEqual(self.run_lane("--no-sanitizer", "--may-skip=free GPU memory", "--may-skip=NCCL"), 0)

    def test_tests_by_name(self):
        self.plant_cases("good", "cases.pass")
        self.plant_cases("wrong", "cases.fail")
        self.assertEqual(self.run_lane("--no-sanitizer", "--only=^good$"), 0)
        self.expect_lines(r"\| left out \| the tests that do not match \^good\$ \|", r"\| tests \| 1 programs passed, .*")
        self.assertEqual(self.run_lane("--no-sanitizer", "--only=nothing"), 1)
        self.expect_lines("- no test ran")

    def test_sanitizer_that_finds_something(self):
        self.plant_cases("good", "cases.pass")
        self.stand_in("compute-sanitizer", '[ "$2" != synccheck ] || exit 0\n'
                      'case "$2 $5" in "racecheck "*/test_columns) exit 86 ;; esac\n' + SANITIZER)
        self.assertEqual(self.run_lane(), 1)
        self.expect_lines(
            "### GPU lane: FAILED",
            r"\| sanitizer \| memcheck clean \d+ times, racecheck clean \d+ times, initcheck clean \d+ times; \d+ s \|",
            r"- synccheck: DOES NOT SEE THE PLANTED FAULT \(status 0\)",
            r"- racecheck: NOT CLEAN on test_columns .*",
            r"- synccheck: NOT CLEAN on kernel/test_kernel_alignment .*")

    def test_sanitizer_that_does_not_end(self):
        self.plant_cases("good", "cases.pass")
        self.assertEqual(self.run_lane(), 0)
        log = self.build / "gpu_lane/sanitizer.log"
        log.write_text(log.read_text().replace("all clean\n", ""))
        done = subprocess.run([sys.executable, ROOT / "testing/gpu_lane_summary.py", log.with_name("tests.xml"), f"--sanitizer={log}"],
                              stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("- the sanitizer's suite did not end", done.stdout)

    def test_sanitizer_asks_for_tests_that_there_are(self):
        self.plant_cases("good", "cases.pass")
        self.assertEqual(self.run_lane(), 0)
        log = (self.build / "gpu_lane/sanitizer.log").read_text()
        asked = set(re.findall(r"^\w+: clean on (\S+) \((.*)\): \d+ tests$", log, re.MULTILINE))
        self.assertIn(("test_scan", "*"), asked)
        missing = set()
        for program, filters in asked:
            folder, name = pathlib.Path(program).parent, pathlib.Path(program).name.removeprefix("test_")
            source = ROOT / "testing" / folder / (name.removeprefix(f"{folder}_") + "_test.cu")
            sources = [source] if source.exists() else (ROOT / "testing" / folder).glob("*.*")
            text = "".join(file.read_text() for file in sources)
            for one in filters.split(":"):
                # Suites and tests of several types or values have numbers, and suites a name before their own.
                suite, _, test = re.sub(r"/\d+|/\*", "", one).rpartition(".")
                begins = re.escape(suite.rpartition("/")[2]) + r",\s*" + re.escape(test.partition("*")[0])
                if not re.search(r"TEST\w*\(" + (begins if suite else "") + ("" if "*" in one else r"\)"), text):
                    missing.add((program, one))
        self.assertEqual(missing, set())

    def test_target_builds_all_programs(self):
        programs = set()
        for file in pathlib.Path(os.environ["BUILD"], "testing").glob("**/CTestTestfile.cmake"):
            text = file.read_text()
            # Of what is not built (testing/not_built.cmake), the program that it stands for.
            commands = dict(re.findall(r'^add_test\((\S+) "(?:[^"]+" "-DPROGRAM=)?([^"]+)"', text, re.MULTILINE))
            labels = dict(re.findall(r'^set_tests_properties\((\S+) PROPERTIES .*?LABELS "([^"]+)"', text, re.MULTILINE))
            programs |= {pathlib.Path(command).name for name, command in commands.items()
                         if "gpu" in labels.get(name, "").split(";")}
        built = pathlib.Path(os.environ["BUILD"], "testing/lanes/gpu_lane_builds.txt").read_text().split()
        self.assertIn("test_scan", programs)
        self.assertEqual(programs - set(built) - {"cmake"}, set())


if __name__ == "__main__":
    unittest.main()
