# SPDX-License-Identifier: MIT
"""Programs and folders that nobody writes by hand: the program ends soon, by itself, with an answer."""
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
SECONDS = 20  # of processor time, for anything here; one is enough without sanitizers

HEAD = "import os, torch\nfrom nobody_knows import u\n"
LATE = """
import os, torch
torch.cuda.init()
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:128"
"""


def nested(line, depth, last):
    return "".join(" " * i + line + "\n" for i in range(depth)) + " " * depth + last + "\n"


def twice(define, depth=40, last="os.environ['A'] = 'b'"):
    """Functions each of which calls the next one twice."""
    return "".join(define.format(i, i + 1) for i in range(depth)) + f"def f{depth}(): {last}\nf0()\n"


def joined(pattern, count, separator=""):
    return separator.join(pattern.format(i) for i in range(count))


DEEP = {
    name: "x = " + opening * 20000 + "u" + closing * 20000
    for name, opening, closing in [
        ("parentheses", "(", ")"), ("lists", "[", "]"), ("never closed", "[{(", ""), ("calls", "f(", ")"),
        ("subscripts", "a[", "]"), ("dictionaries", "{1: ", "}"), ("not", "not ", ""), ("minus", "-", ""),
        ("lambdas", "lambda: ", ""), ("conditionals", "1 if u else ", ""), ("sums", "1 + ", ""),
        ("attributes", "", ".a"), ("methods", "", ".a()"), ("splats", "[*", "]"), ("walrus", "(y := ", ")"),
        ("comparisons", "u < ", ""), ("templates", 'f"{', '}"'), ("assignments", "x = ", ""),
    ]
}
LONG = {
    "statements": "x = 1\n" * 200000,
    "functions": "def f(): pass\n" * 50000,
    "one line": "x = '" + "a" * 3000000 + "'",
    "one list": "x = [" + '{"a": 1, "b": [None]},' * 20000 + "]",
    "elif": "if u: pass\n" + joined("elif u == {0}: x{0} = {0}\n", 10000),
    "match": "match u:\n" + joined("    case {0}: x{0} = {0}\n", 10000),
    "with": "with " + joined("u as a{0}", 20000, ", ") + ": pass",
    "clauses": "x = [1 " + "for a in u " * 5000 + "if u " * 5000 + "]",
    "decorators": "@u\n" * 20000 + "def f(): pass\n",
    "handlers": "try:\n    raise u\n" + joined("except E{0}: x = {0}\n", 10000),
    "comments": "class A:\n" + "    # old\n" * 20000 + "    x = 1\n",
    "continued lines": "x = 1 " + "\\\n" * 50000,
    "globals": "def f():\n    global " + joined("a{0}", 20000, ", ") + "\n" + joined("    a{0} = 1\n", 20000) + "f()\n",
    "attributes in lines": "x = torch\n" + "x = x.attribute\n" * 50000,
    "imports": joined("import a{0}\n", 20000),
    "imports never closed": "# from a import (\n" * 100000 + "import as,\\\n" * 100000,
    "variables": joined('os.environ["A{0}"] = "1"\n', 3000) + "def f():\n    if u: torch.cuda.init()\n" + "f()\n" * 5000,
    "late writes": "torch.cuda.init()\n" + joined('os.environ["CUDA_VISIBLE_DEVICES"] = "{0}"\n', 20000),
    "errors": "def class " * 40000,
    "suppressions": "# vramlint: ignore-file[x]\n" * 50000 + "x = 1 " + "# vramlint: ignore[a]" * 20000,
    "option strings": 'os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "' + "max_split_size_mb:128," * 20000 + '"',
}
GROWING = {
    "texts": "x = 'ab'\n" + "x = x + x\nx = f'{x}{x}'\nx = x.join([x, x])\nx = x.replace('a', x)\nx = '%s%s' % (x, x)\n" * 30,
    "lists": "x = [1, 2]\n" + "x = x + x\nx += x\nx.extend(x)\n" * 30 + "x.insert(0, 1)\nx.pop(0)\n" * 3000,
    "dictionaries": "d = {" + joined('"a{0}": 1,', 5000) + "}\n" + "d.items()\ndict(d)\n" * 5000,
    "loops": nested("for a in range(1000):", 40, "torch.cuda.init()"),
    "calls": twice("def f{0}():\n    f{1}(); f{1}()\n"),
    "calls that differ": twice("def f{0}(x=0):\n    f{1}(x + 1); f{1}(x * 2)\n", last="u()"),
    "tries": twice("def f{0}():\n    try: f{1}()\n    except u: f{1}()\n    finally: f{1}()\n"),
    "generators": twice("def f{0}():\n    yield from f{1}()\n    yield from f{1}()\n") + "list(f0())\n",
    "branches": "def f():\n" + joined("    if u:\n        x{0} = {0}\n        return {0}\n", 60) + "f()\n",
    "processes": "import multiprocessing as mp\ndef f():\n" + "    mp.Process(target=f).start()\n" * 20 + "f()\n",
    "modules": "l = []\n" + "l.append(l)\n" * 300 + "torch.nn.Sequential(l).cuda()\n",
    "bases": "class A0(u): pass\n" + joined("class A{0}(A0, A0): pass\n", 2)
             + "".join(f"class A{i}({', '.join([f'A{i - 1}'] * 10)}): pass\n" for i in range(1, 14)) + "A13().x\n",
}  # fmt: skip
CIRCLES = {
    "functions": "def f(x): g(x); g(x)\ndef g(x): f(x); f(x)\nf(u)\n",
    "classes": "class A(B): pass\nclass B(A): pass\nclass A(B): pass\nA().x; B.y\n",
    "methods": "class A:\n    def __getattr__(self, n): return self.zzz\n    def __iter__(self): return A()\n"
               "    def __len__(self): return len(self)\n    def __eq__(self, o): return self == o\n"
               "a = A()\na.x; len(a); a == a\nfor x in a: pass\n",
    "lists": "l = []\nl.append(l)\nstr(l); l in l; sorted(l)\nfor x in l:\n    for y in x: pass\n",
    "tuples": "t = ()\n" + "t = (t, t)\n" * 20000 + "try: raise ValueError\nexcept t: pass\n",
    "generators": "def g():\n    yield from g()\nfor x in g(): pass\n",
    "managers": "class A:\n    def __enter__(self):\n        with self: pass\nwith A(): pass\n",
    "keys": 'd = {"\\x01": 1, "\\x0199999999\\x09": 2}\nfor k, v in d.items(): k()\n',
    "numbers": "for q in range(9223372036854775806, 9223372036854775807, 100): pass\n"
               "x = -9223372036854775807 - 1\nx // -1; -x; 1 // 0; [1][x]\n",
}  # fmt: skip
BYTES = {
    "nothing": b"", "one bracket": b"(", "a mark": b"\xef\xbb\xbf", "no UTF-8": b"caf\xe9 = '\xff\xfe'\n",
    "quotes": b"'''\n\"\n" * 50000, "form feeds": b"\f\n" * 50000,
    "old Python": b'print "a"\nexec "x"\nraise E, "a"\n`x`\nx <> y\n' * 2000, "carriage returns": b"import torch\rx = 1\r" * 1000,
    "a conflict": b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> branch\n" * 5000, "tabs": b"if u:\n\tx = 1\n        y = 2\n" * 2000,
    "keywords": b"if else for while def class return try except finally with lambda ( [ {\n" * 3000,
}  # fmt: skip
NO_TEXT = {"NUL": b"\0" * 100000, "UTF-16": "import torch\n".encode("utf-16")}


class HostileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(os.path.realpath(folder.name))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def check(self, *paths, statuses=(0, 1)):
        command = [PROGRAM, "check", "--isolated", "--level", "note", "--output-format", "json", *paths]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=30 * SECONDS)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertIn(done.returncode, statuses, done.stderr[-2000:])
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, SECONDS)

    def check_each(self, programs, **options):
        for name, program in programs.items():
            with self.subTest(name):
                is_text = isinstance(program, str)
                self.write("a.py", HEAD + program + LATE if is_text else program)
                self.check("a.py", **options)

    def test_deep_programs(self):
        self.check_each(DEEP)
        self.check_each({line: nested(line, 500, "pass") for line in ("if u:", "def f():", "class A:", "while u:")})
        handler = "try:\n  pass\nexcept RuntimeError as e:\n"
        levels = "".join(" " * i + "if a:\n" for i in range(1, 600))
        self.check_each({"a handler": handler + levels + " " * 600 + "'a' in e\n"})

    def test_long_programs(self):
        self.check_each(LONG)

    def test_growing_programs(self):
        self.check_each(GROWING)

    def test_programs_in_circles(self):
        self.check_each(CIRCLES)

    def test_other_bytes(self):
        self.check_each(BYTES)
        self.check_each(NO_TEXT, statuses=(2,))

    def test_packages_in_circles(self):
        for i in range(60):
            star = f"from .m{(i + 1) % 60} import *\nfrom .m{(i + 7) % 60} import *\nimport torch\nx{i} = 1\n"
            self.write(f"p/m{i}.py", star)
            self.write(f"p/q{i}/__init__.py", f"import p.q{(i + 1) % 60}\nfrom .. import q{(i * 7) % 60}\n")
        self.write("p/__init__.py", "from . import *\nfrom .m0 import *\nfrom . import q0\n")
        self.write("main.py", "import p.q1\nfrom p import *\n" + LATE)
        self.write("main/__init__.py", "from ..... import x\nimport main.main\n")
        self.check(".")

    def test_files_that_are_none(self):
        self.write("d/main.py", "import self, fifo, zero, gone, loop.loop.d, closed\n" + LATE)
        self.write("d/closed.py", LATE)
        for name, target in {"self.py": "self.py", "zero.py": "/dev/zero", "gone.py": "/nowhere", "loop": "."}.items():
            os.symlink(target, self.folder / "d" / name)
        os.mkfifo(self.folder / "d/fifo.py")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.folder / "d/socket.py"))
        os.chmod(self.folder / "d/closed.py", 0)
        self.check("d", statuses=(1,))
        self.check("d/fifo.py", "d/self.py", "d/socket.py", "d", statuses=(2,))


if __name__ == "__main__":
    unittest.main()
