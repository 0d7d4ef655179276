"""Constructs that would cost determinism, copyable worlds or plain reading."""
import dataclasses
import re

import cpp
from tree import ROOMS, Finding

_EVERYWHERE = ROOMS + ("tests",)
# The rooms in which a bit decides what happens next.
_DECIDES = ("policies/", "sim/")
# Statistics of sim that decide nothing: laws that are fitted for a person to choose from, and the
# intervals around an estimate.
_FOR_PEOPLE = ("sim/import/fit_laws.cpp", "sim/sweep/splitting.cpp")


@dataclasses.dataclass(frozen=True)
class Ban:
    pattern: str
    what: str
    instead: str
    # Paths that begin so; benchmarks measure host time and are of no room.
    where: tuple = _EVERYWHERE
    but: tuple = ()


_BANS = (
    Ban(r"\bstd::\w+_distribution\b|\bstd::(shuffle|sample|generate_canonical|random_shuffle)\b",
        "differs between C++ libraries", "in sim draw by sim/chance/draws.h, in a test "
        "take the engine's numbers modulo"),
    Ban(r"\blong\s+double\b",
        "another type on other processors", "double, by functions of sim/chance where it takes any",
        where=_DECIDES, but=_FOR_PEOPLE),
    Ban(r"(?<![\w.>])(std::)?(log|log2|log10|log1p|exp|exp2|expm1|pow|cbrt|hypot|fma|a?sinh?|"
        r"a?cosh?|a?tanh?|atan2|erfc?|[lt]gamma)[fl]?\s*\(",
        "its last bits differ between C libraries and processors",
        "logarithm, exponential, power, gamma_function of sim/chance",
        where=_DECIDES, but=_FOR_PEOPLE),
    Ban(r"\bboost/(random|math)/|\bboost::(random|math)\b", "other numbers with another Boost",
        "the laws of sim/chance/laws.h and sim/chance/of_laws.h", where=_DECIDES, but=_FOR_PEOPLE),
    Ban(r"\brandom_device\b|\bdefault_random_engine\b|(?<![\w.>])s?rand(_r|48)?\s*\(",
        "chance without a key", "RandomDraw of sim/chance/random_draw.h; a test seeds "
        "std::mt19937_64"),
    Ban(r"<random>|\bmt19937", "chance without a key", "RandomDraw of sim/chance/random_draw.h",
        where=ROOMS),
    Ban(r"\b(system|steady|high_resolution|utc|file)_clock\b|\bgettimeofday\b|\bclock_gettime\b|"
        r"\bstd::time\b|((?<![\w.>:])|(?<![\w>])::)time\s*\(\s*(nullptr|NULL|0|&)|\bstd::clock\b|"
        r"(?<![\w>])::clock\s*\(|"
        r"\b(localtime|gmtime)(_r)?\b|\bstrftime\b|\btimespec_get\b|__(DATE|TIME|TIMESTAMP)__",
        "a wall clock", "time is an argument: int64 microseconds since the start",
        # Elapsed host time, for the last line of the summary and for progress; real processes.
        but=("sim/cli/run/run.cpp", "sim/cli/many_runs.cpp", "sim/live/driver.cpp",
             "tests/benchmark/", "gui/", "tests/gui/")),
    Ban(r"\bunordered_(multi)?(map|set)\b", "its order depends on the library",
        "std::map, or a sorted vector", where=("policies/", "reports/", "sim/")),
    Ban(r"\bstd::(multi)?(map|set)<[^<>,]*\*", "addresses order it", "key by index or name"),
    Ban(r"\bstd::hash\b|\bhash_combine\b", "differs between C++ libraries",
        "named of sim/chance/random_draw.h or RollingHash of reports/recording/hash.h"),
    Ban(r"\bthread_local\b|\bstd::(jthread|thread|async|mutex|atomic)\b",
        "state shared behind the caller's back", "runs are parallel as processes",
        where=("policies/", "reports/", "sim/"), but=("sim/sweep/", "sim/control/external/")),
    Ban(r"\bstd::(move_only_)?function\b", "a closure in a world cannot be copied or recorded",
        "a plain value: kind, entity, epoch, argument",
        where=("sim/engine/", "sim/world/", "sim/workload/", "sim/cluster/", "sim/faults/",
               "sim/detection/"),
        # The work of a child process.
        but=("sim/engine/isolate",)),
    Ban(r"(?<![\w.])assert\s*\(|<cassert>|<assert\.h>", "off in release builds",
        "AFTERSHOCK_ASSERT for our own bugs, an error value for others'"),
    Ban(r"(?<![\w.])(new\b(?!\s*>)|delete\b|(std::)?(malloc|calloc|realloc|free)\s*\()",
        "memory by hand", "a value, a container or std::make_unique",
        # GoogleTest takes the factory of a registered test as a pointer.
        but=("tests/conformance/conformance_test.cpp", "gui/", "tests/gui/")),
    Ban(r"\bfloat\b", "24 bits", "an integer, or double for a ratio", but=("gui/", "tests/gui/")),
    Ban(r"\bdouble>?&?\s+\w*(time|_us|_s|_ms|seconds|duration|deadline|elapsed)\b",
        "a floating-point time", "int64 microseconds, name ending in _us",
        where=("policies/", "reports/recording/", "reports/ledger/")),
    Ban(r"\busing\s+namespace\s+std\b", "names from elsewhere", "name what is used"),
    Ban(r"\b(goto|setjmp|longjmp|volatile)\b", "surprises the reader",
        "say it with ordinary control flow and types"),
    Ban(r"\bcatch\s*\(\s*\.\.\.\s*\)", "swallows our own bugs", "name what may be thrown",
        where=("policies/", "reports/", "sim/"),
        # An exception of a user's library has no name here.
        but=("sim/control/external/policy_library",)),
    Ban(r"\b(secure_)?getenv\s*\(", "a setting that no argument shows", "an argument",
        where=("policies/", "reports/", "sim/"), but=("sim/cli/",)),
    Ban(r"\bstd::(cout|cerr|clog)\b|\bfputs\s*\(|\bfwrite\s*\(|"
        r"(?<![\w.])(std::)?f?printf\s*\(|\bfmt::print\b|\bputs\s*\(",
        "prints from the inside", "return a value; sim/cli prints",
        where=("policies/", "reports/", "sim/"),
        but=("sim/cli/",)),
    Ban(r"\b\w*[jJ]son(Value)?::parse\s*\(|(\.|->)dump\s*\(",
        "every source that parses or writes JSON takes a compiler seconds",
        "json_from_text, json_or_discarded, text_from_json",
        but=("policies/api/json_as_text.cpp", "reports/json/json_as_text.cpp",
             # It looks at every key, and only there.
             "policies/api/json_read.cpp",
             # It compares with what nlohmann's writer leaves out.
             "tests/unit/reports/json/json_writer_test.cpp")),
    Ban(r"\b(_e|_E|e)xit\s*\(|\babort\s*\(|\bquick_exit\b|\bterminate\s*\(",
        "ends the caller's process",
        "return an error; AFTERSHOCK_ASSERT for our own bugs",
        where=("policies/", "reports/", "sim/"),
        but=("sim/cli/", "sim/processes/process.cpp",
             # It turns the end that a library makes of the process into an error.
             "sim/control/external/policy_library.cpp")),
    Ban(r"(?<![\w.>])(v?fork|posix_spawnp?|exec[lv]p?e?|wait(pid|id|3|4)|pidfd_open|popen)\s*\(|"
        r"\bSYS_(pidfd_open|clone3?)\b",
        "starts or waits for a process by itself",
        "start_process, start_program and wait_for of sim/processes",
        where=("policies/", "reports/", "sim/"),
        # The viewer takes the place of the command.
        but=("sim/processes/", "sim/cli/inspect/view.cpp")),
)

