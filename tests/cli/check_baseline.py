"""The file that `aftershock check` holds runs against; see check_baseline.sh."""
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

import expecting
from expecting import check, failures, has

QUICK = "tests/data/check/quick.json"


def run(*words, **more):
    return expecting.run("check", *words, **more)


def new_and_missing_runs_are_said(folder):
    base = folder / "two.json"
    other = "scenarios/no_resume.json"
    run(QUICK, "--baseline", base, "--update-baseline")
    done = run(other, "--baseline", base, code=2)
    has(done.stderr, "nothing was compared")
    has(done.stdout, f"new: {other}", f"missing: {QUICK}, ray_train@2026-05, seed 39\n",
        "4 missing")
    has(run(QUICK, other, "--baseline", base, "--strict", code=7).stdout,
        f"new: {other}, ray_train", f"is not in {base}; to take it in: --update-baseline")
    has(run(QUICK, "--set", "/check/seeds=2", "--baseline", base, "--strict", code=7).stdout,
        "missing: tests/data/check/quick.json, ray_train@2026-05, seed 38\n")


def an_update_writes_what_else_was_asked_for(folder):
    base, junit, table = (folder / name for name in ("u.json", "u.xml", "u.md"))
    words = [QUICK, "--baseline", base, "--update-baseline", "--junit", junit, "--markdown", table]
    run(*words)
    check(junit.read_text().count("<testcase") == 4, f"JUnit: {junit.read_text()[:300]}")
    # Runs that pass have no line of their own in the table: they are what the baseline holds now.
    check(table.read_text() == "### aftershock check: passed\n\n4 runs of 1 scenario\n",
          f"markdown: {table.read_text()[:300]}")
    junit.unlink()
    table.unlink()
    # A baseline that is not written, and runs that are red, are told, too.
    done = run(*words, "--github", "--set", "/expect/0/is=failed", code=1)
    has(done.stdout, "::error file=tests/data/check/quick.json")
    has(junit.read_text(), "<failure")
    has(table.read_text(), "quick.json")
    run(*words[:-1], folder / "none" / "u.md", code=2)


def a_part_is_brought_up_to_date(folder):
    """Lines of what was not asked for stay, as long as it is there."""
    base = folder / "part.json"
    expecting.extend(QUICK, folder / "a.json")
    expecting.extend(QUICK, folder / "b.json")
    run(folder / "a.json", folder / "b.json", "--baseline", base, "--update-baseline")
    has(run(folder / "a.json", "--set", "/check/seeds=3", "--baseline", base,
            "--update-baseline").stdout, "kept 4 of what was not asked for; 1 taken out")
    lines = json.loads(base.read_text())["runs"]
    check([(r["scenario"], r["seed"]) for r in lines] ==
          [("a.json", n) for n in (36, 37, 38)] + [("b.json", n) for n in (36, 37, 38, 39)],
          f"what is in it: {lines}")
    (folder / "b.json").unlink()
    done = run(folder / "a.json", "--set", "/check/seeds=3", "--baseline", base,
               "--update-baseline")
    has(done.stderr, f"{folder}/b.json: is no longer there; its lines are taken out")
    check(len(json.loads(base.read_text())["runs"]) == 3, "what is gone is out")


def another_policy_is_held_against_the_one_before(folder):
    base = folder / "policies.json"
    words = [QUICK, "--set", "/expect=[]", "--baseline", base]
    run(*words, "--set", "/jobs/0/policy/profile=2026-05", "--update-baseline")
    done = run(*words, "--set", "/jobs/0/policy/profile=2026-09")
    has(done.stdout, "ray_train@2026-09, seed 36, policy was ray_train@2026-05\n")
    check("new" not in done.stdout and "missing" not in done.stdout, done.stdout)
    # Of what is run with --policy a file has lines of their own, beside the others.
    two = ["--policy", "ray_train@2.43:defaults"]
    # Without the scenario's configuration the first failure ends the job: worse, or cut short.
    has(run(*words, *two, code=7).stdout,
        "ray_train@2.43, seed 36, policy was ray_train@2026-05\n")
    has(run(*words, *two, "--update-baseline").stdout, "kept 4 of what was not asked for")
    has(run(*words, *two, "--strict").stdout, "4 same; passed")
    run(*words, "--set", "/jobs/0/policy/profile=2026-05", "--strict")
    has(run(*words, "--policy", "ray_train@2026-05:defaults", code=4).stdout,
        "ray_train@2026-05, seed 36, policy was ray_train@2.43\n")


