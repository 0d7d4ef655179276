#!/usr/bin/env python3
"""A user's own failure policy and callback under the host of Ray Train, as the page has them.

  tests/hosts/own_code.py AFTERSHOCK

Runs the example of policies/external/hosts/README.md as it stands there, and then what goes wrong.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "policies/external/hosts/README.md"
_BLOCK = re.compile(r"<!-- tests/hosts/installed\.sh runs this(?:: (\S+))? -->\n```\w+\n(.*?)^```$",
                    re.MULTILINE | re.DOTALL)

_HEAD = """from ray.train import UserCallback
from ray.train.v2._internal.execution.failure_handling import DefaultFailurePolicy, FailureDecision
import time
"""
_POLICY = _HEAD + """class Mine(DefaultFailurePolicy):
    def make_decision(self, training_failed_error):
"""
# The file, the words behind the host's name, and what the host says before it ends with 2.
WRONG = (
    ("", "--failure-policy absent.py:Mine", r"absent\.py is not in "),
    ("", "--failure-policy wrong.py", "expected FILE:CLASS"),
    ("x = 1\ny = nothing\n", "--failure-policy wrong.py:Mine", r"wrong\.py:2: NameError: "),
    ("def f(:\n", "--failure-policy wrong.py:Mine", r"wrong\.py:1: SyntaxError: "),
    ("class Mind: pass\n", "--failure-policy wrong.py:Mine",
     r"wrong\.py has no class Mine; did you mean Mind\?"),
    ("\nclass Mine: pass\n", "--failure-policy wrong.py:Mine",
     r"wrong\.py:2: Mine is not a subclass of ray\..*FailurePolicy"),
    (_POLICY + "        return None\n", "--callback wrong.py:Mine",
     r"wrong\.py:4: Mine is not a subclass of ray\..*RayTrainCallback"),
    (_HEAD + "class Mine(DefaultFailurePolicy):\n    def __init__(self, config, more):\n"
     "        pass\n", "--failure-policy wrong.py:Mine",
     r"wrong\.py:\d+: TypeError: .*more.* \(the class is called with failure_config\)"),
    (_HEAD + "class Mine(UserCallback):\n    def __init__(self):\n        raise ValueError('no')\n",
     "--callback wrong.py:Mine",
     r"wrong\.py:6: ValueError: no \(the class is called with no arguments\)"),
)
# The body of the decision, how the job ends, its reason, and what the recording says.
DECISIONS = (
    ("        return FailureDecision.RAISE\n", "failed", r"gave_up\(ray\.failure\.RAISE\)"),
    ("        raise KeyError('x')\n", "failed", r"unrecoverable\(KeyError at mine\.py:6\)"),
    # Ray asks a second time, about a ControllerError, and goes on by the answer to that.
    ("""        if 'KeyError' in repr(training_failed_error.controller_failure):
            return FailureDecision.RETRY
        raise KeyError('x')
""", "failed", r"KeyError at mine\.py:8"),
    ("""        if hasattr(training_failed_error, "controller_failure"):
            return FailureDecision.RETRY
        raise KeyError('x')
""", "completed", ""),
    ("        return None\n", "failed", r"unrecoverable\(Mine decided None\)"),
    ("        time.sleep(120)\n        return FailureDecision.RETRY\n", "completed", ""),
)


class Place:
    """A folder with the program, the scenarios and the hosts where the page has them."""

    def __init__(self, program: str, folder: Path) -> None:
        self.folder = folder
        (folder / "build/bin").mkdir(parents=True)
        (folder / "build/bin/aftershock").symlink_to(Path(program).resolve())
        (folder / "scenarios").symlink_to(ROOT / "scenarios")
        (folder / "policies").symlink_to(ROOT / "policies")
        self.host = ""

    def shell(self, text: str) -> subprocess.CompletedProcess[str]:
        """Runs the lines of the text in a shell."""
        return subprocess.run(["bash", "-euc", text], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})

    def run(self, words: str, *more: str) -> subprocess.CompletedProcess[str]:
        """Runs the quickstart with these words behind the host's name."""
        return subprocess.run(
            ["build/bin/aftershock", "run", "scenarios/quickstart.json", "--set", "/expect=[]",
             "--json", "--policy-cmd", f"{self.host} {words}", *more],
            cwd=self.folder, capture_output=True, text=True, check=False)


def page(place: Place) -> list[str]:
    """Runs the blocks of the page; returns what is not as it shows."""
    found = []
    for name, body in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name:
            (place.folder / name).write_text(body, encoding="utf-8")
            continue
        commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        shown = [line for line in body.splitlines() if not line.startswith("$ ")]
        done = place.shell("\n".join(commands))
        printed = done.stdout.splitlines()
        if done.returncode != 0 or printed != shown:
            found.append(f"the page shows {shown}, exit {done.returncode}: {printed} {done.stderr}")
        place.host = place.shell("\n".join(commands[:1]) + '\necho "$PYTHON"').stdout.strip() + (
            " policies/external/hosts/run.py ray_train")
    return found


def wrong(place: Place) -> list[str]:
    """Tries what cannot be hosted."""
    found = []
    for text, words, said in WRONG:
        (place.folder / "wrong.py").write_text(text, encoding="utf-8")
        done = place.run(words)
        if done.returncode == 0 or not re.search(said, done.stderr):
            found.append(f"{words}: exit {done.returncode}, not {said!r}: {done.stderr}")
    return found


def decisions(place: Place) -> list[str]:
    """Tries decisions that Ray's own policy does not make."""
    found = []
    for body, outcome, reason in DECISIONS:
        (place.folder / "mine.py").write_text(_POLICY + body, encoding="utf-8")
        done = place.run("--failure-policy mine.py:Mine", "--verify-policy", "2")
        try:
            job: dict[str, Any] = json.loads(done.stdout)["jobs"][0]
        except ValueError:
            found.append(f"{body}: exit {done.returncode}: {done.stderr}")
            continue
        if job["outcome"] != outcome or not re.search(reason, job.get("reason") or ""):
            found.append(f"{body}: {job['outcome']}, {job.get('reason')}")
    return found


def main() -> int:
    """0 where all is as it should be, else 1."""
    with tempfile.TemporaryDirectory() as name:
        place = Place(sys.argv[1], Path(name))
        found = page(place) + wrong(place) + decisions(place)
    for row in found:
        print(row)
    print(f"{len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