# Function-local state that outlives the call, with the reason.
_STATICS = {
    ("sim/engine/sharing.cpp", "used"): "SimGrid has one engine a process; this asserts it",
    ("sim/control/external/policy_library.cpp", "now"): "what runs at exit takes no argument",
}


def forbidden(files):
    for file in files:
        if file.is_cpp and file.path.startswith(_EVERYWHERE):
            yield from _bans(file)
            yield from _globals(file)


def _bans(file):
    code, _ = cpp.split(file.text)
    code = re.sub(r"=\s*delete\b|\boperator (new|delete)\b", lambda m: " " * len(m.group()), code)
    for ban in _BANS:
        if file.path.startswith(ban.where) and not file.path.startswith(ban.but or ("\0",)):
            for found in re.finditer(ban.pattern, code):
                name = " ".join(found.group().split())
                yield Finding(file.path, file.line_at(found.start()), f"{name}: {ban.what}",
                              ban.instead)


def _globals(file):
    # Concepts and explicit instantiations are not variables.
    constant = re.compile(r"\b(const|constexpr|concept)\b|^(extern|template (class|struct))\b")
    instead = "make it const, or a value that is passed"
    for found in cpp.declarations(file.text):
        if found.kind == "variable" and not constant.search(found.text) and (
                found.scope == "namespace" or re.match(r"(inline )?static\b", found.text)):
            yield Finding(file.path, found.line, f"{found.name}: a global that changes", instead)
        if found.kind != "function":
            continue
        for local in re.finditer(r"(?<!\w)static\s+(?!const\b|constexpr\b)[^;={(]*?(\w+)\s*[;={(]",
                                 found.body):
            if (file.path, local.group(1)) not in _STATICS:
                line = found.signature_end + found.body.count("\n", 0, local.start())
                yield Finding(file.path, line, f"{local.group(1)}: a static that changes", instead)
