"""`--policy-cmd`: what becomes of a run whose policy's process goes wrong, way by way."""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import misbehave
from expecting import unwrapped

PROGRAM = os.environ["AFTERSHOCK_EXECUTABLE"]
SCENARIO = {
    "schema": 1, "name": "small", "seed": 1, "until": "2d",
    "cluster": {"pools": [{"name": "gpu", "nodes": 2,
                           "accelerators": {"kind": "gpu", "per_node": 4}}]},
    "jobs": [{"name": "llm", "pool": "gpu", "workers": 8, "steps": 100, "step": "10s",
              "policy": {"name": "mine", "config": {"max_failures": 3}}}],
}
PASSED, UNUSABLE, STUCK, FAILED = 0, 2, 3, 5
DEADLINE = "did not answer {} within 2000 ms"

# Way: exit code, and what is said. Errors before the scenario is read go to standard error, all
# else is the run's verdict.
EXPECTED = {
    "silent": (FAILED, DEADLINE.format("hello") + ": it is silent"),
    "dies": (FAILED, "ended with exit code 3 before it answered hello"),
    "dies_well": (FAILED, "ended with exit code 0 before it answered hello"),
    "killed": (FAILED, "was killed by signal 9 .Killed. before it answered hello"),
    "segfault": (FAILED, "was killed by signal 11 .Segmentation fault. before it answered hello"),
    "raises": (FAILED, "exit code 1 before it answered hello(.|\n)*ZeroDivisionError"),
    "log_line": (FAILED, '"INFO starting up"; policies must log to stderr'),
    "banner": (FAILED, r'" \[31mmine 1.0 \[0m"; policies must log to stderr'),
    "log_number": (FAILED, 'answered hello with "42"; expected a JSON object'),
    "empty_line": (FAILED, "answered hello with an empty line"),
    "bom": (PASSED, ""),
    "floods_out": (FAILED, "a line of more than 1048576 bytes"),
    "floods_lines": (FAILED, '"again and again"(...)?; policies must log to stderr'),
    "floods_err": (FAILED, DEADLINE.format("hello")),
    "closes_stdout": (FAILED, "closed its standard output before it answered hello"),
    "closes_both": (FAILED, "closed its standard output before it answered hello"),
    "ignores_term": (FAILED, DEADLINE.format("hello") + ": it is silent"),
    "ignores_all": (FAILED, DEADLINE.format("hello") + ": it is silent"),
    "stops_itself": (FAILED, DEADLINE.format("hello")),
    "forks_and_dies": (FAILED, "ended with exit code 0 before it answered hello"),
    "daemon_and_dies": (FAILED, "ended with exit code 0 before it answered hello"),
    "leaves_child": (PASSED, ""),
    "child_holds_stdout": (FAILED, "exit code 1 before it answered hello"),
    "closes_stderr": (FAILED, "exit code 9 before it answered hello"),
    "reads_nothing": (FAILED, DEADLINE.format("hello")),
    "chatters": (PASSED, ""),
    "breeds": (PASSED, ""),
    "stops_guardian": (PASSED, ""),
    "kills_guardian": (FAILED, "closed its standard output before it answered|was killed"),
    "becomes_cat": (FAILED, 'answered hello with the type "hello"; expected "hello_ok"'),
    "half_first": (FAILED, "answered hello with what is not JSON from byte"),
    "hello_unasked": (FAILED, 'answered world with the type "hello_ok"|more than was asked for'),
    "goes_elsewhere": (PASSED, ""),
    "says_why": (FAILED, r"exit code 4(.|\n)*\| line 10\n(.|\n)*\| line 29"),
    "no_type": (FAILED, 'answered hello without a "type"'),
    "wrong_type": (FAILED, 'answered hello with the type "hallo"; expected "hello_ok"'),
    "type_is_number": (FAILED, 'answered hello without a "type"'),
    "old_protocol": (FAILED, 'speaks protocol "0.9"; expected 1.0'),
    "next_protocol": (FAILED, 'speaks protocol "2.0"; expected 1.0'),
    "no_protocol": (FAILED, 'speaks protocol ""; expected 1.0'),
    "features_no_list": (FAILED, "answered hello wrongly: /features: .*expected an array"),
    "unknown_member": (FAILED, 'unknown member "nmae".*name'),
    "hello_list": (FAILED, r'answered hello with "\[1, 2\]"; expected a JSON object'),
    "gives_up": (FAILED, 'gives up over hello: "no licence"'),
    "hello_null": (FAILED, 'answered hello with "null"; expected a JSON object'),
    "protocol_number": (FAILED, "/protocol: got 1.0; expected a string"),
    "next_minor": (PASSED, ""),
    "minor_word": (FAILED, 'speaks protocol "1.x"; expected 1.0 or 1.1'),
    "persists_early": (FAILED, "/persists: a member of protocol 1.1, and it asked for 1.0"),
    "persists_untold": (FAILED, "/persists: .*cannot be asked for it; expected \"durable\" among"),
    "persists_nothing": (PASSED, ""),
    "persists_text": (FAILED, '/persists: got "failures"; expected an array'),
    "unheard_feature": (PASSED, ""),
    "bad_rules": (FAILED, "/rules/0/id: no name"),
    "rules_twice": (FAILED, '/rules/1/id: "a" is there twice'),
    "states_twice": (FAILED, '/states/1: "UP" is there twice'),
    "budgets_twice": (FAILED, '/budgets/1/name: "b" is there twice'),
    "budget_no_name": (FAILED, "/budgets/0/name: no name"),
    "rule_two_lines": (FAILED, "/rules/0/id: a quote, a backslash or a control character"),
    "state_quote": (FAILED, "/states/0: a quote, a backslash or a control character"),
    "budget_escape": (FAILED, "/budgets/0/name: a quote, a backslash or a control character"),
    "name_long": (FAILED, "/name: a name of 900000 bytes, and 200 are the most"),
    "limit_huge": (FAILED, r"answered world wrongly: .*a number is larger than 2\^53"),
    "bad_state": (FAILED, '/state: unknown state "UPP".*UP'),
    "rules_no_list": (FAILED, "answered world wrongly: /rules"),
    "bad_event": (FAILED, '/events/0: unknown event "worker_failed".*workers_failed'),
    "bad_subject": (FAILED, 'unknown word "cluster"'),
    "decides_early": (FAILED, 'with the type "decide"; expected "ready" or "refused"'),
    "mute": (PASSED, ""),
    "refuses_mutely": (FAILED, "refuses and does not say why"),
    "refuses": (UNUSABLE, "small.json:.*max_failures: is not for me"),
    "not_for_jobs": (UNUSABLE, "does not decide for a job"),
    "seq_old": (FAILED, "answered batch 2 wrongly: /seq: got 1, expected 2"),
    "seq_ahead": (FAILED, "answered batch 2 wrongly: /seq: got 3, expected 2"),
    "seq_text": (FAILED, 'answered batch 2 wrongly: /seq: got "2", expected 2'),
    "seq_none": (FAILED, "answered batch 2 wrongly: /seq: got nothing, expected 2"),
    "unknown_command": (FAILED, '/steps/0/commands/0/type: unknown type "start_atempt".*start_att'),
    "command_no_type": (FAILED, '/steps/0/commands/0: no "type"'),
    "command_text": (FAILED, "/steps/0/commands/0: got .*expected an object"),
    "command_member": (FAILED, 'unknown member "raeson".*reason'),
    "negative": (FAILED, "/steps/0/commands/0/id: got -1"),
    "huge": (FAILED, r"a number is larger than 2\^53"),
    "beyond": (FAILED, "/steps/0/commands/0/id: got 1.18"),
    "float": (FAILED, "/steps/0/commands/0/id: got 1.5"),
    "unknown_rule": (FAILED, '/steps/0/rule: unknown rule "other"'),
    "unknown_state": (FAILED, '/steps/0/to: unknown state "GONE"'),
    "unknown_budget": (FAILED, '/steps/0/budgets/0/budget: unknown budget "b"'),
    "saw_nothing": (FAILED, "/steps/0/saw: got 99, and the batch has"),
    "steps_object": (FAILED, "/steps: got .*expected an array"),
    "decide_member": (FAILED, 'unknown member "stpes".*steps'),
    "poll_without_period": (FAILED, "/watch/poll/period_us: got 0, expected a period"),
    "budgets_of_others": (FAILED, "/budgets: got 1, expected all 0"),
    "error_late": (FAILED, 'gives up over batch 2: "my head is full"'),
    "metrics_early": (FAILED, "answered batch 2 wrongly: /watch/metrics: a member of protocol 1.1"),
    "error_lines": (FAILED, r"gives up over batch 2:\n +\| Traceback:\n +\|   line 7\n +\| KeyErr"),
    "error_long": (FAILED, "the first 4096 of 9999 bytes"),
    "loops": (FAILED, "loops: it was asked 10000 times in one microsecond"),
    "polls_on": (FAILED, "loops: it had itself woken 10000 times in a second of simulated time"),
    "insists": (FAILED, "loops: it was asked 10000 times in one microsecond"),
    "many_workers": (FAILED, "/workers: got 4294967296, expected|/workers: got 4294967296; expect"),
    "ranks_back": (FAILED, "/steps/0/commands/0/ranks"),
    "wakes_before": (FAILED, "/watch/wake_us: got -1; expected an integer"),
    "seq_float": (FAILED, "/seq: got 2.0, expected 2"),
    "seq_true": (FAILED, "/seq: got true, expected 2"),
    "state_unknown": (FAILED, '/state: unknown state "GONE"'),
    "result_negative": (FAILED, "/result/latest: got -1"),
    "answers_other": (FAILED, 'with the type "answer"; expected "decide"'),
    "many_words": (FAILED, "/decision: more than 1000 different words"),
    "ready_again": (FAILED, 'answered batch 2 with the type "ready"; expected "decide"'),
    "no_newline": (FAILED, DEADLINE.format("batch 2") + ": there is no newline behind"),
    "half_a_line": (FAILED, DEADLINE.format("batch 2") + ": it wrote but half a line"),
    "half_and_dies": (FAILED, "exit code 5 before it answered batch 2, in the middle of a line"),
    "no_flush": (FAILED, "does not flush what it writes"),
    "twice": (FAILED, "said more than was asked for|answered (reset|end|batch 3)|^$"),
    "log_first": (FAILED, '"deciding..."; policies must log to stderr'),
    "log_behind": (FAILED, "said more than was asked for|^$"),
    "print_dict": (FAILED, "answered batch 2 with what is not JSON from byte 2"),
    "invalid_utf8": (FAILED, "answered batch 2 with what is not UTF-8"),
    "latin_1": (FAILED, "answered batch 2 with what is not UTF-8"),
    "utf_16": (FAILED, "not JSON|not a message"),
    "zeros": (FAILED, "policies must log to stderr"),
    "two_mib": (FAILED, "answered batch 2 with a line of more than 1048576 bytes"),
    "deep": (FAILED, "not a message|not JSON"),
    "twice_a_key": (FAILED, 'the member "type" is there twice'),
    "nan": (FAILED, "not JSON from byte"),
    "slow": (FAILED, DEADLINE.format("batch 2") + ": it is silent"),
    "drip": (FAILED, DEADLINE.format("batch 2") + ": it wrote but half a line"),
    "dies_over_it": (FAILED, "ended with exit code 7 before it answered batch 2"),
    "killed_over_it": (FAILED, "was killed by signal 9 .Killed. before it answered batch 2"),
    "closes_stdin": (FAILED, DEADLINE.format("batch 2")),
    "empty": (FAILED, "answered batch 2 with an empty line"),
    "stops_over_it": (FAILED, DEADLINE.format("batch 2") + ": it is silent"),
    "exits_well": (FAILED, "ended with exit code 0 before it answered batch 2"),
    "closes_behind": (FAILED, "closed its standard output before it answered batch 3"),
    "child_answers": (FAILED, DEADLINE.format("batch 3")),
    "in_pieces": (PASSED, ""),
    "number_huge": (FAILED, "answered batch 2 with what is JSON with a number that is too large"),
    "digits": (FAILED, 'a number that is too large: .{,200}"[.]{3}'),
    "deep_right": (FAILED, "JSON in JSON more than 500 times"),
    "comma": (FAILED, "answered batch 2 with what is not JSON from byte"),
    "comment": (FAILED, "answered batch 2 with what is not JSON from byte"),
    "surrogate": (FAILED, "answered batch 2 with what is not JSON from byte"),
    "one_mib": (PASSED, ""),
    "over_one_mib": (FAILED, "answered batch 2 with a line of more than 1048576 bytes"),
    "crlf": (PASSED, ""),
    "well": (PASSED, ""),
}
# Output behind the last answer may go unheard.
MAY_PASS = {"twice", "log_behind"}


