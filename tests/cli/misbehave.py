"""A policy process that goes wrong in one way: misbehave.py WAY. Without a way it behaves."""
import json
import os
import signal
import subprocess
import sys
import time

WAY = sys.argv[1] if len(sys.argv) > 1 else "well"
OUT = sys.stdout


def say(text, end="\n"):
    OUT.write(text + end)
    OUT.flush()


def raw(data):
    OUT.flush()
    os.write(1, data)


def hello_ok(**changes):
    return {"type": "hello_ok", "protocol": "1.0", "name": "bad", "features": ["reset"], **changes}


def ready(**changes):
    return {"type": "ready", "rules": [{"id": "bad.rule"}], "commits_checkpoints": False, **changes}


def started(seq, **changes):
    command = {"type": "start_attempt", "id": 1, "epoch": 1, "workers": 8}
    return {"type": "decide", "seq": seq, "steps": [{"commands": [command]}],
            "watch": {"futures": {"epoch": 1}}, **changes}


def with_command(seq, command):
    return {"type": "decide", "seq": seq, "steps": [{"commands": [command]}]}


def hold():
    time.sleep(600)


def die(code):
    sys.stdout.flush()
    os._exit(code)


def escape(setsid):
    """Leaves a child behind that holds nothing but its life."""
    if os.fork() == 0:
        if setsid:
            os.setsid()
        if os.fork() != 0:
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for file in (0, 1, 2):
            os.close(file)
        time.sleep(600)
        os._exit(0)


def flood(file):
    try:
        while True:
            os.write(file, b"x" * 65536)
    except OSError:
        hold()


def flood_lines(file):
    try:
        while True:
            os.write(file, b"again and again\n" * 4096)
    except OSError:
        hold()


def chatter():
    """Writes 64 MiB to standard error."""
    for _ in range(1024):
        os.write(2, b"e" * 65536)


def child_answers(line):
    if os.fork() == 0:
        say(line)
    hold()


def breed():
    """Leaves descendants behind that fork on and on, each in a session of its own."""
    if os.fork() == 0:
        for _ in range(1000):
            if os.fork() != 0:
                os._exit(0)
            os.setsid()
            time.sleep(0.002)
        os._exit(0)


# Misbehaviour before anything is read.
AT_START = {
    "silent": hold,
    "dies": lambda: die(3),
    "dies_well": lambda: die(0),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "raises": lambda: 1 // 0,
    "log_line": lambda: say("INFO starting up"),
    "banner": lambda: say("\x1b[31mmine 1.0\x1b[0m"),
    "log_number": lambda: say("42"),
    "empty_line": lambda: say(""),
    "bom": lambda: raw(b"\xef\xbb\xbf"),
    "floods_out": lambda: flood(1),
    "floods_lines": lambda: flood_lines(1),
    "floods_err": lambda: flood(2),
    "closes_stdout": lambda: (os.close(1), hold()),
    "closes_both": lambda: (os.close(1), os.close(0), hold()),
    "ignores_term": lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN), hold()),
    "ignores_all": lambda: ([signal.signal(one, signal.SIG_IGN) for one in (1, 2, 3, 15)], hold()),
    "stops_itself": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "forks_and_dies": lambda: (escape(False), die(0)),
    "daemon_and_dies": lambda: (escape(True), die(0)),
    "leaves_child": lambda: escape(True),
    "child_holds_stdout": lambda: (subprocess.Popen([sys.executable, __file__, "silent", WAY]),
                                   die(1)),
    "closes_stderr": lambda: (os.close(2), die(9)),
    "reads_nothing": hold,
    "chatters": chatter,
    "breeds": breed,
    "stops_guardian": lambda: os.kill(os.getppid(), signal.SIGSTOP),
    "kills_guardian": lambda: (os.kill(os.getppid(), signal.SIGKILL), hold()),
    "becomes_cat": lambda: os.execvp("cat", ["cat"]),
    "half_first": lambda: say('{"type":', end=""),
    "hello_unasked": lambda: say(json.dumps(hello_ok())),
    "goes_elsewhere": lambda: os.chdir("/"),
    "says_why": lambda: ([print(f"line {i}", file=sys.stderr) for i in range(30)], die(4)),
}

# Answers to hello.
TO_HELLO = {
    "no_type": {"protocol": "1.0"},
    "wrong_type": {"type": "hallo"},
    "type_is_number": {"type": 7},
    "old_protocol": hello_ok(protocol="0.9"),
    "next_protocol": hello_ok(protocol="2.0"),
    "no_protocol": {"type": "hello_ok", "name": "bad"},
    "features_no_list": hello_ok(features="reset"),
    "unknown_member": hello_ok(nmae="bad"),
    "hello_list": [1, 2],
    "gives_up": {"type": "error", "message": "no licence"},
    "hello_null": None,
    "protocol_number": hello_ok(protocol=1.0),
    "next_minor": hello_ok(protocol="1.9"),
    "minor_word": hello_ok(protocol="1.x"),
    "unheard_feature": hello_ok(features=["flies"]),
}

