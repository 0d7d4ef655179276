"""Runs the Slurm script and the indexed job of docs/scenarios.md with a program that does nothing
but end with a code: findings are results, and all else is a task that failed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("SKIPPED: python3-yaml is not installed")
    sys.exit(77)

sys.dont_write_bytecode = True

from expecting import check, failures

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/scenarios.md"
# README's codes: passed, an expectation failed, a job is stuck, a fault did not bite; then what
# cannot be used, a policy's process, an internal error, and what was interrupted.
FINDINGS = (0, 1, 3, 4)
FAILURES = (2, 5, 6, 8)


def block(language, within):
    found = [body for body in re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(),
                                         re.M | re.DOTALL) if within in body]
    check(len(found) == 1, f"{len(found)} blocks of {language} with {within}")
    return found[0]


def slurm_task():
    return ["bash", "-c", block("bash", "#SBATCH")]


def kubernetes_task():
    job = yaml.safe_load(block("yaml", "completionMode"))["spec"]
    check(job["completions"] == 16, "as many tasks as shards")
    return job["template"]["spec"]["containers"][0]["command"]


def ends(command, folder, code, **variables):
    """The exit code of a task whose `aftershock` ends with `code`, and what that was asked."""
    stub = folder / "aftershock"
    stub.write_text(f'#!/bin/sh\necho "$@" >"{folder}/asked"\nexit {code}\n')
    stub.chmod(0o755)
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True,
                          env={**os.environ, **variables,
                               "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"})
    return done.returncode, (folder / "asked").read_text()


def main():
    tasks = ((slurm_task(), "3/16", {"SLURM_ARRAY_TASK_ID": "3", "SLURM_CPUS_PER_TASK": "8"}),
             (kubernetes_task(), "3/16", {"JOB_COMPLETION_INDEX": "2"}))
    with tempfile.TemporaryDirectory() as name:
        for command, shard, variables in tasks:
            for code in FINDINGS + FAILURES:
                ended, asked = ends(command, pathlib.Path(name), code, **variables)
                check((ended == 0) == (code in FINDINGS),
                      f"{command[0]}: a sweep that ends with {code} gives a task {ended}")
                check(f"--shard {shard} " in asked and "--resume" in asked,
                      f"{command[0]}: asked {asked}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
