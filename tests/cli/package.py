# SPDX-License-Identifier: MIT
"""The sdist and the wheel that pip makes of this checkout, around the program given.

The sdist is used where neither npm nor Debian's libraries are, as far as this user may hide them.
`./dev wheels` builds it to the end; here a few of its sources stand for all. Skipped (77) where pip
gets no packages.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
VERSION = re.search(r"^project\(vramlint VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(),
                    re.MULTILINE)[1]
NOT_IN_SDIST = ("vscode-extension/", ".ci/")
OBJECTS = ["vramlint_toml", "tree_sitter_core", "tree_sitter_yaml",
           "CMakeFiles/vramlint_cli.dir/src/cli/app.cpp.o",
           "CMakeFiles/vramlint_output.dir/src/output/formats/json.cpp.o"]
HIDE = """
for folder in /usr/include/CLI /usr/include/fmt /usr/include/nlohmann /usr/include/toml++; do
  [ ! -d "$folder" ] || mount --bind "$0" "$folder"
done
npm=$(command -v npm) && mount --bind /dev/null "$(readlink -f "$npm")"
exec "$@"
"""


def call(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
    if done.returncode != 0:
        raise AssertionError(f"{words[0]} … failed:\n{done.stdout}")
    return done.stdout


def make_environment(folder, *packages):
    call(sys.executable, "-m", "venv", folder)
    if packages:
        call(folder / "bin/pip", "install", "--quiet", *packages)
    return folder / "bin"


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(os.path.realpath(holder.name))
        (cls.folder / "nothing").mkdir()
        try:
            cls.tools = make_environment(cls.folder / "tools", "build==1.6.1")
        except AssertionError as failure:
            print(failure)
            sys.exit(77)
        checkout = cls.copy_checkout()
        call(cls.tools / "python", "-m", "build", "--sdist", "--outdir", cls.folder, checkout)
        (cls.sdist,) = cls.folder.glob("*.tar.gz")
        with tarfile.open(cls.sdist) as archive:
            archive.extractall(cls.folder)
            cls.contents = {name.partition("/")[2] for name in archive.getnames()}
        cls.sources = cls.folder / f"vramlint-{VERSION}"

    @classmethod
    def copy_checkout(cls):
        """So that tests of two builds may run side by side."""
        checkout = cls.folder / "checkout"
        cls.files = call("git", "ls-files", "--cached", "--others", "--exclude-standard",
                         "--deduplicate", cwd=ROOT).splitlines()
        cls.files = [file for file in cls.files if (ROOT / file).exists()]
        for file in cls.files:
            (checkout / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, checkout / file)
        fetched = "grammars/node_modules"
        shutil.copytree(ROOT / fetched, checkout / fetched, symlinks=True)
        return checkout

    def call_bare(self, *words):
        can_hide = os.geteuid() == 0 and shutil.which("unshare") is not None
        hidden = ["unshare", "-m", "sh", "-c", HIDE, self.folder / "nothing"] if can_hide else []
        return call(*hidden, *words)

    def test_sdist_is_complete(self):
        wanted = {file for file in self.files if not file.startswith(NOT_IN_SDIST)}
        self.assertEqual(wanted - self.contents, set())
        binaries = [name for name in self.contents if name.endswith((".node", ".wasm", ".so"))]
        self.assertEqual(binaries, [])

    def test_sdist_compiles_alone(self):
        build = self.folder / "build"
        self.call_bare("cmake", "-S", self.sources, "-B", build, "-G", "Ninja",
                       "-DVRAMLINT_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Debug",
                       f"-DVRAMLINT_KNOWLEDGE_COMPILER={PROGRAM.parent}/knowledge_compiler")
        self.call_bare("ninja", "-C", build, *OBJECTS)

    def test_wheel_gives_the_command(self):
        self.call_bare(self.tools / "pip", "wheel", "--no-deps", "--wheel-dir", self.folder,
                       f"--config-settings=cmake.define.VRAMLINT_PROGRAM={PROGRAM}", self.sdist)
        (wheel,) = self.folder.glob("*.whl")
        self.assertRegex(wheel.name, rf"^vramlint-{VERSION}-py3-none-linux_\w+\.whl$")
        with zipfile.ZipFile(wheel) as archive:
            notices = archive.read(f"vramlint-{VERSION}.dist-info/licenses/THIRD_PARTY_NOTICES.txt")
        for name in (b"libcli11-dev", b"libfmt-dev", b"tree-sitter-python", b"tree-sitter-yaml"):
            self.assertIn(b"==== " + name, notices)
        scripts = make_environment(self.folder / "fresh", "--no-index", wheel)
        self.assertEqual(call(scripts / "vramlint", "--version"), f"vramlint {VERSION}\n")
        command = [scripts / "vramlint", "check", "--output-format", "concise", "examples"]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("VRL101", done.stdout)


if __name__ == "__main__":
    unittest.main()
