"""Version 1.1 of the messages beside 1.0: news that is heard, when, and how much is the same."""
import json
import pathlib
import sys
import tempfile

from expecting import PROGRAM, check, failures, has, run

# PROTOCOL WAKES PERSISTS: polls every 10 s, waits 30 s for an answer, and gives up over a failure
# of its workers; over a failure of a node, or of a start, it stops the rest and asks for nodes for
# at most 60 s. With WAKES it has itself woken each second.
LISTENER = '''
import json, sys
PROTOCOL, WAKES, PERSISTS = sys.argv[1], sys.argv[2] == "wakes", sys.argv[3]
epoch = number = 0

def command(**what):
    global number
    number += 1
    return {"id": number, **what}

def start():
    global epoch
    epoch += 1
    return [command(type="start_attempt", epoch=epoch, workers=8, placement_wait_us=60000000),
            command(type="persist")]

def commands(event):
    global epoch
    kind = event["type"]
    if kind == "controller_started":
        epoch = event["epoch"]
    if kind in ("job_submitted", "workers_stopped"):
        return start()
    if kind == "workers_finished":
        return [command(type="complete")]
    if event.get("kind") == "node_lost" or (kind == "attempt_start_failed" and
                                            event["stage"] != "placement"):
        return [command(type="stop_workers", epoch=epoch)]
    if kind in ("workers_failed", "attempt_start_failed"):
        return [command(type="fail", reason="gave_up(listener)")]
    return []

for line in sys.stdin:
    message = json.loads(line)
    answer = {"type": "bye"}
    if message["type"] == "hello":
        answer = {"type": "hello_ok", "protocol": PROTOCOL, "features": ["durable"]}
    elif message["type"] == "world":
        answer = {"type": "ready", "name": "listener", "rules": [{"id": "listener"}],
                  "commits_checkpoints": False}
        if PERSISTS not in ("unsaid", "metrics"):
            answer["persists"] = json.loads(PERSISTS)
    elif message["type"] == "ask":
        answer = {"type": "answer", "what": "durable", "durable": {"kept": 1}}
    elif message["type"] == "batch":
        steps = [{"commands": commands(event)} for event in message["events"]]
        watch = {"poll": {"epoch": epoch, "period_us": 10000000, "answer_wait_us": 30000000,
                          "unanswered_limit_us": LIMIT}}
        if PERSISTS == "metrics":
            watch["metrics"] = {"epoch": epoch}
        if WAKES:
            watch["wake_us"] = message["t_us"] + 1000000
        answer = {"type": "decide", "seq": message["seq"], "steps": steps, "watch": watch}
    print(json.dumps(answer), flush=True)
'''
SECOND = 1_000_000


def scenario(*faults, **job):
    named = [{"id": f"fault-{number}", **fault} for number, fault in enumerate(faults)]
    return {"schema": 1, "name": "small", "seed": 1, "until": "2h",
            "cluster": {"pools": [{"name": "gpu", "nodes": 2,
                                   "accelerators": {"kind": "gpu", "per_node": 4}}]},
            "jobs": [{"name": "llm", "pool": "gpu", "workers": 8, "steps": 100, "step": "10s",
                      "policy": {"name": "mine"}, **job}],
            "faults": named}


def heard(folder, what, protocol="1.1", wakes=False, persists="unsaid", limit=3600):
    """The simulator's messages of the run of that scenario."""
    (folder / "listener.py").write_text(LISTENER.replace("LIMIT", str(limit * SECOND)))
    (folder / "small.json").write_text(json.dumps(what))
    talk = folder / "talk.ndjson"
    run("run", folder / "small.json", "--quiet", "--transcript", talk, "--policy-cmd",
        f"python3 {folder}/listener.py {protocol} {'wakes' if wakes else 'sleeps'} '{persists}'",
        code=None)
    run("replay", "--transcript", talk, "--quiet")
    lines = [json.loads(line) for line in talk.read_text().splitlines()]
    # The first conversation only asks whether it takes the configuration.
    return [line["to"] for line in lines if line.get("policy", 0) > 0]


def batches(messages):
    return [message for message in messages if message["type"] == "batch"]