# Ways that ask for version 1.1 of the messages.
NEWER = {"persists_untold", "persists_nothing", "persists_text"}

# Answers to the world.
TO_WORLD = {
    "bad_rules": ready(rules=[{"sentence": "no id"}]),
    "bad_state": ready(states=["UP"], state="UPP"),
    "rules_no_list": ready(rules={}),
    "bad_event": ready(events=["worker_failed"]),
    "bad_subject": ready(subject="cluster"),
    "decides_early": started(1),
    "mute": {"type": "ready", "commits_checkpoints": False},
    "refuses_mutely": {"type": "refused", "issues": []},
    "refuses": {"type": "refused",
                "issues": [{"pointer": "/config/max_failures", "message": "is not for me"}]},
    "rules_twice": ready(rules=[{"id": "a"}, {"id": "a"}]),
    "states_twice": ready(states=["UP", "UP"]),
    "budgets_twice": ready(budgets=[{"name": "b"}, {"name": "b"}]),
    "budget_no_name": ready(budgets=[{"used": 0}]),
    "rule_two_lines": ready(rules=[{"id": "a\nb"}]),
    "state_quote": ready(states=['a"b']),
    "budget_escape": ready(budgets=[{"name": "\x1b[31m"}]),
    "name_long": ready(name="x" * 900000),
    "limit_huge": ready(budgets=[{"name": "b", "limit": 2 ** 62}]),
    "not_for_jobs": ready(subject="experiment"),
    "persists_early": ready(persists=["failures"]),
    "persists_untold": ready(persists=["failures"]),
    "persists_nothing": ready(persists=[]),
    "persists_text": ready(persists="failures"),
}

# Answers to the second batch, by its number.
TO_BATCH = {
    "seq_old": lambda seq: started(seq - 1),
    "seq_ahead": lambda seq: started(seq + 1),
    "seq_text": lambda seq: started(str(seq)),
    "seq_none": lambda seq: {"type": "decide"},
    "unknown_command": lambda seq: with_command(seq, {"type": "start_atempt", "id": 1}),
    "command_no_type": lambda seq: with_command(seq, {"id": 1}),
    "command_text": lambda seq: with_command(seq, "start"),
    "command_member": lambda seq: with_command(seq, {"type": "fail", "id": 1, "raeson": "x"}),
    "negative": lambda seq: with_command(seq, {"type": "fail", "id": -1}),
    "huge": lambda seq: with_command(seq, {"type": "fail", "id": 2 ** 60}),
    "beyond": lambda seq: with_command(seq, {"type": "fail", "id": 2 ** 70}),
    "float": lambda seq: with_command(seq, {"type": "fail", "id": 1.5}),
    "unknown_rule": lambda seq: {"type": "decide", "seq": seq, "steps": [{"rule": "other"}]},
    "unknown_state": lambda seq: {"type": "decide", "seq": seq, "steps": [{"to": "GONE"}]},
    "unknown_budget": lambda seq: {"type": "decide", "seq": seq,
                                   "steps": [{"budgets": [{"budget": "b"}]}]},
    "saw_nothing": lambda seq: {"type": "decide", "seq": seq, "steps": [{"saw": [99]}]},
    "steps_object": lambda seq: {"type": "decide", "seq": seq, "steps": {}},
    "decide_member": lambda seq: started(seq, stpes=[]),
    "poll_without_period": lambda seq: started(seq, watch={"poll": {"epoch": 1}}),
    "budgets_of_others": lambda seq: started(seq, budgets=[{"used": 1}]),
    "error_late": lambda seq: {"type": "error", "message": "my head is full"},
    "metrics_early": lambda seq: started(seq, watch={"poll": {"epoch": 1, "period_us": 10 ** 6},
                                                     "metrics": {"epoch": 1}}),
    "error_lines": lambda seq: {"type": "error", "message": "Traceback:\n  line 7\nKeyError: 1\n"},
    "error_long": lambda seq: {"type": "error", "message": ("x" * 99 + "\n") * 100},
    "loops": lambda seq: {"type": "decide", "seq": seq, "watch": {"wake_us": 0}},
    "polls_on": lambda seq: {"type": "decide", "seq": seq, "watch": {
        "poll": {"epoch": 1, "period_us": 1, "again": True}}},
    "insists": lambda seq: with_command(seq, {"type": "stop_workers", "id": seq, "epoch": 7}),
    "many_workers": lambda seq: with_command(seq, {"type": "start_attempt", "id": 2, "epoch": 2,
                                                   "workers": 2 ** 32}),
    "ranks_back": lambda seq: with_command(seq, {"type": "recreate_pods", "id": 2, "epoch": 2,
                                                 "ranks": [[5, 2]]}),
    "wakes_before": lambda seq: {"type": "decide", "seq": seq, "watch": {"wake_us": -1}},
    "seq_float": lambda seq: started(float(seq)),
    "seq_true": lambda seq: started(True),
    "state_unknown": lambda seq: started(seq, state="GONE"),
    "result_negative": lambda seq: started(seq, result={"latest": -1}),
    "answers_other": lambda seq: {"type": "answer", "what": "durable"},
    "many_words": lambda seq: started(seq, steps=[{"decision": f"w{i}"} for i in range(1500)]),
    "ready_again": lambda seq: ready(),
}

