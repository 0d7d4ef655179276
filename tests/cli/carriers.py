"""One policy over every carrier decides alike: linked, over stdio, as a shared object that is asked
directly or by messages, and as a transcript."""
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, failures

LIBRARY = pathlib.Path(PROGRAM).parent / "../policies/external/shared_object/aftershock-policies.so"
OVER_STDIO = ("--policy-cmd", f"'{PROGRAM}' policies serve")
# Messages while the scenario is read are about the policy that it names, and in the summary.
OF_READING = (b'"r":"summary"', b'"r":"end_of_run"')
RARE = ("sweep", "tests/validation/splitting_mixed.json", "--rare", "--effort", "100",
        "--repetitions", "2")
# Each program takes five files, so that there cannot be one for each of a splitting's worlds.
FEW_FILES = 400
MOST_FAILURES = 10


def ask(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, timeout=600, **options)


def first_lines(done):
    return b"\n".join(done.stderr.splitlines()[:5]).decode(errors="replace")


def without_door(folder):
    """The same library without its door: it is asked by messages."""
    content = LIBRARY.read_bytes()
    check(b"aftershock_policy_direct" in content, "no door")
    path = folder / "by_messages.so"
    path.write_bytes(content.replace(b"aftershock_policy_direct", b"aftershock_policy_nodoor"))
    return path


def run(scenario, folder, *words):
    """The hash, or nothing where no run ended; the lines of the recording that are the run's."""
    path = folder / "run.aftershock"
    path.unlink(missing_ok=True)
    done = ask("run", scenario, "--json", "--record", path, *words)
    hashes = [line for line in done.stdout.splitlines() if line.startswith(b' "hash": "')]
    lines = path.read_bytes().splitlines() if path.exists() else []
    kept = [line for line in lines if not any(mark in line for mark in OF_READING)]
    return hashes, kept, first_lines(done)


def difference(first, other):
    """In words, or nothing."""
    if first[0] != other[0]:
        return f"hash {first[0]}, then {other[0]}: {other[2]}"
    for number, (one, two) in enumerate(zip(first[1], other[1]), 1):
        if one != two:
            return f"the recordings part at line {number}: {one[:120]!r}, then {two[:120]!r}"
    return "" if len(first[1]) == len(other[1]) else "one recording is longer"


def compare(scenario, folder, shared):
    """Whether the scenario can be run."""
    linked = run(scenario, folder)
    if not linked[0]:
        return False
    transcript = folder / "talk.ndjson"
    over_stdio = run(scenario, folder, *OVER_STDIO, "--transcript", transcript)
    said = difference(linked, over_stdio)
    check(not said, f"{scenario}, over stdio: {said}")
    replayed = ask("replay", "--transcript", transcript)
    check(replayed.returncode == 0, f"{scenario}, its transcript: {first_lines(replayed)}")
    for library in shared:
        said = difference(linked, run(scenario, folder, "--policy-lib", library))
        check(not said, f"{scenario}, as {library.name}: {said}")
    return True


def said_by(words, *more, **options):
    """Only the title differs by the carrier."""
    done = ask(*words, *more, "--json", **options)
    lines = [line for line in done.stdout.splitlines() if not line.startswith(b' "policy":')]
    check(len(lines) > 3, f"{words}, {more}: {first_lines(done)}")
    return lines


def worlds_are_copied(direct, by_messages):
    """Worlds that are copied copy their policies."""
    matrices = (("matrix", "scenarios/ring16.json"), ("matrix", "scenarios/ring16_modelarts.json"))
    for words in (*matrices, RARE):
        asked = said_by(words, "--policy-lib", direct)
        check(asked == said_by(words, "--policy-lib", by_messages),
              f"{words}: asked directly it is another than by messages")
    check(asked == said_by(RARE), f"{RARE}: asked directly it is another than linked")
    few = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FEW_FILES,) * 2)}
    check(asked == said_by(RARE, *OVER_STDIO, **few),
          f"{RARE}: over stdio it is another than linked")


def coverage_is_the_same():
    scenarios = ("scenarios/quickstart.json", "scenarios/ring16.json")
    linked = ask("policies", "coverage", "ray_train@2026-05", *scenarios).stdout
    check(linked and linked == ask("policies", "coverage", *scenarios, *OVER_STDIO).stdout,
          "another coverage over stdio")


def main():
    scenarios = [pathlib.Path("scenarios/quickstart.json"),
                 *sorted(pathlib.Path("scenarios").glob("*/*.json"))]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        by_messages = without_door(folder)
        ran = 0
        for done, scenario in enumerate(scenarios):
            if len(failures) >= MOST_FAILURES:
                print(f"{len(scenarios) - done} scenarios are left out after as many failures")
                break
            ran += compare(scenario, folder, (LIBRARY, by_messages))
        check(ran > 5 or failures, f"only {ran} scenarios ran")
        worlds_are_copied(LIBRARY, by_messages)
    coverage_is_the_same()
    print(f"{ran} scenarios over four carriers")
    return 1 if failures else 0


sys.exit(main())