def events(messages, kind):
    return [(batch, event) for batch in batches(messages) for event in batch["events"]
            if event["type"] == kind]


# Faults, and when a policy that polls hears of the crash, in seconds. Polls are at 0, 10, 20, ...
# s. A process that ends at 603 s is seen by the poll at 610 s. With another that answers nothing
# from 303 s on the poll at 310 s waits to 340 s; the next begins at 350 s, is the first to ask
# behind 345 s, and is read at 380 s.
CRASH = {"kind": "worker_crash", "target": "job:llm/rank:0"}
SEEN = [([{**CRASH, "at": "603s"}], 610),
        ([{"kind": "hang", "answers": False, "target": "job:llm/rank:1", "at": "303s"},
          {**CRASH, "at": "345s"}], 380)]


def wakes_show_nothing(folder):
    """Who has itself woken between two polls sees what it would have seen without."""
    for faults, seconds in SEEN:
        for wakes in (False, True):
            said = heard(folder, scenario(*faults), wakes=wakes)
            first = next(iter(events(said, "workers_failed")), (None, None))[0]
            check(first is not None and first["t_us"] == seconds * SECOND and first.get("poll"),
                  f"{faults}, wakes {wakes}: {first}")
            for batch in batches(said):
                kinds = {event["type"] for event in batch["events"]}
                if batch["t_us"] % (10 * SECOND) != 0:
                    check(kinds == {"timer"} and "poll" not in batch, f"between polls: {batch}")


