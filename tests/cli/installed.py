"""The installed library of policies: the controller of policies/README.md, built as it says."""
import pathlib
import re
import subprocess
import sys
import tempfile

from expecting import PROGRAM, check, failures

BUILD = pathlib.Path(PROGRAM).parent.parent
README = pathlib.Path("policies/README.md")


def block(language):
    return re.search(rf"```{language}\n(.*?)```", README.read_text(), re.S).group(1)


def cached(name):
    """A setting of the build: what is linked must be compiled alike."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return f"-D{name}={found.group(1) if found else ''}"


def do(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, timeout=600)
    check(done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def build_library(folder):
    """The shared object of policies/external/README.md, which decides as the linked policies do."""
    mine = folder / "mine"
    mine.mkdir()
    page = pathlib.Path("policies/external/README.md").read_text()
    (mine / "CMakeLists.txt").write_text(re.search(r"```cmake\n(.*?)```", page, re.S).group(1))
    source = pathlib.Path("policies/external/shared_object/policies.cpp").read_text()
    (mine / "policies.cpp").write_text(source)
    do("cmake", "-S", mine, "-B", mine / "build", f"-DCMAKE_PREFIX_PATH={folder}/prefix",
       cached("CMAKE_CXX_COMPILER"), cached("CMAKE_CXX_FLAGS"))
    do("cmake", "--build", mine / "build")
    contract = re.compile(rb"aftershock_policy_direct 1;[^\0]+")
    alike = [contract.search(pathlib.Path(path).read_bytes()).group()
             for path in (PROGRAM, mine / "build/mine.so")]
    check(alike[0] == alike[1], f"it was built otherwise: {alike}")
    said = [do(PROGRAM, "run", "scenarios/quickstart.json", *words).stdout.rsplit(",", 2)[0]
            for words in ([], ["--policy-lib", mine / "build/mine.so"])]
    check(said[0] == said[1], f"the library decides otherwise:\n{said[1]}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        do("cmake", "--install", BUILD / "policies", "--prefix", folder / "prefix")
        (folder / "CMakeLists.txt").write_text(block("cmake"))
        (folder / "controller.cpp").write_text(block("cpp"))
        do("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={folder}/prefix",
           cached("CMAKE_CXX_COMPILER"), cached("CMAKE_CXX_FLAGS"))
        do("cmake", "--build", folder / "build")
        build_library(folder)
        printed = do(folder / "build/controller").stdout
        check(printed == block("text"), f"it prints\n{printed}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
