"""How wide the output of commands is; see width.sh."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from expecting import PROGRAM, check, failures

WIDEST = 100
QUICK = "scenarios/quickstart.json"
# A command to copy stays on one line, however long it is.
COMMAND = re.compile(r"\baftershock (run|matrix|view|why|replay) ")
UTF8 = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}


def printed(*words, env=UTF8):
    """Standard output, whatever the exit code says of the run."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600,
                          env=env, check=False).stdout


def narrow(text, what):
    check(text != "", f"{what}: prints something")
    for line in text.splitlines():
        check(len(line) <= WIDEST or COMMAND.search(line),
              f"{what}: a line of {len(line)} columns: {line}")


def of(*words):
    narrow(printed(*words), " ".join(words))
    narrow(printed(*words, env={**UTF8, "LC_ALL": "C"}), " ".join(words) + " in ASCII")


def every_help():
    whole = printed("--help")
    narrow(whole, "--help")
    commands = re.findall(r"^  ([a-z]+)  ", whole.partition("Subcommands:")[2], re.M)
    check(len(commands) > 15, f"--help lists {commands}")
    for command in commands:
        narrow(printed("help", command), f"help {command}")
    for command in ("list", "show", "test", "drive"):
        narrow(printed("help", "policies", command), f"help policies {command}")


def every_list():
    for words in (["policies", "list"], ["policies", "show", "ray_train"],
                  ["policies", "show", "jobset"], ["scenarios"], ["faults", "list"],
                  ["faults", "show", "xid:94"], ["invariants"]):
        of(*words)


def runs():
    of("run", QUICK)
    of("run", QUICK, "--policy", "ray_train:defaults")  # its verdict names a fault and a target
    of("run", "scenarios/ring16_modelarts.json")
    of("matrix", QUICK)
    of("compare", QUICK, "--policy", "torchrun", "--runs", "5")
    of("compare", QUICK, "--policy", "ray_train", "--policy", "modelarts", "--runs", "3")
    of("compare", QUICK, "--vary", "/jobs/0/policy/config/max_failures=1,2,3", "--runs", "3")
    budgets = ["--vary", "/jobs/0/policy/config/max_failures=1,2"]
    with tempfile.TemporaryDirectory() as folder:
        for i, varied in enumerate([[], budgets,
                                    budgets + ["--vary", "/jobs/0/checkpoint/every=10min,1h"]]):
            words = ["sweep", QUICK, "--runs", "3", "--out", f"{folder}/{i}.sqlite", *varied]
            narrow(printed(*words), " ".join(words))


def imports():
    with tempfile.TemporaryDirectory() as folder:
        rows = "".join(f"cn-{i:02},{i + 1}h,{i + 2}h\n" for i in range(9))
        pathlib.Path(folder, "trace.csv").write_text("node,down,up\n" + rows)
        of("import", f"{folder}/trace.csv", "--into", QUICK, "--observed", "failed@5h")


every_help()
every_list()
imports()
runs()
sys.exit(1 if failures else 0)