def says_what_is_a_poll(folder):
    said = batches(heard(folder, scenario(), wakes=True))
    polls = {batch["t_us"] // SECOND for batch in said if batch.get("poll")}
    # Trained at 1000 s, which the poll of that moment shows; it is asked first at 0 s, when there
    # is nothing to poll yet.
    check(polls == set(range(10, 1001, 10)), f"polls at {sorted(polls)}")


def tells_of_metrics(folder):
    """A step takes 10 s: each poll at 10, 20, ... s tells of one more, until a rank hangs."""
    hang = {"kind": "hang", "target": "job:llm/rank:1", "at": "303s"}
    said = heard(folder, scenario(hang), persists="metrics")
    told = [(batch["t_us"] // SECOND, event["step"], event["ranks"], batch.get("poll"))
            for batch, event in events(said, "metrics_reported")]
    check(told == [(10 * step, step, [[0, 7]], True) for step in range(1, 31)], f"told {told}")
    check(not events(heard(folder, scenario(hang)), "metrics_reported"), "told without a watch")


def says_what_is_released(folder):
    lost = {"kind": "node_crash", "target": "node:gpu-1", "at": "300s"}
    said = heard(folder, scenario(lost), limit=60)
    stopped = [event.get("released") for _, event in events(said, "workers_stopped")]
    unplaced = [(event["stage"], event.get("released"))
                for _, event in events(said, "attempt_start_failed")]
    check(stopped == [["processes", "placement"]], f"stopped: {stopped}")
    check(unplaced == [("placement", ["request"])], f"unplaced: {unplaced}")
    crash = {**CRASH, "at": "30s", "during": "construction"}
    said = heard(folder, scenario(crash, phases={"launching": "60s"}))
    early = [(event["stage"], event.get("released"))
             for _, event in events(said, "attempt_start_failed")]
    stopped = [event.get("released") for _, event in events(said, "workers_stopped")]
    check(early == [("construction", None)], f"early: {early}")
    check(stopped == [["processes", "placement"]], f"stopped: {stopped}")


def first_version(message):
    """What one of 1.0 hears in its place."""
    if message["type"] == "world":
        return {key: value for key, value in message.items() if key != "protocol"}
    if message["type"] == "batch":
        plain = [{key: value for key, value in event.items() if key != "released"}
                 for event in message["events"]]
        return {**{key: value for key, value in message.items() if key != "poll"},
                "events": plain}
    return message


def first_version_stays(folder):
    lost = {"kind": "node_crash", "target": "node:gpu-1", "at": "300s"}
    for what in (scenario(), scenario(lost)):
        old = heard(folder, what, protocol="1.0", wakes=True, limit=60)
        new = heard(folder, what, protocol="1.1", wakes=True, limit=60)
        check(old != new and [first_version(message) for message in new] == old,
              "1.0 hears another thing than 1.1 without what 1.1 adds")
        check(new[1].get("protocol") == "1.1" and "protocol" not in old[1], f"{new[1]}, {old[1]}")


def shipped_decide_the_same(folder):
    served = f"'{PROGRAM}' policies serve"
    for name in ("scenarios/quickstart.json", "scenarios/ray/head_lost.json"):
        recordings = []
        for version in ("1.0", "1.1"):
            recording = folder / f"{version}.aftershock"
            run("run", name, "--quiet", "--record", recording, "--policy-cmd",
                f"{served} --protocol {version}")
            recordings.append(recording.read_bytes())
        check(recordings[0] == recordings[1], f"{name}: another run")
    done = run("run", "scenarios/quickstart.json", "--quiet", "--policy-cmd",
               served + " --protocol 2.0", code=5)
    has(done.stdout + done.stderr, '--protocol "2.0": expected 1.0 or 1.1')


def honours_what_it_persists(folder):
    killed = {"kind": "policy_crash", "target": "job:llm", "at": "500s", "lasts": "30s"}
    for persists, durable in (("unsaid", '{"kept":1}'), ('["what it kept"]', '{"kept":1}'),
                              ("[]", "")):
        said = heard(folder, scenario(killed, run={"name": "r"}, checkpoint={"every": "100s"}),
                     persists=persists)
        told = [event["durable"] for _, event in events(said, "controller_started")]
        check(told == ["", durable], f"persists {persists}: {told}")
        asked = any(message["type"] == "ask" for message in said)
        check(asked == bool(durable), f"persists {persists}: asked {asked}")


ENVIRONMENT = [
    (["--policy-env", "MINE=a b=c", "--policy-env", "EMPTY="], "MINE a b=c, EMPTY  set, TZ UTC"),
    (["--policy-env", "TZ=Asia/Tokyo"], "MINE , EMPTY , TZ Asia/Tokyo"),
]
WRONG = [(["MINE"], '"MINE": expected NAME=VALUE'), (["=x"], "expected NAME=VALUE"),
         (["1A=x"], "expected NAME=VALUE"), (["A-B=x"], "expected NAME=VALUE"),
         ([""], "empty|NAME"),
         (["A=1", "A=2"], "the variable A is there twice")]


def has_its_environment(folder):
    quick = "scenarios/quickstart.json"
    script = folder / "says.sh"
    script.write_text('echo "MINE $MINE, EMPTY $EMPTY${EMPTY+ set}, TZ $TZ" >&2\nexit 3\n')
    for words, text in ENVIRONMENT:
        done = run("run", quick, "--policy-cmd", f"sh {script}", *words, code=5)
        has(done.stdout + done.stderr, text)
    for variables, text in WRONG:
        words = [word for variable in variables for word in ("--policy-env", variable)]
        done = run("run", quick, "--quiet", "--policy-cmd", "cat", *words, code=2)
        check(any(part in done.stderr for part in text.split("|")), f"{words}: {done.stderr}")
    has(run("run", quick, "--policy-env", "A=1", code=2).stderr,
        "--policy-env, without --policy-cmd: serves installed code, and the scenario has none")
    has(run("run", quick, "--policy-lib", "x.so", "--policy-env", "A=1", code=2).stderr,
        "stands alone")
    # The command that is shown to look at a run has them, as a shell takes them.
    script.write_text("sed -u 4q | exec python3 policies/external/python/policy.py\n")
    done = run("sweep", quick, "--runs", 2, "--out", folder / "s.sqlite", "--policy-cmd",
               f"sh {script}", "--policy-env", "MINE=a b", code=5)
    has(done.stdout + done.stderr, "--policy-env 'MINE=a b'")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in (wakes_show_nothing, says_what_is_a_poll, tells_of_metrics,
                     says_what_is_released,
                     first_version_stays, shipped_decide_the_same, honours_what_it_persists,
                     has_its_environment):
            test(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
