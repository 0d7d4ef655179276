#!/usr/bin/env python3
"""What the rules must find, and what they must not: a row a snippet."""
import json
import sys

sys.dont_write_bytecode = True

import run
from tree import File, Finding

LIBRARIES = [
    File("policies/api/CMakeLists.txt", "aftershock_library(api DEPS)"),
    File("sim/engine/CMakeLists.txt", "aftershock_library(engine DEPS fmt::fmt)"),
    File("sim/world/CMakeLists.txt", "aftershock_library(world DEPS aftershock::engine)"),
    File("sim/engine/drive.h", "#pragma once\n"),
    File("sim/engine/drive.cpp", '#include "sim/engine/drive.h"\n#include <fmt/format.h>\n'),
    File("sim/world/world.h", '#pragma once\n#include "sim/engine/drive.h"\n'),
    File("reports/ledger/ledger.h", "#pragma once\n"),
]

FACTS = File("docs/sources/ray.md",
             "# Ray\n\n## 1.5 Polls\n\n- **D3.** So.\n\n| A8 | so |\n\n## Decision 8: units\n")

HEADER = "#pragma once\n\nnamespace aftershock::sim {\n\n"
LONG = "void f() {\n" + "  g();\n" * 80 + "}\n"


def a_scenario(source, seeds=None, notes=()):
    return json.dumps({"faults": [{"source": {source: {}}}], "notes": list(notes),
                       **({} if seeds is None else {"check": {"seeds": seeds}})})


