# SPDX-License-Identifier: MIT
"""Writes what a fuzzer begins with: seeds.py ENTRY FOLDER.

Python, notebooks and the sessions of an editor come from the cases of the rule pages, everything else from the
strings in the unit tests.
"""

import ast
import hashlib
import json
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASE = r"^```{}[^\n]*\n(.*?)^```"
CELL = re.compile(r"^# cell: (\w+)\n", re.MULTILINE)
FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)
CARETS = re.compile(r"^#\s*\^.*\n", re.MULTILINE)
# Strings that C++ would join, blanks and line ends between them.
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')

PATHS = {
    "python": ["main.py", "a.py", "b/__init__.py", "b/a.py"],
    "prefilter": ["main.py", "a.py", "b/__init__.py"],
    "fix": ["main.py", "a.py"],
}
TESTS = {
    "allocator_string": ["settings_*", "allocator_*"],
    "arguments": ["config_test"],
    "baseline": ["baseline_test"],
    "project_file": ["project_files_*", "dockerfile_*", "inference_*", "config_test", "yaml_*"],
    "settings_file": ["config_test"],
    "yaml": ["yaml_*", "project_files_*"],
}
# Languages of the cases of rule pages that launch programs.
LAUNCHES = {
    "shell": "shell",
    "dockerfile": "dockerfile",
    "launch_yaml": "yaml",
    "dotenv": "dotenv",
    "systemd": "systemd",
    "configuration": "json",
    "batch": "bat",
    "powershell": "powershell",
}
KINDS = 15  # of project files; the first byte picks one


def cases_in(language: str):
    fence = re.compile(CASE.format(language), re.MULTILINE | re.DOTALL)
    for page in sorted(ROOT.glob("rules/*/*.md")):
        for case in fence.findall(page.read_text()):
            yield CARETS.sub("", case)


def cases():
    return cases_in("python")


def notebook(cells: list[tuple[str, str]], indent: int | None) -> str:
    """A notebook with a string for each line, or all on one line with a string for each cell."""
    made = []
    for kind, text in cells:
        source = text.splitlines(keepends=True) if indent else text
        made.append({"cell_type": kind, "metadata": {}, "outputs": [{"text": ["torch\n"]}], "source": source})
    metadata = {"language_info": {"name": "python"}}
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}, indent=indent)


def notebooks():
    yield notebook([("code", "import torch")], 1) + "\0\0"
    for indent in (1, None):
        for case in cases():
            yield notebook([("code", part) for part in case.split("\n\n")], indent)
        for case in cases_in("notebook"):
            parts = CELL.split(case)[1:]
            yield notebook(list(zip(parts[::2], parts[1::2])), indent)


def joined(case: str, paths: list[str]) -> str:
    """The files of a case with form feeds between them, under the names that the fuzzer knows."""
    first, *rest = FILE.split(case)
    files = dict(zip(rest[::2], rest[1::2]))
    entry = files.pop("main.py", first if not files else files.pop(next(iter(files))))
    for path, name in zip(files, paths[1:]):
        old, new = pathlib.PurePath(path).stem, name.split("/")[0].removesuffix(".py")
        entry = re.sub(rf"\b{re.escape(old)}\b", new, entry)
    return "\f".join([entry, *files.values()])


def strings(patterns: list[str]):
    for pattern in patterns:
        for test in sorted(ROOT.glob(f"tests/unit/{pattern}.cpp")):
            for found in STRING.findall(test.read_text()):
                try:
                    yield ast.literal_eval(f"({found})")
                except (SyntaxError, ValueError):
                    continue


def traces():
    """A header page and records as in src/cuda/trace_format.h, and a report beside them."""
    header = struct.pack("<8s6I3Q", b"VRLTRACE", 1, 32, 7, 1, 1, 0, 1, 3, 0).ljust(4096, b"\0")
    records = [struct.pack("<3QI4B", time, address, size, 9, call, 0, 0, 0)
               for time, address, size, call in ((1, 16, 1 << 20, 1), (2, 3, 1 << 21, 5), (3, 16, 0, 4))]
    yield (header + b"".join(records)).decode("utf-8", "surrogateescape")
    yield '{"process": 3, "torch": {"memory": [{"num_device_alloc": 1}], "in_force": {"A": true}}}'


def sessions():
    """Each case opened, edited, asked about and closed by an editor: messages with form feeds between them."""
    uri = "file:///a/b.py"
    document = {"uri": uri, "languageId": "python", "version": 1}
    wide = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    able = [
        {"workspace": {"workspaceEdit": {"documentChanges": True}}, "textDocument": {"diagnostic": {}}},
        {"general": {"positionEncodings": ["utf-8"]}, "textDocument": {"hover": {"contentFormat": ["markdown"]}}},
        {"workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}}},
    ]
    for number, case in enumerate(cases()):
        place = {"line": number % 9, "character": number % 50}
        params = {"textDocument": {"uri": uri}, "position": place, "range": wide, "context": {"only": None}}
        capabilities = {**able[number % 3]}
        capabilities.setdefault("textDocument", {})["codeAction"] = {"codeActionLiteralSupport": {}}
        start = {"processId": None, "rootUri": "file:///a", "capabilities": capabilities,
                 "initializationOptions": {"level": "note"}}
        change = {"range": {"start": place, "end": place}, "text": "os.environ['"}
        methods = [f"textDocument/{name}" for name in ("codeAction", "hover", "completion", "diagnostic")]
        messages = [("initialize", start, 1), ("initialized", {}, None),
                    ("textDocument/didOpen", {"textDocument": {**document, "text": case}}, None),
                    *[(method, params, count + 2) for count, method in enumerate(methods)],
                    ("textDocument/didChange",
                     {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}, None),
                    *[(method, params, method) for method in methods],
                    ("codeAction/resolve", {"kind": "source.fixAll.vramlint", "data": {"uri": uri}}, "r"),
                    ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///a/x.toml"}]}, None),
                    ("workspace/didChangeConfiguration", {"settings": {"vramlint": {"ignore": ["order"]}}}, None),
                    ("textDocument/didClose", {"textDocument": {"uri": uri}}, None),
                    ("shutdown", None, "s"), ("exit", None, None)]
        texts = []
        for method, given, answered in messages:
            message = {"jsonrpc": "2.0", "method": method, "params": given}
            texts.append(json.dumps(message if answered is None else {**message, "id": answered}))
        yield "\f".join(texts)
        if number % 10 == 0:
            yield "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts[:4])


def seeds(entry: str):
    if entry == "suppression":
        yield from cases()
        yield from strings(["suppression_*"])
    elif entry == "notebook":
        yield from notebooks()
    elif entry == "trace":
        yield from traces()
    elif entry == "lsp":
        yield from sessions()
    elif entry in PATHS:
        yield from (joined(case, PATHS[entry]) for case in cases())
    elif entry in LAUNCHES:
        yield from cases_in(LAUNCHES[entry])
        yield from strings(["launch_*"])
    elif entry == "settings_file":
        yield from (f"{kind}{text}" for text in strings(TESTS[entry]) for kind in "012")
    elif entry == "project_file":
        texts = [text for text in strings(TESTS[entry]) if len(text) > 8]
        yield from (chr(kind) + text for text in texts for kind in range(KINDS))
    elif entry == "allocator_string":
        yield from ("\0" + text for text in strings(TESTS[entry]))
    else:
        yield from strings(TESTS.get(entry, []))


def main() -> int:
    entry, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for text in seeds(entry):
        data = text.encode("utf-8", "surrogateescape")
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
