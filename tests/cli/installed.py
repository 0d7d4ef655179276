"""The installed library of policies: the controller of policies/README.md and the shared object of
policies/external/shared_object/README.md, built and run as they say."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append("tests/lint")
sys.dont_write_bytecode = True
import docs
from expecting import PROGRAM, check, failures
from tree import File

BUILD = pathlib.Path(PROGRAM).parent.parent
README = pathlib.Path("policies/README.md")
SHARED = pathlib.Path("policies/external/shared_object")
PYTHON = "python3 policies/external/python/policy.py"

# The questions to the policies to copy, with the exit code: they end alike in C++ and in Python.
ALIKE = [
    (0, "scenarios/quickstart.json"),
    (0, "scenarios/ring16.json"),
    (0, "scenarios/paired.json"),
    (1, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failures=1"),
    (0, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failures=-1"),
    (0, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config={}"),
    (2, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failure=9"),
    (2, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failures=-2"),
    (2, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failures=true"),
    (2, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/max_failures=2.5"),
    (2, "scenarios/quickstart.json", "--set", "/jobs/0/policy/config/a~1b=3"),
]


def block(language, page=README):
    return re.search(rf"```{language}\n(.*?)```", page.read_text(), re.S).group(1)


def cached(name):
    """A setting of the build: what is linked must be compiled alike."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found.group(1) if found else ""


def do(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, timeout=600)
    check(done.returncode == code, f"{words}: exit {done.returncode}, wanted {code}: "
          f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def build(folder):
    do("cmake", "-S", folder, "-B", folder / "build",
       f"-DCMAKE_PREFIX_PATH={os.environ['HOME']}/aftershock-policies")
    do("cmake", "--build", folder / "build")


def follow_page(home):
    """The page of a policy in C++, command by command; gives its library as first built."""
    (home / "build").symlink_to(BUILD)
    for part in ("scenarios", "policies/external"):
        shutil.copytree(part, home / part)
    page, first = File(str(SHARED / "README.md")), home / "first.so"
    for line, language, comment, _, body in docs.blocks(page.text):
        if language == "cmake":
            (home / "mine/CMakeLists.txt").write_text("\n".join(body))
        elif language == "console":
            for finding in docs.run_block(page, line, comment, body, home):
                check(False, finding)
        if not first.exists() and (home / "mine/build/mine.so").exists():
            shutil.copy(home / "mine/build/mine.so", first)
    found = (home / "junit.xml").read_text().count("<failure")
    check(found == 4, f"{found} failures in junit.xml")
    return first


def ends_alike(library):
    """The C++ policy to copy and the Python one differ in their states, and in nothing else."""
    told_apart = re.compile(r' *"(hash|vendor_state|decision|elapsed_s)": .*\n')
    for code, *words in ALIKE:
        cpp, python = (do(PROGRAM, "run", "--json", *words, *carrier, code=code)
                       for carrier in (("--policy-lib", library), ("--policy-cmd", PYTHON)))
        said = [told_apart.sub("", made.stdout) + made.stderr for made in (cpp, python)]
        wanted = '"attempts":' if code != 2 else "/jobs/0/policy/config/"
        check(said[0] == said[1] and wanted in said[0],
              f"{words}: in C++\n{said[0]}\nin Python\n{said[1]}")


def refuses_debug(home):
    """Containers of another kind than the package's are told of when the library is linked."""
    if "_GLIBCXX_DEBUG" in cached("CMAKE_CXX_FLAGS"):
        return
    debug = home / "mine/debug"
    do("cmake", "-S", home / "mine", "-B", debug, "-DCMAKE_CXX_FLAGS=-D_GLIBCXX_DEBUG",
       f"-DCMAKE_PREFIX_PATH={home}/aftershock-policies")
    made = subprocess.run(["cmake", "--build", debug], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    check(made.returncode != 0 and "undefined reference to `aftershock::policies" in made.stdout,
          f"with _GLIBCXX_DEBUG: {made.returncode}, {made.stdout[-2000:]}")


def is_asked_directly(library):
    contract = re.compile(rb"aftershock_policy_direct 1;[^\0]+")
    alike = [contract.search(pathlib.Path(path).read_bytes()).group()
             for path in (PROGRAM, library)]
    check(alike[0] == alike[1], f"it was built otherwise: {alike}")


def build_shipped(folder):
    """The shipped policies as a shared object, which decides as the linked ones do."""
    shipped, library = folder / "shipped", folder / "shipped/build/mine.so"
    shipped.mkdir()
    (shipped / "CMakeLists.txt").write_text(block("cmake", SHARED / "README.md"))
    shutil.copy(SHARED / "policies.cpp", shipped / "mine.cpp")
    build(shipped)
    is_asked_directly(library)
    said = [do(PROGRAM, "run", "scenarios/quickstart.json", *words).stdout.rsplit(",", 2)[0]
            for words in ([], ["--policy-lib", library])]
    check(said[0] == said[1], f"the library decides otherwise:\n{said[1]}")


def build_controller(folder):
    controller = folder / "controller"
    controller.mkdir()
    (controller / "CMakeLists.txt").write_text(block("cmake"))
    (controller / "controller.cpp").write_text(block("cpp"))
    build(controller)
    printed = do(controller / "build/controller").stdout
    check(printed == block("text"), f"it prints\n{printed}")


def main():
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        # The generator is one that the build has; the pages leave it to the reader's CMake.
        os.environ.update(HOME=name, CXX=cached("CMAKE_CXX_COMPILER"), LC_ALL="C.UTF-8", TZ="UTC",
                          CXXFLAGS=cached("CMAKE_CXX_FLAGS"), CMAKE_GENERATOR="Ninja")
        library = follow_page(home)
        is_asked_directly(library)
        ends_alike(library)
        refuses_debug(home)
        build_shipped(home)
        build_controller(home)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
