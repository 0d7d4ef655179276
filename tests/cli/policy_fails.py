"""`--policy-cmd` with a policy that fails: every command that runs scenarios says so, and why."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from expecting import PROGRAM, check, failures, has, run

QUICK = pathlib.Path("scenarios/quickstart.json").resolve()
RING = pathlib.Path("scenarios/ring16.json").resolve()
PAGE = pathlib.Path("policies/external/python/policy.py").resolve()
FAILED, USABLE = 5, 0

# The Python page's policy, which raises at once, or over its second failure.
BROKEN = '''
import sys
text = open({page!r}).read()
old, new = {{
    "at_once": ("def job_submitted(self, event):", "raise KeyError('epoch')"),
    "late": ("self.failures += 1", "if self.failures == 2: raise KeyError('epoch')"),
}}[sys.argv[1]]
assert old in text
exec(compile(text.replace(old, old + chr(10) + "        " + new), "mine", "exec"))
'''
SCENARIO = {"extends": str(QUICK), "expect": [], "faults": [
    {"id": "a", "kind": "node_crash", "target": "node:gpu-3", "at": "5h"},
    {"id": "b", "kind": "node_crash", "target": "node:gpu-2", "at": "15h"},
    {"id": "c", "kind": "node_crash", "target": "node:gpu-5", "at": "30h"}]}


def commands(folder):
    """Words of a command, how its policy is broken, and what is said beside the reason."""
    again = r"look at it: aftershock run \S+quickstart.json --policy-cmd '.*at_once' --seed 36"
    return [
        (["run", QUICK], "at_once", "policy_failed"),
        (["run", QUICK, "--quiet"], "late", "policy_failed"),
        (["sweep", QUICK, "--runs", 2, "--out", folder / "s.sqlite"], "at_once", again),
        (["sweep", QUICK, "--runs", 2, "--vary", "/jobs/0/steps=9000,9001", "--out",
          folder / "v.sqlite"], "at_once",
         "steps=9000, seed 36: .*(.|\n)*--set /jobs/0/steps=9000"),
        (["sweep", RING, "--rare", "--effort", 2, "--repetitions", 2], "at_once", "KeyError"),
        (["advise", QUICK, "--choose", "spares=1,2", "--runs", 2], "at_once",
         "look at it: aftershock run"),
        (["compare", QUICK, "--policy", "ray_train", "--runs", 2], "at_once",
         "nothing is compared: in 2 runs the policy failed(.|\n)*exit code 5"),
        (["check", QUICK], "at_once", "aftershock view quickstart-36.aftershock"),
        (["check", QUICK, "--baseline", folder / "none.json", "--update-baseline"], "at_once",
         "none.json: not written: "),
        (["policies", "coverage", QUICK], "at_once", "quickstart.json: "),
        (["report", QUICK, "--out", folder / "page.html"], "at_once", "policy_failed"),
        (["matrix", RING], "at_once", "ring16.json: policy_failed: "),
        (["explore", RING, "--runs", 10, "--out", folder / "e.sqlite"], "at_once",
         "ring16.json: policy_failed: "),
        (["explore", RING, "--runs", 40, "--out", folder / "l.sqlite"], "late",
         "FOUND policy_failed: "),
    ]


def table(folder, policy):
    for words, way, pattern in commands(folder):
        done = run(*words, "--policy-cmd", f"{policy} {way}", code=FAILED)
        said = done.stdout + done.stderr
        check("KeyError: 'epoch'" in said and re.search(pattern, said),
              f"{words}: no /{pattern}/ with its reason in {said[-900:]}")
        check("No choice" not in said, f"{words}: an advice")
    check(not (folder / "none.json").exists(), "a baseline of runs whose policy failed")
    has((folder / "page.html").read_text(), "policy_failed")


def script(folder, name, text):
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


# It dies in the first of all its runs, which tells when the hang strikes.
ONCE = '''
import os, pathlib, sys
text = open({page!r}).read()
exec(compile(text.split("def main")[0], "mine", "exec"))
mark = pathlib.Path(sys.argv[1])
policy = None
for number, line in enumerate(sys.stdin):
    message = json.loads(line)
    if message["type"] == "batch" and message["seq"] == 5 and not mark.exists():
        mark.touch()
        os._exit(1)
    reply, policy = answer(message, policy)
    print(json.dumps(reply), flush=True)
'''


def in_a_run_before(folder):
    """The fault that this run was to tell of does not silently stay out."""
    (folder / "once.py").write_text(ONCE.format(page=str(PAGE)))
    for words in (["--json"], ["--json", "--driver", "simgrid"]):
        (folder / "mark").unlink(missing_ok=True)
        recording = folder / f"once{len(words)}.aftershock"
        done = run("run", QUICK, *words, "--record", recording, "--policy-cmd",
                   f"python3 {folder}/once.py {folder}/mark", code=FAILED)
        told = json.loads(done.stdout)
        check(told["verdict"] == "policy_failed" and "in the run without fault hang" in
              told["verdict_reason"] and "exit code 1" in told["verdict_reason"], done.stdout[:900])
        check(json.loads(recording.read_text().splitlines()[-1])["r"] == "end_of_run", "no end")


def other_builds(folder):
    """Another build asks the same policy, and is told so in its own words."""
    log = folder / "asked"
    other = script(folder, "other.sh", f'echo "$@" >> {log}\nexec "{PROGRAM}" "$@"\n')
    mine = f"python3 {PAGE}"
    run("check", QUICK, "--baseline", folder / "mine.json", "--update-baseline", "--quiet",
        "--policy-cmd", mine, code=USABLE)
    same = run("check", QUICK, "--baseline", folder / "mine.json", "--fresh", 1, "--fresh-runs", 2,
               "--against", other, "--policy-cmd", mine, "--policy-deadline", "20s", code=USABLE)
    has(same.stdout, "4 same")
    has(log.read_text(), f"--policy-cmd {mine} --policy-deadline 20s")
    log.unlink()
    same = run("compare", QUICK, "--runs", 2, "--against", other, "--policy-cmd", mine)
    has(same.stdout, "in all 2 runs, event by event")
    has(log.read_text(), f"--policy-cmd {mine}")


def looked_at(folder):
    """What compare prints to look at a run works as it is, for either policy."""
    mine = f"python3 {PAGE}"
    said = run("compare", QUICK, "--policy", "modelarts:defaults", "--runs", 2,
               "--policy-cmd", mine, code=4).stdout
    lines = [line.split("look at it:")[-1].strip() for line in said.splitlines()
             if "aftershock run" in line or "aftershock view" in line]
    check(len(lines) == 3 and lines[0].endswith("--view") and "--policy-cmd" in lines[1]
          and "--policy-cmd" not in lines[0] and "view" in lines[2], f"{lines}")
    words = shlex.split(lines[1])
    done = subprocess.run([PROGRAM, *words[1:]], cwd=folder, capture_output=True, text=True,
                          check=False)
    check((folder / shlex.split(lines[2])[-1]).exists(), f"{lines}: {done.stdout}{done.stderr}")
    run("run", QUICK, "--view", "--policy-lib", "none.so", code=2)


def shrunk(folder, policy):
    """The two faults over which it fails are left."""
    path = folder / "large.json"
    path.write_text(json.dumps(SCENARIO))
    done = run("shrink", path, "--policy-cmd", f"{policy} late", "--runs", 60,
               "--out", folder / "small.json", code=8)
    has(done.stderr, "policy_failed: 2 of 3 faults left")
    run("run", folder / "small.json", "--quiet", "--policy-cmd", f"{policy} late", code=FAILED)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "broken.py").write_text(BROKEN.format(page=str(PAGE)))
        policy = f"python3 {folder}/broken.py"
        table(folder, policy)
        in_a_run_before(folder)
        other_builds(folder)
        looked_at(folder)
        shrunk(folder, policy)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