def a_baseline_is_the_same_from_everywhere(folder):
    """CI has the tree somewhere else, and starts the check from somewhere else."""
    tree = folder / "tree"
    (tree / "scenarios").mkdir(parents=True)
    expecting.extend(QUICK, tree / "scenarios" / "quick.json")
    base = tree / "base.json"
    run(tree / "scenarios", "--baseline", base, "--update-baseline")
    check({r["scenario"] for r in json.loads(base.read_text())["runs"]} ==
          {"scenarios/quick.json"}, "from the baseline's folder")
    for place, words in ((tree, ["scenarios", "--baseline", "base.json"]),
                         (tree / "scenarios", ["quick.json", "--baseline", "../base.json"]),
                         (folder, ["tree/../tree/scenarios", "--baseline", "./tree/base.json"]),
                         (pathlib.Path("/"), [tree / "scenarios", "--baseline", base])):
        has(run(*words, "--strict", cwd=place).stdout, "4 same; passed")
    moved = tree.rename(folder / "moved")
    (folder / "link").symlink_to(moved)
    run(folder / "link" / "scenarios", "--baseline", moved / "base.json", "--strict")
    shutil.move(moved / "base.json", folder / "base.json")
    words = [moved / "scenarios", "--baseline", folder / "base.json", "--markdown", folder / "m.md",
             "--junit", folder / "j.xml"]
    done = run(*words, code=2)
    has(done.stderr, "not one of its lines is about these runs")
    # All who tell of it say what the exit code says.
    has(done.stdout, "unusable: exit code 2")
    has((folder / "m.md").read_text(), "unusable: exit code 2")
    has((folder / "j.xml").read_text(), "not one of its lines is about these runs")
    told = json.loads(run(*words[:3], "--json", code=2).stdout)
    check((told["verdict"], told["exit_code"]) == ("unusable", 2), told["verdict"])


def a_line_that_lacks_a_metric_is_said(folder):
    base = folder / "lacks.json"
    run(QUICK, "--baseline", base, "--update-baseline")
    text = base.read_text()
    at = text.index('"false_alarms",', text.index('"metrics": ['))
    base.write_text(text[:at] + text[text.index(",", at) + 1:])
    has(run(QUICK, "--baseline", base).stdout,
        "changed: tests/data/check/quick.json, ray_train@2026-05, seed 36\n"
        "    not judged: the baseline has no false_alarms\n")
    base.write_text(text.replace('"completed"', '"complete"', 1))
    run(QUICK, "--baseline", base)
    base.write_text(text.replace('"outcome":"completed"', '"outcome":"well"', 1))
    has(run(QUICK, "--baseline", base, code=2).stderr,
        f'{base}:3: "outcome" is "well"; expected one of completed, failed, aborted, running')
    base.write_text(text[:len(text) * 3 // 8])
    said = run(QUICK, "--baseline", base, code=2).stderr
    has(said, f"{base}:4:", "is not JSON: ")
    check("json.exception" not in said, said)


def of_schema_2(base):
    """The same file as the program wrote it before runs had useful work."""
    whole = json.loads(base.read_text())
    del whole["metrics"]
    whole["schema"] = 2
    later = ("alive", "stuck", "finish_us", "cost_per_useful_hour")
    for line in whole["runs"]:
        line["metrics"] = {name: value for name, value in line["metrics"].items()
                           if name not in later and not name.startswith("useful_")}
    base.write_text(json.dumps(whole))


def an_old_one_is_read_and_told_to_be_old(folder):
    base = folder / "old.json"
    run(QUICK, "--baseline", base, "--update-baseline")
    check("old baseline" not in run(QUICK, "--baseline", base).stderr, "a new one is not old")
    of_schema_2(base)
    done = run(QUICK, "--baseline", base)
    has(done.stderr, f"{base}: is an old baseline, of schema 2, without the useful work of its "
        "runs: they are judged by all else; --update-baseline writes it anew")
    check("better, " not in done.stdout and "worse, " not in done.stdout, done.stdout)
    has(run(QUICK, "--baseline", base, "--set", "/jobs/0/policy/config/max_failures=0",
            code=4).stdout, "worse, ", "alive                  yes -> no")
    run(QUICK, "--baseline", base, "--update-baseline")
    check("old baseline" not in run(QUICK, "--baseline", base, "--strict").stderr, "written anew")


def main():
    for test in (new_and_missing_runs_are_said, an_update_writes_what_else_was_asked_for,
                 a_part_is_brought_up_to_date, another_policy_is_held_against_the_one_before,
                 a_baseline_is_the_same_from_everywhere, a_line_that_lacks_a_metric_is_said,
                 an_old_one_is_read_and_told_to_be_old):
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