def left_behind(folder, way):
    """Processes that still run a script of that folder in that way."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        ours = str(folder).encode() in words and words.endswith(b"\0" + way.encode() + b"\0")
        if ours and state != "Z":
            found.append(words.replace(b"\0", b" ").decode())
    return found


def run(folder, way, deadline="2000ms"):
    recording = folder / f"{way}.aftershock"
    command = [PROGRAM, "run", folder / "small.json", "--record", recording,
               "--policy-cmd", f"{sys.executable} '{folder}/misbehave.py' {way}",
               "--policy-deadline", deadline]
    return recording, subprocess.run(command, capture_output=True, text=True, timeout=120,
                                     check=False)


def check(folder, way, problems):
    code, pattern = EXPECTED[way]
    # A slow start is fine: only silence waits for the deadline.
    waits = DEADLINE.split("{")[0] in pattern or way == "no_flush"
    recording, made = run(folder, way, "2000ms" if waits else "20s")
    said = unwrapped(made.stdout) + made.stderr
    pattern = pattern if waits else pattern.replace("2000 ms", "20000 ms")
    if made.returncode != code and not (way in MAY_PASS and made.returncode == PASSED):
        problems.append(f"{way}: exit {made.returncode}, wanted {code}: {said[:400]}")
    elif made.returncode != PASSED and not re.search(pattern, said):
        problems.append(f"{way}: wanted /{pattern}/: {said[:600]}")
    if any(left := left_behind(folder, way)):
        problems.append(f"{way}: left behind {left}")
    if recording.exists() and recording.stat().st_size > 0:
        told = subprocess.run([PROGRAM, "why", recording], capture_output=True, text=True,
                              check=False)
        if told.returncode != 0 or "cut short" in told.stdout:
            problems.append(f"{way}: its recording is not whole: {told.stdout}{told.stderr}")


def check_odd_name(folder, problems):
    """A policy that has no name goes by its command, which may be of any letters."""
    odd = folder / "a 'b\"\\c $(x).py"
    shutil.copy(folder / "misbehave.py", odd)
    recording = folder / "odd.aftershock"
    command = "'{}' '{}' mute".format(sys.executable, str(odd).replace("'", "'\\''"))
    made = subprocess.run([PROGRAM, "run", folder / "small.json", "--record", recording,
                           "--policy-cmd", command], capture_output=True, text=True, check=False)
    told = subprocess.run([PROGRAM, "why", recording], capture_output=True, text=True, check=False)
    if made.returncode != PASSED or told.returncode != 0:
        problems.append(f"odd name: {made.stdout}{made.stderr}{told.stdout}{told.stderr}")


def main():
    problems = [f"{way}: nothing is expected" for way in misbehave.known() if way not in EXPECTED]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(pathlib.Path(__file__).parent / "misbehave.py", folder)
        (folder / "small.json").write_text(json.dumps(SCENARIO))
        check_odd_name(folder, problems)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda way: check(folder, way, problems), sys.argv[1:] or EXPECTED))
    for problem in problems:
        print("FAILED", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
