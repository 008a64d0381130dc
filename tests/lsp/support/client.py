# SPDX-License-Identifier: MIT
"""A bare client of the language server, for tests: what an editor says, said by hand."""
import collections
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
TIMEOUT = 30

PULLS = {"textDocument": {"diagnostic": {}}}
ACTIONS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}}


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def merged(left, right):
    made = dict(left)
    for key, value in right.items():
        made[key] = merged(made.get(key, {}), value) if isinstance(value, dict) else value
    return made


class Client:
    """Starts a server in a folder. Answers are waited for, notifications are kept."""

    def __init__(self, folder, program=None, **options):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen([program or PROGRAM, "server"], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)
        self.messages = queue.Queue()
        self.notifications = []
        self.requests = []  # of the server
        self.answers = {}
        self.published = {}
        self.published_versions = {}
        self.settings = None  # what `workspace/configuration` is answered with
        self.next_id = 1
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            self._read_messages(self.process.stdout)
        except (OSError, ValueError):  # closed by the test
            self.messages.put(None)

    def _read_messages(self, stream):
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                if not line.strip():
                    break
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(stream.read(length)))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def ask(self, method, **params):
        """Sends a request and does not wait."""
        number = self.next_id
        self.next_id += 1
        self.send({"id": number, "method": method, "params": params})
        return number

    def take(self, timeout=TIMEOUT):
        """One message of the server; None when it has ended."""
        message = self.messages.get(timeout=timeout)
        if message is None:
            self.messages.put(None)
            return None
        if "method" in message and "id" in message:
            self.requests.append(message)
            if message["method"] == "workspace/configuration":
                self.send({"id": message["id"], "result": [self.settings]})
            else:
                self.send({"id": message["id"], "result": None})
        elif "method" in message:
            self.notifications.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                params = message["params"]
                self.published[params["uri"]] = params["diagnostics"]
                self.published_versions[params["uri"]] = params.get("version")
        else:
            self.answers[message["id"]] = message
        return message

    def answer(self, number):
        while number not in self.answers:
            if self.take() is None:
                raise AssertionError("the server has ended")
        return self.answers.pop(number)

    def request(self, method, **params):
        answer = self.answer(self.ask(method, **params))
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def refusal(self, method, **params):
        return self.answer(self.ask(method, **params))["error"]["code"]

    def initialize(self, capabilities=None, folders=None, options=None, **more):
        base = {"textDocument": {"codeAction": ACTIONS, "publishDiagnostics": {"relatedInformation": True}}}
        folders = [self.folder] if folders is None else folders
        params = {
            "processId": os.getpid(),
            "rootUri": None,
            "workspaceFolders": [{"uri": uri_of(folder), "name": "x"} for folder in folders],
            "capabilities": merged(base, capabilities or {}),
            **more,
        }
        if options is not None:
            params["initializationOptions"] = options
        result = self.request("initialize", **params)
        self.notify("initialized")
        return result

    def open(self, name, text=None, language="python", version=1):
        path = self.folder / name
        if text is None:
            text = path.read_bytes().decode()
        uri = uri_of(path)
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": language, "version": version, "text": text})
        return uri

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": version},
                    contentChanges=list(changes))

    def close(self, uri):
        self.notify("textDocument/didClose", textDocument={"uri": uri})

    def until(self, holds):
        """Takes messages until something holds of what was received."""
        while not holds():
            if self.take() is None:
                raise AssertionError("the server has ended")

    def until_published(self, uri, count):
        """Waits for that many findings."""
        self.until(lambda: len(self.published.get(uri, ())) == count)
        return self.published[uri]

    def asked_for(self, method):
        self.until(lambda: any(each["method"] == method for each in self.requests))

    def diagnostics(self, uri, version=None):
        """The findings as they were sent last; with a version, those of that version."""
        self.until(lambda: uri in self.published and version in (None, self.published_versions[uri]))
        return self.published[uri]

    def pull(self, uri, **params):
        return self.request("textDocument/diagnostic", textDocument={"uri": uri}, **params)

    def actions(self, uri, place, only=None):
        line, character = place
        position = {"line": line, "character": character}
        context = {"diagnostics": []}
        if only:
            context["only"] = only
        return self.request("textDocument/codeAction", textDocument={"uri": uri},
                            range={"start": position, "end": position}, context=context)

    def at(self, method, uri, line, character):
        return self.request("textDocument/" + method, textDocument={"uri": uri},
                            position={"line": line, "character": character})

    def stop(self):
        """The exit status after a proper end."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(TIMEOUT)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except OSError:
                pass


def offset_of(text, position):
    """Where a position in UTF-16 is in a text of Python."""
    lines = text.splitlines(keepends=True) or [""]
    line, character = position["line"], position["character"]
    if line >= len(lines):
        return len(text)
    before = sum(len(each) for each in lines[:line])
    units = 0
    for count, letter in enumerate(lines[line].rstrip("\r\n")):
        if units >= character:
            return before + count
        units += len(letter.encode("utf-16-le")) // 2
    return before + len(lines[line].rstrip("\r\n"))


def with_edits(text, edits):
    """The text after edits that all count in it."""
    places = [(offset_of(text, each["range"]["start"]), offset_of(text, each["range"]["end"]), each["newText"])
              for each in edits]
    for begin, end, new in sorted(places, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def by_rule(diagnostics):
    return collections.Counter(each["code"] for each in diagnostics)


class ServerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(os.path.realpath(folder.name))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def client(self, **options):
        client = Client(self.folder, **options)
        self.addCleanup(client.kill)
        return client

    def started(self, capabilities=None, **options):
        client = self.client()
        client.initialize(capabilities, **options)
        return client

    def check(self, *names, level="warning"):
        """What `vramlint check` says of files: the `diagnostics` of its JSON, whose lines and columns count from 1."""
        done = subprocess.run([PROGRAM, "check", "--output-format", "json", "--level", level, *names],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)["diagnostics"]
