"""`replay --transcript`: transcripts that were spoilt, and places where none can be written."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from expecting import PROGRAM, check, failures

GOOD = pathlib.Path("tests/data/transcripts/python.ndjson").read_text()
LINES = GOOD.splitlines()
SAME, DIFFERS, UNUSABLE, FAILED = 0, 1, 2, 5


def rows(*lines):
    return "".join(line + "\n" for line in lines)


# Way: the text, the exit code, and what is said.
WAYS = {
    "good": (GOOD, SAME, "the same, 20 messages"),
    "empty": ("", UNUSABLE, "is empty"),
    "blank": ("\n", UNUSABLE, "line 1 is not a JSON object"),
    "first_line": (rows(LINES[0]), UNUSABLE, "is cut off: behind its 0 messages"),
    "no_hello": (rows(LINES[0], LINES[-1]), FAILED, "hello was not there before"),
    "other_verdict": (GOOD.replace('"verdict":"passed"', '"verdict":"failed"'), DIFFERS,
                      'another one: "passed", hash .*, in the transcript "failed"'),
    "cut": (GOOD[:len(GOOD) // 2], UNUSABLE, "line [0-9]+ is not a JSON object"),
    "no_end": (rows(*LINES[:-1]), UNUSABLE, "is cut off"),
    "other_end": (GOOD.replace('"run_hash":"', '"run_hash":"0'), DIFFERS, "is another one"),
    "end_number": (rows(*LINES[:-1], '{"run_hash":7}'), UNUSABLE, "not an exchange with a policy"),
    "version_2": (GOOD.replace('"transcript":1', '"transcript":2'), UNUSABLE,
                  "is not a transcript"),
    "no_scenario": (rows('{"transcript":1}'), UNUSABLE, "is not a transcript"),
    "scenario_number": (rows('{"transcript":1,"scenario":1}', LINES[-1]), UNUSABLE,
                        "expected an object"),
    "deep": (rows('{"transcript":1,"scenario":' + '{"a":' * 99999 + "1" + "}" * 100000), UNUSABLE,
             "line 1 has JSON in JSON more than 1000 times"),
    "deep_wrong": ("[" * 500000, UNUSABLE, "line 1 "),
    "twice": (rows(*LINES[:5], LINES[4], *LINES[5:]), UNUSABLE, "line 6 was changed"),
    "exchanged": (rows(*LINES[:4], LINES[5], LINES[4], *LINES[6:]), UNUSABLE, "was changed"),
    "word": (GOOD.replace("mine.stop", "mine.spot", 1), UNUSABLE, "line [0-9]+ was changed"),
    "spaced": (rows(LINES[0], *(json.dumps(json.loads(line)) for line in LINES[1:])), UNUSABLE,
               "line 2 was changed"),
    "policy_far": (GOOD.replace('"policy":0', '"policy":18446744073709551615', 1), UNUSABLE,
                   "there is none before it"),
    "policy_negative": (GOOD.replace('"policy":0', '"policy":-1', 1), UNUSABLE, "not an exchange"),
    "recording": (rows('{"schema":1}'), UNUSABLE, "is not a transcript"),
}


def said(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120,
                          check=False)
    return done.returncode, done.stdout + done.stderr


# A run that was made in another way is played again in that way.
OTHERWISE = [["--policy-deadline", "30s"], ["--policy-deadline", "250ms"],
             ["--driver", "simgrid"], ["--max-events", "60"],
             ["--driver", "simgrid", "--max-events", "60", "--policy-deadline", "20s"]]
HEADS = [('"transcript":1,"driver":"bare"', "\"driver\" other than"),
         ('"transcript":1,"max_events":"x"', "is not a number above 0"),
         ('"transcript":1,"max_events":-1', "is not a number above 0")]


def made_otherwise(folder):
    file = folder / "otherwise.ndjson"
    for words in OTHERWISE:
        said("run", "scenarios/quickstart.json", "--policy-cmd",
             "python3 policies/external/python/policy.py", "--transcript", file, "--quiet", *words)
        code, text = said("replay", "--transcript", file)
        check(code == SAME and "the same" in text, f"{words}: exit {code}: {text[:300]}")
    for head, pattern in HEADS:
        file.write_text(GOOD.replace('"transcript":1', head, 1))
        code, text = said("replay", "--transcript", file)
        check(code == UNUSABLE and pattern in text, f"{head}: exit {code}: {text[:300]}")


def nothing_else_is_written_over(folder):
    words = ["run", "scenarios/quickstart.json", "--quiet", "--policy-cmd",
             "python3 policies/external/python/policy.py", "--transcript"]
    mine = folder / "mine.json"
    mine.write_text('{"schema": 1}\n')
    code, text = said(*words, mine)
    check(code == UNUSABLE and "is not a transcript" in text and
          mine.read_text() == '{"schema": 1}\n', f"mine: exit {code}: {text[:300]}")
    code, text = said(*words, "/dev/full")
    check(code == UNUSABLE and "No space left on device" in text, f"full: {code}: {text[:300]}")
    talk = folder / "talk.ndjson"
    for content in ("", GOOD):
        talk.write_text(content)
        code, text = said(*words, talk)
        check(code == SAME and said("replay", "--transcript", talk)[0] == SAME,
              f"over {content[:20]!r}: exit {code}: {text[:300]}")


def verified_in_simgrid(folder):
    """SimGrid has one engine a process: who says the same says so, and who does not is found."""
    other = folder / "other.py"
    other.write_text("import os\nSALT = os.getpid()\n" + pathlib.Path(
        "policies/external/python/policy.py").read_text().replace(
            '"rule": rule,', '"rule": rule, "rejected": [{"what": "x", "why": str(SALT)}],'))
    words = ["run", "scenarios/quickstart.json", "--driver", "simgrid", "--verify-policy", "2",
             "--quiet", "--policy-cmd"]
    code, text = said(*words, "python3 policies/external/python/policy.py")
    check(code == SAME and not text, f"verified: exit {code}: {text[:300]}")
    code, text = said("run", "scenarios/incidents/three_preemptions.json", "--verify-policy", "1",
                      "--quiet", "--policy-cmd", f"'{PROGRAM}' policies serve")
    check(code == SAME and not text, f"two jobs: exit {code}: {text[:300]}")
    code, text = said(*words, f"python3 {other}")
    check(code == FAILED and "got another answer" in text, f"another: exit {code}: {text[:400]}")


def main():
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "spoilt.ndjson"
        for way, (text, wanted, pattern) in WAYS.items():
            file.write_text(text)
            code, words = said("replay", "--transcript", file)
            check(code == wanted and re.search(pattern, words),
                  f"{way}: exit {code}, wanted {wanted} and /{pattern}/: {words[:300]}")
        made_otherwise(pathlib.Path(name))
        nothing_else_is_written_over(pathlib.Path(name))
        verified_in_simgrid(pathlib.Path(name))
        # One that is not there for the third message: so it is when it is played again.
        file.unlink()
        failing = "sh -c 'sed -u 4q | python3 policies/external/python/policy.py'"
        code, words = said("run", "scenarios/quickstart.json", "--policy-cmd", failing,
                           "--transcript", file)
        check(code == FAILED and '"no_answer":"' in file.read_text(), f"no failure: {words[:300]}")
        code, words = said("replay", "--transcript", file)
        check(code == SAME and "its policy failed: " in words, f"exit {code}: {words[:300]}")
        code, words = said("run", "scenarios/quickstart.json", "--policy-cmd",
                           "python3 policies/external/python/policy.py", "--transcript",
                           pathlib.Path(name) / "none" / "talk.ndjson")
        check(code == UNUSABLE and "cannot be written: No such file" in words
              and "completed" not in words, f"it ran: exit {code}: {words[:300]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
