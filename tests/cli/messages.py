"""The contract with policies of others: golden transcripts, and the schema of all messages.

`messages.sh update` writes the golden transcripts anew.
"""
import copy
import json
import pathlib
import sys
import tempfile

import jsonschema
import misbehave
from expecting import PROGRAM, check, failures, run

GOLDEN = pathlib.Path("tests/data/transcripts")
PYTHON = "python3 policies/external/python/policy.py"
SHIPPED = f"'{PROGRAM}' policies serve"
NEWER = SHIPPED + " --protocol 1.1"

# Which run each golden transcript is of.
TRANSCRIPTS = {
    "python": ("scenarios/quickstart.json", PYTHON),
    "ray_train_head_lost": ("scenarios/ray/head_lost.json", SHIPPED),
    "ray_tune": ("scenarios/tune/errored_restarted.json", SHIPPED),
    "modelarts": ("scenarios/modelarts/pod_rescheduling.json", SHIPPED),
    "torchrun": ("scenarios/torchrun/agents_count_apart.json", SHIPPED),
}

# Runs whose messages are held to the schema without being kept: other policies, other faults.
OTHERS = [("scenarios/quickstart.json", SHIPPED), ("scenarios/paired.json", PYTHON),
          ("scenarios/faults/one_way_partition.json", SHIPPED),
          ("scenarios/faults/false_alarm.json", SHIPPED),
          ("scenarios/faults/corrupt_checkpoint.json", SHIPPED),
          ("scenarios/jobset/restarts_that_do_not_count.json", SHIPPED),
          ("scenarios/mindcluster/hardware_is_free.json", SHIPPED),
          ("scenarios/kubeflow/one_pod_holds_the_others.json", SHIPPED),
          ("scenarios/modelarts/counters.json", SHIPPED),
          ("scenarios/modelarts/gpu_storm.json", SHIPPED),
          ("scenarios/modelarts/heal_by_class.json", SHIPPED),
          ("scenarios/tune/preempted_while_restoring.json", SHIPPED),
          ("scenarios/quickstart.json", NEWER), ("scenarios/ray/head_lost.json", NEWER),
          ("scenarios/kubeflow/one_pod_holds_the_others.json", NEWER)]

# Answers that are wrong for what was said before, not for their form.
FORM_IS_RIGHT = {"old_protocol", "next_protocol", "bad_state", "decides_early", "refuses",
                 "not_for_jobs", "seq_old", "seq_ahead", "unknown_rule", "unknown_state",
                 "unknown_budget", "saw_nothing", "poll_without_period", "budgets_of_others",
                 "error_late", "gives_up", "loops", "ready_again", "next_minor", "mute",
                 "unheard_feature", "rules_twice", "budgets_twice", "polls_on", "insists",
                 "ranks_back", "seq_float", "state_unknown", "many_words",
                 "minor_word", "persists_early", "persists_untold", "persists_nothing",
                 "error_lines", "error_long", "metrics_early"}


def judge(schema, side):
    return jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": f"#/$defs/{side}"})


def exchanges(path):
    """What was said: pairs of a message and its answer."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [(line["to"], line["from"]) for line in lines if "to" in line]


def record(scenario, command, path):
    run("run", scenario, "--policy-cmd", command, "--transcript", path, "--quiet")


def compare(folder):
    """What is said is what was said, byte by byte."""
    for name, (scenario, command) in TRANSCRIPTS.items():
        said, golden = folder / name, GOLDEN / f"{name}.ndjson"
        record(scenario, command, said)
        check(golden.exists() and said.read_bytes() == golden.read_bytes(),
              f"{golden} is another one; if that is meant: bash tests/cli/messages.sh update")
        run("replay", "--transcript", golden, "--quiet")
    check({path.stem for path in GOLDEN.glob("*.ndjson")} == set(TRANSCRIPTS),
          f"{GOLDEN} holds what nobody records")


def validate(judges, path):
    """All messages have the form; returns one of each type, events and commands apart."""
    kinds = {}
    for asked, answered in exchanges(path):
        for side, message in (("simulator", asked), ("policy", answered)):
            error = jsonschema.exceptions.best_match(judges[side].iter_errors(message))
            check(error is None, f"{path.name}: {error and error.message[:200]} in "
                  f"{error and error.json_path}: {json.dumps(message)[:300]}")
            kinds.setdefault((side, message["type"]), message)
            for event in message.get("events", []) if message["type"] == "batch" else []:
                kinds.setdefault((side, message["type"], event["type"]), message)
            for step in message.get("steps", []):
                for command in step["commands"]:
                    kinds.setdefault((side, message["type"], command["type"]), message)
    return kinds


def spoilt(value):
    """The value with one thing wrong, each way that there is. What is free form is left alone."""
    if isinstance(value, dict):
        yield {**value, "unheard_of": 1}
        for key, member in value.items():
            if key not in ("config", "env", "durable"):
                for other in spoilt(member):
                    yield {**value, key: other}
    elif isinstance(value, list):
        yield {}
        yield value + [True]
        for at, element in enumerate(value[:2]):
            for other in spoilt(element):
                yield value[:at] + [other] + value[at + 1:]
    elif isinstance(value, bool):
        yield "yes"
    elif isinstance(value, int):
        yield from (str(value), value + 0.5, 2 ** 64, -(2 ** 31) - 1)
    elif isinstance(value, str):
        yield 7
    else:
        yield [value]


def refuse(judges, kinds):
    """What is not a message is refused: real ones with one thing wrong, and what programs say."""
    tried = 0
    for (side, *_), message in kinds.items():
        for wrong in spoilt(copy.deepcopy(message)):
            tried += 1
            check(not judges[side].is_valid(wrong), f"accepted: {json.dumps(wrong)[:300]}")
        without = {key: value for key, value in message.items() if key != "type"}
        check(not judges[side].is_valid(without), f"accepted without type: {message['type']}")
    check(tried > 1000, f"only {tried} spoilt messages were tried")
    ways = {**misbehave.TO_HELLO, **misbehave.TO_WORLD,
            **{way: answer(2) for way, answer in misbehave.TO_BATCH.items()}}
    for way, answer in ways.items():
        check(judges["policy"].is_valid(answer) == (way in FORM_IS_RIGHT),
              f"misbehave.py {way}: the schema says otherwise of {json.dumps(answer)[:200]}")


def main():
    if sys.argv[1:] == ["update"]:
        for name, (scenario, command) in TRANSCRIPTS.items():
            record(scenario, command, GOLDEN / f"{name}.ndjson")
        return 0
    schema = json.loads(run("policies", "schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    judges = {side: judge(schema, side) for side in ("simulator", "policy")}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compare(folder)
        kinds = {}
        for golden in sorted(GOLDEN.glob("*.ndjson")):
            kinds.update(validate(judges, golden))
        for number, (scenario, command) in enumerate(OTHERS):
            record(scenario, command, folder / str(number))
            kinds.update(validate(judges, folder / str(number)))
        refuse(judges, kinds)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
