// SPDX-License-Identifier: MIT
//
// Parts of the extension with a made-up VS Code around them: `node extension_test.cjs FOLDER`, which
// holds documents.js and program.js as extension.py has bundled them.

const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const test = require('node:test');

const folder = process.argv[2];
const manifest = require('../../../vscode-extension/package.json');

const vscode = { workspace: {} };
const load = Module._load;
Module._load = (name, ...more) => (name === 'vscode' ? vscode : load(name, ...more));
const { findProgram, whyMissing } = require(path.join(folder, 'program.js'));
const { documentsOf, languagesOf } = require(path.join(folder, 'documents.js'));

const at = (...parts) => path.join(folder, ...parts);

function program(...parts) {
  fs.mkdirSync(path.dirname(at(...parts)), { recursive: true });
  fs.writeFileSync(at(...parts), '#!/bin/sh\n', { mode: 0o755 });
  return at(...parts);
}

const user = program('user', 'mine');
const ofFolder = program('code', 'theirs');
const ofEnvironment = program('code', '.venv', 'bin', 'vramlint');
const onPath = program('path', 'vramlint');
const bundled = program('with', 'bin', 'vramlint');
process.env.PATH = path.dirname(onPath);

/** What is started where settings name programs, with or without one in the extension. */
function started({ isTrusted, globalValue, workspaceValue, extension = 'with' }) {
  vscode.workspace = {
    isTrusted,
    workspaceFolders: [{ uri: { fsPath: at('code') } }],
    getConfiguration: () => ({
      get: () => workspaceValue ?? globalValue ?? '',
      inspect: () => ({ globalValue, workspaceValue }),
    }),
  };
  return findProgram({ asAbsolutePath: (name) => at(extension, name) })?.path;
}

test('in a trusted folder, the named, the bundled, that of the environment, that on the PATH', () => {
  const isTrusted = true;
  assert.equal(started({ isTrusted, globalValue: user, workspaceValue: ofFolder }), ofFolder);
  assert.equal(started({ isTrusted, globalValue: user }), user);
  assert.equal(started({ isTrusted }), bundled);
  assert.equal(started({ isTrusted, extension: 'without' }), ofEnvironment);
  fs.rmSync(ofEnvironment);
  assert.equal(started({ isTrusted, extension: 'without' }), onPath);
  program('code', '.venv', 'bin', 'vramlint');
});

test('in an untrusted folder, what the user has named, the bundled, and no other', () => {
  const isTrusted = false;
  assert.equal(started({ isTrusted, globalValue: user, workspaceValue: ofFolder }), user);
  assert.equal(started({ isTrusted, workspaceValue: ofFolder }), bundled);
  assert.equal(started({ isTrusted, extension: 'without' }), undefined);
  assert.match(whyMissing(), /trust the folder/);
});

test('a name that names nothing is told, and nothing else is started', () => {
  assert.equal(started({ isTrusted: true, globalValue: at('nothing') }), undefined);
  assert.match(whyMissing(), /there is no program .*nothing/);
});

test('every language that starts the extension is linted', () => {
  const context = { extension: { packageJSON: manifest } };
  const files = documentsOf(context).filter((each) => each.scheme === 'file');
  // JSON is linted, of which most configures something else, and starts nothing.
  assert.deepEqual(files.map((each) => each.language), [...languagesOf(context), 'json']);
  for (const each of ['python', 'shellscript', 'dockerfile', 'yaml', 'dotenv', 'bat', 'powershell']) {
    assert.ok(languagesOf(context).includes(each), each);
  }
  assert.match(files.find((each) => each.language === 'properties').pattern, /\.env/);
});