# rule, path, text, what it must find (part of it; None: nothing).
ROWS = [
    ("arrows", "policies/api/a.h", '#include "sim/engine/drive.h"\n', "policies knows sim"),
    ("arrows", "policies/api/a.h", '#include "reports/ledger/ledger.h"\n', "knows reports"),
    ("arrows", "reports/ledger/a.h", '#include "policies/api/a.h"\n', "reports knows policies"),
    ("arrows", "policies/api/a.h", '#include "base/assert.h"\n', "in a header of policies"),
    ("arrows", "policies/api/a.cpp", '#include "base/assert.h"\n', None),
    ("arrows", "base/a.h", '#include "reports/ledger/ledger.h"\n', "base knows reports"),
    ("arrows", "gui/a.cpp", '#include "sim/engine/drive.h"\n', "gui knows sim"),
    ("arrows", "sim/world/a.cpp", '#include "tests/unit/a.h"\n', "sim knows tests"),
    ("arrows", "sim/world/a.cpp", '#include "reports/ledger/ledger.h"\n', None),
    ("arrows", "sim/world/a.cpp", '// #include "gui/a.h"\n', None),
    ("arrows", "sim/world/a.cpp", "#include <simgrid/s4u.hpp>\n", "SimGrid outside"),
    ("arrows", "sim/engine/a.cpp", "#include <simgrid/s4u.hpp>\n", "SimGrid outside"),
    ("arrows", "sim/engine/simgrid/a.cpp", "#include <simgrid/s4u.hpp>\n", None),

    ("dependencies", "sim/world/a.cpp", '#include "sim/engine/drive.h"\n', None),
    ("dependencies", "sim/engine/a.cpp", '#include "sim/world/world.h"\n',
     "without aftershock::world"),
    ("dependencies", "sim/world/a.cpp", "#include <fmt/format.h>\n", "without fmt::fmt"),
    ("dependencies", "sim/world/CMakeLists.txt",
     "aftershock_library(world DEPS aftershock::engine zstd::libzstd_shared)",
     "includes nothing of it"),
    ("dependencies", "sim/engine/CMakeLists.txt",
     "aftershock_library(engine DEPS fmt::fmt aftershock::world)", "in a ring"),

    ("includes", "sim/world/a.h", "namespace a {}\n", "no include guard"),
    ("includes", "sim/world/a.cpp", '#include "drive.h"\n', "does not start at the root"),
    ("includes", "sim/world/a.cpp", '#include "../engine/drive.h"\n', "does not start"),
    ("includes", "sim/world/a.cpp", '#include "sim/engine/drive.cpp"\n', "is no header"),
    ("includes", "sim/world/a.cpp", "#include <sim/engine/drive.h>\n", "angle brackets"),
    ("includes", "sim/world/a.cpp", "#include <map>\n#include <map>\n", "second time"),
    ("includes", "sim/engine/drive.cpp", '#include <map>\n#include "sim/engine/drive.h"\n',
     "does not come first"),
    ("includes", "policies/api/a.cpp", "#include <chrono>\n", "<chrono> in policies"),
    ("includes", "policies/api/a.cpp", "#include <sys/socket.h>\n", "in policies"),
    ("includes", "policies/api/a.cpp", "#include <random>\n", "in policies"),
    ("includes", "policies/api/a.cpp", "#include <map>\n", None),
    ("includes", "sim/cli/a.cpp", "#include <chrono>\n", None),

    ("file_length", "sim/world/a.cpp", "\n" * 401, "401 lines"),
    ("file_length", "sim/world/a.cpp", "\n" * 400, None),
    ("file_length", "sim/world/a.cpp", LONG, "f has 82 lines"),
    ("file_length", "README.md", "\n" * 200, "fewer than 200"),
    ("file_length", "README.md", "\n" * 199, None),
    ("file_length", "docs/a.md", "\n" * 200, None),
    ("file_length", "tests/data/a.txt", "x" * 150_001, "150001 bytes"),
    ("columns", "sim/world/a.cpp", "// " + "x" * 98 + "\n", "101 columns"),
    ("columns", "sim/world/a.cpp", 'auto a = R"(' + "x" * 100 + ')";\n', None),
    ("columns", "tests/a.sh", "expect 0 '" + "x" * 100 + "'\n", None),

    ("forbidden", "sim/world/a.cpp", "std::uniform_int_distribution<int> d(1, 6);\n", "differs"),
    ("forbidden", "tests/unit/a.cpp", "std::normal_distribution<> d;\n", "differs"),
    ("forbidden", "tests/unit/a.cpp", "void f() { std::shuffle(a, b, c); }\n", "differs"),
    ("forbidden", "sim/world/a.cpp", "boost::random::uniform_01<double> d();\n", "other numbers"),
    ("forbidden", "sim/world/a.cpp", "#include <boost/math/special_functions/gamma.hpp>\n",
     "other numbers"),
    ("forbidden", "sim/world/a.cpp", "#include <boost/container/flat_map.hpp>\n", None),
    ("forbidden", "tests/unit/a.cpp", "boost::random::uniform_01<double> d();\n", None),
    ("forbidden", "sim/world/a.h", "long double share();\n", "another type"),
    ("forbidden", "policies/parts/a.cpp", "auto f() { return std::pow(2.0, 0.5); }\n", "last bits"),
    ("forbidden", "sim/world/a.cpp", "auto f() { return log10(2.0); }\n", "last bits"),
    ("forbidden", "sim/world/a.cpp", "auto f() { return std::sqrt(2.0) + book.log(1); }\n", None),
    ("forbidden", "sim/sweep/splitting.cpp", "auto f(long double a) { return std::exp(a); }\n",
     None),
    ("forbidden", "reports/statistics/a.cpp", "auto f() { return std::exp(2.0); }\n", None),
    ("forbidden", "sim/world/a.cpp", "// no std::normal_distribution here\n", None),
    ("forbidden", "sim/world/a.cpp", 'const auto* a = "std::random_device";\n', None),
    ("forbidden", "sim/world/a.cpp", "int f() { return rand(); }\n", "without a key"),
    ("forbidden", "sim/world/a.cpp", "int f() { return operand(); }\n", None),
    ("forbidden", "sim/sweep/a.cpp", "int f() { return ::fork(); }\n", "by itself"),
    ("forbidden", "sim/sweep/a.cpp", "int f() { return waitpid(1, nullptr, 0); }\n", "by itself"),
    ("forbidden", "sim/sweep/a.cpp", "void f() { crew->wait(1); wait(2); }\n", None),
    ("forbidden", "sim/processes/a.cpp", "int f() { return ::fork(); }\n", None),
    ("forbidden", "sim/world/a.cpp", "std::mt19937 f();\n", "without a key"),
    ("forbidden", "tests/unit/a.cpp", "std::mt19937_64 f();\n", None),
    ("forbidden", "sim/world/a.cpp", "auto f() { return std::chrono::system_clock::now(); }\n",
     "a wall clock"),
    ("forbidden", "policies/api/a.cpp", "auto f() { return time(nullptr); }\n", "a wall clock"),
    ("forbidden", "policies/api/a.cpp", "auto f() { return world.time(nullptr); }\n", None),
    ("forbidden", "sim/world/a.cpp", "std::unordered_map<int, int> f();\n", "its order"),
    ("forbidden", "tests/unit/a.cpp", "std::unordered_map<int, int> f();\n", None),
    ("forbidden", "sim/world/a.cpp", "std::set<const Node*> f();\n", "addresses order it"),
    ("forbidden", "sim/world/a.cpp", "std::map<int, Node*> f();\n", None),
    ("forbidden", "sim/world/a.cpp", "thread_local const int a = 1;\n", "state shared"),
    ("forbidden", "sim/engine/a.h", "void push(std::function<void()> f);\n", "a closure"),
    ("forbidden", "sim/world/a.cpp", "void f() { assert(true); }\n", "off in release"),
    ("forbidden", "sim/world/a.cpp", "void f() { AFTERSHOCK_ASSERT(true); }\n", None),
    ("forbidden", "sim/world/a.cpp", "static_assert(true);\n", None),
    ("forbidden", "sim/world/a.cpp", "auto f() { return new Node; }\n", "memory by hand"),
    ("forbidden", "sim/world/a.cpp", "struct A { A(const A&) = delete; };\n", None),
    ("forbidden", "sim/world/a.h", "float f();\n", "24 bits"),
    ("forbidden", "policies/api/a.h", "struct A { double wait_s = 0; };\n", "floating-point time"),
    ("forbidden", "reports/ledger/a.h", "struct A { double ettr = 0; };\n", None),
    ("forbidden", "sim/world/a.cpp", "using namespace std;\n", "from elsewhere"),
    ("forbidden", "sim/world/a.cpp", "int counter = 0;\n", "counter: a global that changes"),
    ("forbidden", "sim/world/a.cpp", "namespace {\nint counter{0};\n}\n", "counter: a global"),
    ("forbidden", "sim/world/a.cpp", "constexpr int kCount = 0;\n", None),
    ("forbidden", "sim/world/a.cpp", "struct A { int counter = 0; };\n", None),
    ("forbidden", "sim/world/a.cpp", "struct A { static int counter; };\n", "counter: a global"),
    ("forbidden", "sim/world/a.cpp", "int f() {\n  static int n = 0;\n  return ++n;\n}\n",
     "n: a static that changes"),
    ("forbidden", "sim/world/a.cpp", "int f() { static const int n = 0; return n; }\n", None),
    ("forbidden", "sim/world/a.cpp", "int f() { return static_cast<int>(2.5); }\n", None),
    ("forbidden", "sim/world/a.cpp", "void f() { std::cout << 1; }\n", "prints"),
    ("forbidden", "sim/cli/a.cpp", "void f() { std::cout << 1; }\n", None),
    ("forbidden", "sim/world/a.cpp", "void f() { std::clog << 1; }\n", "prints"),
    ("forbidden", "sim/world/a.cpp", "auto t = [] { return ::time(nullptr); };\n", "a wall clock"),
    ("forbidden", "sim/world/a.cpp", "void f() { g(std::getenv(name)); }\n", "no argument shows"),
    ("forbidden", "sim/a.cpp", "void f() { g(nlohmann::json::parse(b)); }\n", "a compiler seconds"),
    ("forbidden", "tests/unit/a.cpp", "void f() { g(b->dump(1)); }\n", "takes a compiler"),
    ("forbidden", "sim/world/a.cpp", "void f() { g(json_from_text(b)); }\n", None),
    ("forbidden", "sim/world/a.cpp", "void f() { std::_Exit(3); }\n", "ends the caller"),
    ("forbidden", "sim/world/a.cpp", "void f() { std::terminate(); }\n", "ends the caller"),

    ("documented", "sim/a.h", HEADER + "struct A {};\n", "type A"),
    ("documented", "sim/a.h", HEADER + "/// A thing.\nstruct A {};\n", None),
    ("documented", "sim/a.h", HEADER + "struct A;\nclass B;\n", None),
    ("documented", "sim/a.h", HEADER + "enum class A { kOne };\n", "type A"),
    ("documented", "sim/a.h", HEADER + "using Id = int;\n", "name Id"),
    ("documented", "sim/a.h", HEADER + "int f(int a);\n", "function f"),
    ("documented", "sim/a.h", HEADER + "int f(int a);  ///< Does it.\n", None),
    ("documented", "sim/a.h", HEADER + "/// Both.\nint f(int a);\nint g(int a);\n", None),
    ("documented", "sim/a.h", HEADER + "/// One.\nint f(int a);\n\nint g(int a);\n", "function g"),
    ("documented", "sim/a.h", HEADER + "template <class T>\nT f(T a) { return a; }\n",
     "function f"),
    ("documented", "sim/a.h", HEADER + "/// A.\ntemplate <class T>\nT f(T a);\n", None),
    ("documented", "sim/a.h",
     HEADER + "/// A.\nclass A {\n public:\n  void f();\n\n private:\n  void g();\n};\n",
     "function f"),
    ("documented", "sim/a.h", HEADER + "/// A.\nclass A {\n  void g();\n};\n", None),
    ("documented", "sim/a.h",
     HEADER + "/// A.\nstruct A {\n  A() = default;\n  explicit A(int a);\n  ~A();\n"
     "  int f() override;\n  int size() const;\n  int b() const { return b_; }\n  int b_ = 0;\n"
     "  void (*call)(int a) = nullptr;\n};\n", None),
    ("documented", "sim/a.h", HEADER + "namespace detail {\nint f();\n}\n", None),
    ("documented", "sim/a.cpp", "int f() { return 1; }\n", None),
    ("documented", "tests/unit/a.h", HEADER + "int f();\n", None),

    ("text", "sim/a.cpp", "int a;\t\n", "a tab"),
    ("text", "policies/external/hosts/a/a.go", "func a() {\n\treturn\n}\n", None),
    ("text", "policies/external/hosts/a/a.go", "x :=\t1\n", "a tab"),
    ("top_level", "policies/external/hosts/a/a.go", "package a\n", None),
    ("top_level", "policies/api/a.go", "package a\n", "no source"),
    ("text", "sim/a.cpp", "int a; \n", "white space"),
    ("text", "sim/a.cpp", "int a;", "the end"),
    ("text", "README.md", "One.\n\n", "the end"),
    ("text", "docs/notes.md", "One.\n\n", "the end"),
    ("text", "sim/a.cpp", "// TO" "DO: later\n", "a mark for later"),
    ("text", "README.md", "Look into /ho" "me/me/tree.\n", "a path of one machine"),
    ("text", "tests/a.sh", 'cat "$dir/tmp/x"\n', None),
    ("text", "README.md", "From https://mirror.example.org/simple.\n", "the host"),
    ("text", "README.md", "From http://10.0.0.1/x.\n", "the host"),
    ("text", "README.md", "See https://simgrid.org for it.\n", None),
    ("text", "sim/a.cpp", "//=====================\n", "a banner"),
    ("text", "sim/a.cpp", "// ---- helpers ----\n", "a banner"),
    ("forbidden", "sim/a.h", "template <class T>\nconcept Has = requires { T::f(); };\n", None),
    ("forbidden", "sim/a.cpp", "template class Box<int>;\n", None),
    ("text", "sim/a.cpp", "// f(a, b);\n", "code in a comment"),
    ("text", "sim/a.cpp", "//  const int a = 3;\n", "code in a comment"),
    ("text", "sim/a.cpp", "// if (a) {\n", "code in a comment"),
    ("text", "sim/a.cpp", "// return a;\n", "code in a comment"),
    ("text", "sim/a.cpp", "// A restart gets only durable();\n", None),
    ("text", "sim/a.cpp", "// If (and only if) it is late, it waits;\n", None),
    ("text", "sim/a.cpp", "int a;  // NOLINT\n", "NOLINT of everything"),
    ("text", "sim/a.cpp", "// NOLINTNEXTLINE(bugprone-x)\nint a;\n", "without a reason"),
    ("text", "sim/a.cpp", "// NOLINTNEXTLINE(bugprone-x): it is so\nint a;\n", None),
    ("text", "sim/a.cpp", "// NOLINTBEGIN(bugprone-x): so\n", "without end"),
    ("text", "sim/a.cpp", 'const auto* a = "// f(a);";\n', None),

    ("english", "sim/a.cpp", "// What is left waits.\n", "begins with What"),
    ("english", "sim/a.cpp", "// The job stops. Who waits goes on.\n", "begins with Who"),
    ("english", "sim/a.cpp", "// The job stops.\n// Whoever waits\n// goes on.\n",
     "a.cpp:2: a sentence begins with Whoever"),
    ("english", "gui/a.h", "int a;  ///< Whose phase it is.\n", "begins with Whose"),
    ("english", "sim/a.cpp", "// The cut: Whom it hits.\n", "begins with Whom"),
    ("english", "gui/a.h", "int a;  ///< whose phase it is\n", "begins with whose"),
    ("english", "gui/a.h", "int a;  ///< its phase\n/// What it has.\nint b;\n", "a.h:2"),
    ("english", "sim/a.cpp", "// What does it cost?\n", None),
    ("english", "sim/a.cpp", "// What does it cost? The job pays.\n", None),
    ("english", "sim/a.cpp", "// The ranks say what is left.\n", None),
    ("english", "sim/a.cpp", "// A node that is no spare.\n", '"is no"'),
    ("english", "sim/a.cpp", "// A node that is\n// no spare.\n", '"is no"'),
    ("english", "sim/a.cpp", "// A rank is no longer there, and there is no spare.\n", None),
    ("english", "sim/a.cpp", "// No later than that: it is no later.\n", None),
    ("english", "sim/a.cpp", "// A phase of who waits.\n", '"of who"'),
    ("english", "sim/a.cpp", "// Nodes, who is there, and ranks.\n", '"who is"'),
    ("english", "sim/a.cpp", "// A user who is told.\n", None),
    ("english", "sim/a.cpp", 'f("{}: is no page");\n', '"is no"'),
    ("english", "sim/a.cpp", 'f("{}: is "\n  "no page");\n', '"is no"'),
    ("english", "sim/a.cpp", 'f("it cannot be had");\n', "is unavailable"),
    ("english", "sim/a.cpp", 'f(R"(What is left.)");\n', "begins with What"),
    ("english", "sim/a.cpp", 'f("what is left");\n', None),
    ("english", "sim/a.cpp", "// A policy from elsewhere.\n", "external policy"),
    ("english", "policies/README.md", "A job.\n\n* What is left.\n", "README.md:3"),
    ("english", "policies/README.md", "| What it is | A job |\n", "begins with What"),
    ("english", "policies/README.md", "```text\nWhat is left\n```\n", None),
    ("english", "reports/a.js", "// What a page has.\n", "begins with What"),
    ("english", "sim/a/CMakeLists.txt", "# What is linked.\n", "begins with What"),

    ("names", "sim/world/a.h", HEADER + "struct A {\n};\nstruct A {\n};\n", "is declared in"),
    ("names", "sim/world/a.h", HEADER + "struct A;\nstruct A {\n};\nstruct B : A {\n};\n", None),
    ("namespaces", "sim/world/a.h", HEADER + "struct A {\n};\n}  // namespace aftershock::sim\n",
     "its folder's is aftershock::sim::world"),
    ("namespaces", "tests/unit/sim/import/a_test.cpp",
     "namespace aftershock::sim::import {\nint a;\n}  // namespace aftershock::sim::import\n",
     "its folder's is aftershock::sim::imports"),
    ("namespaces", "sim/world/a.h", HEADER + "class A;\nenum class B : int;\n"
     "}  // namespace aftershock::sim\n", None),
    ("namespaces", "sim/scenario/keys/a.h", "namespace aftershock::sim::scenario::keys {\nint a;\n"
     "}  // namespace aftershock::sim::scenario::keys\n", None),

    ("top_level", "notes.md", "x\n", "at the top level"),
    ("top_level", ".gitattributes", "x\n", None),
    ("top_level", "tests/scratch/a.cpp", "x\n", "scratch in tests/"),
    ("top_level", "sim/world/World.cpp", "x\n", "its name"),
    ("top_level", "sim/world/notes.txt", "x\n", "no source"),
    ("top_level", "docs/notes.txt", "x\n", "no page"),
    ("top_level", "docs/notes.md", "x\n", None),

    ("tested", "sim/lonely/a.cpp", "x\n", "sources without a test"),
    ("tested", "sim/lonely/a.h", "x\n", None),
    ("tested", "tests/unit/sim/gone/a_test.cpp", "x\n", "a test of no folder"),

    ("scripts", "tests/cli/none.sh", "echo\n", "no #! line"),
    ("scripts", "tests/cli/none.sh", "#!/usr/bin/env bash\nset -u\nif\n", "bash cannot read it"),
    ("scripts", "tests/cli/none.sh", "#!/usr/bin/env bash\necho\n", "set -u"),
    ("scripts", "tests/cli/none.sh", "#!/usr/bin/env bash\nset -euo pipefail\n", None),
    ("scripts", "tests/cli/none.sh", "#!/bin/sh\nset -u\n", "#!/bin/sh"),

    ("shipped", "scenarios/a.json", a_scenario("rate"), "over 0 seeds"),
    ("shipped", "scenarios/a.json", a_scenario("rate", seeds=1), "over 1 seeds"),
    ("shipped", "scenarios/a.json", a_scenario("rate", seeds=2), None),
    ("shipped", "scenarios/a.json", a_scenario("maintenance"), None),
    ("shipped", "scenarios/a.json", a_scenario("occurrences"), None),
    ("shipped", "scenarios/a.json", '{"extends": "reference_54_days.json", "check": null}',
     "over 0 seeds"),
    ("shipped", "scenarios/a.json", '{"extends": "reference_54_days.json"}', None),
    ("shipped", "scenarios/llama3_9_days.json", a_scenario("rate", seeds=99), "at least 100"),
    ("shipped", "scenarios/meta/a.json", a_scenario("rate", seeds=8), "at least 100"),
    ("shipped", "scenarios/meta/a.json", a_scenario("rate", seeds=100), "the notes do not begin"),
    ("shipped", "scenarios/published/a.json",
     a_scenario("rate", seeds=100, notes=["Shows all."]), "the notes do not begin"),
    ("shipped", "scenarios/published/a.json",
     a_scenario("rate", seeds=100, notes=["Shows this. Cannot show that."]), None),
    ("shipped", "tests/validation/a.json", a_scenario("rate"), None),

    ("sources", "sim/a.cpp", "// It waits (ray.md 1.5).\n", None),
    ("sources", "sim/a.cpp", "// It waits (ray.md 1.5 and 1.9).\n", "ray.md has no 1.9"),
    ("sources", "sim/a.cpp", "// It waits (ray.md 2.\n", "ray.md has no 2"),
    ("sources", "sim/a.cpp", "/// It waits (ray.md\n/// 1.9).\n", "ray.md has no 1.9"),
    ("sources", "sim/a.cpp", 'f("It waits (ray.md "\n  "1.9)");\n', "ray.md has no 1.9"),
    ("sources", "sim/a.cpp", "// It waits (ray.md section 3).\n", "ray.md has no 3"),
    ("sources", "sim/a.cpp", "// It waits (ray.md 1.5, rule 7). 3 times.\n", None),
    ("sources", "sim/a.cpp", "// Its readings are rows (ray.md A8, D3).\n", None),
    ("sources", "sim/a.cpp", "// Its readings are rows (ray.md A8; A9).\n", "ray.md has no A9"),
    ("sources", "sim/a.cpp", "// The units of ray.md decision 8, and more.\n", None),
    ("sources", "sim/a.cpp", "// The units of ray.md decision 9.\n", "ray.md has no 9"),
    ("sources", "sim/a.cpp", "// It waits (gone.md).\n", "gone.md is not in docs/sources/"),
    ("sources", "sim/a.cpp", "// It waits (ray.md, timeline).\n", None),
    ("sources", "sim/a.cpp", "// It waits (reference ray.md 1.5).\n", "reference ray.md"),
    ("sources", "sim/a.cpp", "// It waits (reference\n// ray.md 1.5).\n", "reference ray.md"),
    ("sources", "sim/a.cpp", "// It waits (reference/ray.md 1.5).\n", "reference/ray.md by"),
    ("sources", "sim/a.cpp", "// The page docs/scenarios.md has them.\n", None),
    ("sources", "sim/a.cpp", "// The page README.md tells more.\n", None),
    ("sources", "tests/a.py", 'write("out.md")\n', None),
    ("sources", "tests/a.py", '"""As out.md 1.5 says."""\n', "out.md is not in docs/sources/"),
    ("sources", "tests/a.jsonl", '{"why": "ray.md 1.9"}\n', "ray.md has no 1.9"),
]


def main():
    failed = 0
    for rule, path, text, wanted in ROWS:
        files = [File(path, text)]
        if rule in ("dependencies", "includes"):
            files = [file for file in LIBRARIES if file.path != path] + files
        if rule == "sources":
            files.append(FACTS)
        said = [str(finding) for finding in run.RULES[rule](files)]
        right = any(wanted in line for line in said) if wanted else not said
        if not right:
            failed += 1
            print(f"FAILED {rule} on {text!r}: wanted {wanted!r}, found {said}")
    untested = set(run.RULES) - {row[0] for row in ROWS}
    if untested:
        failed += 1
        print(f"FAILED: no row for {' '.join(sorted(untested))}")
    example = str(Finding("a.cpp", 3, "what", "instead"))
    if example != "a.cpp:3: what: instead":
        failed += 1
        print(f"FAILED: a finding reads {example}")
    print(f"{len(ROWS)} rows, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
