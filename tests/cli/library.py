"""`--policy-lib`: what becomes of a run whose policy's library is none, or goes wrong."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from expecting import PROGRAM, check, failures, unwrapped

BUILD = pathlib.Path(PROGRAM).parent.parent
SCENARIO = pathlib.Path("scenarios/quickstart.json").resolve()
UNUSABLE, FAILED = 2, 5
ANSWERED = "did not answer hello: aftershock_policy_answer "

# Way of bad_library.cpp: exit code, and what is said.
WAYS = {
    "abi_2": (UNUSABLE, "was built for version 2 of aftershock_policy.h; expected 1"),
    "abi_throws": (UNUSABLE, "aftershock_policy_abi threw an object that is not a std::exception"),
    "open_null": (FAILED, "begins no conversation: aftershock_policy_open returned null"),
    "open_throws": (FAILED, "aftershock_policy_open threw an exception: no licence"),
    "throws": (FAILED, ANSWERED + "threw an exception: out of luck"),
    "throws_number": (FAILED, ANSWERED + "threw an object that is not a std::exception"),
    "exits": (FAILED, "the policy library ended the program"),
    "fails": (FAILED, ANSWERED + "returned -1"),
    "no_text": (FAILED, ANSWERED + "gave no text"),
    "no_json": (FAILED, 'a line that is not a message: "hello"'),
    "utf8": (FAILED, "answered hello with what is not UTF-8"),
    "huge": (FAILED, "answered hello with more than 1048576 bytes"),
    "empty": (FAILED, "answered hello with an empty line"),
    "no_type": (FAILED, 'answered hello without a "type"'),
}

# The same of tests/data/policies/bad_door.cpp, which is asked directly.
BATCH = "answered batch 1 wrongly: "
DOOR_WAYS = {
    "rule": BATCH + "/steps/0/rule: got 7, and the policy has 1 rules",
    "from": BATCH + "/steps/0/from: got 1, and the policy has 1 states",
    "to": BATCH + "/steps/0/to: got 65535, and the policy has 1 states",
    "state": BATCH + "/state: got 3, and the policy has 1 states",
    "budget": BATCH + "/steps/0/budgets/0/budget: got 1, and the policy has 1 budgets",
    "cause": BATCH + "/steps/0/budgets/0/cause: got 200, and there are 8 such words",
    "budgets": BATCH + "/budgets: got 2, expected all 1",
    "saw": BATCH + "/steps/0/saw: got 99, and the batch has 2 events",
    "negative": BATCH + "/watch/wake_us: got -5; expected an integer from 0",
    "large": BATCH + r"a number is larger than 2\^53",
    "period": BATCH + "/watch/poll/period_us: got 0, expected a period",
    "huge": "answered batch 1 with more than 1048576 bytes",
    "loops": "loops: it ",
    "throws": "did not answer batch 1: it threw an exception: out of luck",
    "throws_number": "did not answer batch 1: it threw an object that is not a std::exception",
    "result": "did not answer result: it threw an exception: out of luck",
    "exits": "the policy library ended the program",
    "maker_throws": "did not answer world: its maker threw an exception: no licence",
    "maker_null": "did not answer world: its maker returned null",
    "other_self": "says another thing of itself than before",
}

# By messages, the library's own side of them tells what no message has words for.
GIVES_UP = 'gives up over batch 1: "'
BY_MESSAGES = {
    **{way: GIVES_UP + "answered wrongly: " + DOOR_WAYS[way].removeprefix(BATCH)
       for way in ("rule", "from", "to", "state", "budget", "cause")},
    **{way: DOOR_WAYS[way] for way in ("saw", "budgets", "large", "period")},
    "throws": GIVES_UP + "threw an exception: out of luck",
    "throws_number":
        "batch 1: aftershock_policy_answer threw an object that is not a std::exception",
    "maker_throws": r"says another thing of itself[\s\S]*threw an exception: no licence",
    "maker_null": r"says another thing of itself[\s\S]*its maker returned no policy",
}


def run(folder, library, way=""):
    return subprocess.run([PROGRAM, "run", SCENARIO, "--policy-lib", library], cwd=folder,
                          env={**os.environ, "WAY": way}, capture_output=True, text=True,
                          timeout=120, check=False)


def expect(made, what, code, pattern):
    said = unwrapped(made.stdout) + made.stderr
    check(made.returncode == code and re.search(pattern, said),
          f"{what}: exit {made.returncode}, wanted {code} and /{pattern}/: {said[:400]}")


def build(source, library, *flags, libraries=()):
    # By the compiler of the program: sanitizers of two do not go together.
    subprocess.run([cached("CMAKE_CXX_COMPILER"), "-std=c++20", "-shared", "-fPIC", "-I.", *flags,
                    source, *libraries, "-o", library], check=True, timeout=300)


def cached(name):
    """A setting of the build: who is asked directly must be compiled alike."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found.group(1) if found else ""


def changed(library, to, old, new):
    """A library in which the text is another one of the same length."""
    raw = library.read_bytes()
    check(len(old) == len(new) and old in raw, f"no {old} in {library}")
    to.write_bytes(raw.replace(old, new))
    return to


def doors(folder):
    """A library that is asked directly, and what it is where that may not be."""
    external = BUILD / "policies/external"
    door = folder / "door.so"
    build("tests/data/policies/bad_door.cpp", door, *cached("CMAKE_CXX_FLAGS").split(),
          f"-I{external}/generated", libraries=(external / "libaftershock_external.a",
                                                BUILD / "policies/api/libaftershock_api.a"))
    for way, pattern in DOOR_WAYS.items():
        expect(run(folder, door, way), way, FAILED, pattern)
    # One that was built otherwise, and one that has no door, are asked by messages.
    for name, old, new in (("otherwise", b"direct 1;", b"direct 0;"),
                           ("without", b"aftershock_policy_direct", b"aftershock_policy_nodoor")):
        other = changed(door, folder / f"{name}.so", old, new)
        for way, pattern in BY_MESSAGES.items():
            expect(run(folder, other, way), f"{name}: {way}", FAILED, pattern)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bad = folder / "bad.so"
        build("tests/cli/bad_library.cpp", bad)
        for way, (code, pattern) in WAYS.items():
            expect(run(folder, "./bad.so", way), way, code, pattern)

        # A file is meant, wherever the loader would look for it.
        expect(run(folder, "bad.so", "fails"), "no slash", FAILED, "returned -1")
        shutil.copy(bad, folder / "a b'$(x).so")
        expect(run(folder, "a b'$(x).so", "fails"), "odd name", FAILED, "returned -1")

        (folder / "text.so").write_text("not a library\n")
        (folder / "empty.so").touch()
        narrow = bytearray(bad.read_bytes())
        narrow[4] = 1  # EI_CLASS: of 32 bits
        (folder / "narrow.so").write_bytes(narrow)
        (folder / "less.cpp").write_text('extern "C" int aftershock_policy_abi() { return 1; }\n')
        build(folder / "less.cpp", folder / "less.so")
        for file, pattern in (("none.so", "No such file"), ("text.so", "cannot be loaded"),
                              ("empty.so", "too short"), (".", "directory"),
                              ("narrow.so", "wrong ELF class"),
                              ("less.so", "does not export aftershock_policy_open, ")):
            expect(run(folder, file), file, UNUSABLE, pattern)
        doors(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