# Output in place of a good answer to the second batch.
WRITES = {
    "no_newline": lambda line: say(line, end=""),
    "half_a_line": lambda line: say(line[:20], end=""),
    "half_and_dies": lambda line: (say(line[:20], end=""), die(5)),
    "no_flush": lambda line: OUT.write(line + "\n"),
    "twice": lambda line: raw((line + "\n" + line + "\n").encode()),
    "log_first": lambda line: (say("deciding..."), say(line)),
    "log_behind": lambda line: raw((line + "\ndone\n").encode()),
    "print_dict": lambda line: say(repr(json.loads(line))),
    "invalid_utf8": lambda line: raw(b'{"type":"decide\xff\xfe"}\n'),
    "latin_1": lambda line: raw("für\n".encode("latin-1")),
    "utf_16": lambda line: raw((line + "\n").encode("utf-16-le")),
    "zeros": lambda line: raw(b"\0\0\0\n"),
    "two_mib": lambda line: raw(b'{"type":"' + b"x" * 2097152 + b'"}\n'),
    "deep": lambda line: raw(b"[" * 500000 + b"\n"),
    "twice_a_key": lambda line: say('{"type":"decide",' + line[1:]),
    "nan": lambda line: say(line.replace('"seq"', '"steps":NaN,"seq"', 1)),
    "slow": lambda line: (time.sleep(5), say(line)),
    "drip": lambda line: [(say(letter, end=""), time.sleep(0.1)) for letter in line],
    "dies_over_it": lambda line: die(7),
    "killed_over_it": lambda line: os.kill(os.getpid(), signal.SIGKILL),
    "closes_stdin": lambda line: (os.close(0), hold()),
    "empty": lambda line: say(""),
    "stops_over_it": lambda line: os.kill(os.getpid(), signal.SIGSTOP),
    "exits_well": lambda line: die(0),
    "closes_behind": lambda line: (say(line), os.close(1), hold()),
    "child_answers": child_answers,
    "in_pieces": lambda line: (say(line[:20], end=""), time.sleep(0.1), say(line[20:])),
    "number_huge": lambda line: say('{"type":"decide","seq":1e400}'),
    "digits": lambda line: say('{"type":"decide","seq":' + "9" * 5000 + "}"),
    "deep_right": lambda line: say(line[:-1] + ',"x":' + "[" * 9999 + "]" * 9999 + "}"),
    "comma": lambda line: say(line[:-1] + ",}"),
    "comment": lambda line: say(line + " // so far"),
    "surrogate": lambda line: say(line[:-1] + r',"state":"\ud800"}'),
    "one_mib": lambda line: say(line.ljust(1048576)),
    "over_one_mib": lambda line: say(line.ljust(1048577)),
    "crlf": lambda line: say(line, end="\r\n"),
}


def known():
    """Every way."""
    return [*AT_START, *TO_HELLO, *TO_WORLD, *TO_BATCH, *WRITES]


def good_answer(message):
    if message["type"] == "hello":
        return TO_HELLO[WAY] if WAY in TO_HELLO else hello_ok(
            protocol="1.1" if WAY in NEWER else "1.0")
    if message["type"] == "world":
        return TO_WORLD.get(WAY, ready())
    if message["type"] == "batch":
        seq = message["seq"]
        if WAY in TO_BATCH and (seq > 1 or WAY == "loops"):
            return TO_BATCH[WAY](seq)
        if any(event["type"] == "workers_finished" for event in message["events"]):
            return with_command(seq, {"type": "complete", "id": seq})
        return started(seq) if seq == 1 else {"type": "decide", "seq": seq,
                                              "watch": {"futures": {"epoch": 1}}}
    return {"type": "reset_ok" if message["type"] == "reset" else "bye"}


def main():
    AT_START.get(WAY, lambda: None)()
    while True:
        line = sys.stdin.readline()
        if not line:
            break
        message = json.loads(line)
        answer = json.dumps(good_answer(message))
        if WAY in WRITES and message["type"] == "batch" and message["seq"] > 1:
            WRITES[WAY](answer)
        else:
            say(answer)


if __name__ == "__main__":
    main()
