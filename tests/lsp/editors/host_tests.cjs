// SPDX-License-Identifier: MIT
// Runs inside the extension host, with the API that extensions have. `exports.run` is what VS Code
// calls; the files are those that vscode.py has made.

const assert = require('node:assert');
const path = require('node:path');
const Mocha = require('mocha');
const vscode = require('vscode');

const inFolder = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
const codesOf = (uri) => vscode.languages.getDiagnostics(uri).map((each) => each.code);

async function until(what, holds) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await holds();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${what} did not come`);
}

async function open(name) {
  const document = await vscode.workspace.openTextDocument(inFolder(name));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

const untilCodes = (uri, wanted) =>
  until(`${wanted} in ${path.basename(uri.path)}, not ${codesOf(uri)}`,
    () => JSON.stringify(codesOf(uri)) === JSON.stringify(wanted));

const actionsAt = (uri, range, kind) =>
  vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range, kind, 10);

function describeAll() {
  it('shows a finding where it stands', async () => {
    const { uri } = await open('separator.py');
    await untilCodes(uri, ['allocator-separator']);
    const [finding] = vscode.languages.getDiagnostics(uri);
    assert.equal(finding.source, 'vramlint');
    assert.equal(finding.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual([finding.range.start.line, finding.range.start.character], [2, 58]);
  });

  it('makes a quick fix, and the finding goes', async () => {
    const document = await open('separator.py');
    await untilCodes(document.uri, ['allocator-separator']);
    const [finding] = vscode.languages.getDiagnostics(document.uri);
    const actions = await actionsAt(document.uri, finding.range, 'quickfix');
    const fix = actions.find((each) => each.isPreferred);
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    assert.match(document.getText(), /max_split_size_mb:128/);
    await untilCodes(document.uri, []);
    await vscode.commands.executeCommand('undo');
    await untilCodes(document.uri, ['allocator-separator']);
  });

  it('makes all safe fixes by a command', async () => {
    const document = await open('separator.py');
    await untilCodes(document.uri, ['allocator-separator']);
    await vscode.commands.executeCommand('vramlint.fixAll');
    await until('the fix', () => document.getText().includes('max_split_size_mb:128'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('silences a finding with a comment', async () => {
    const document = await open('separator.py');
    await untilCodes(document.uri, ['allocator-separator']);
    const [finding] = vscode.languages.getDiagnostics(document.uri);
    const actions = await actionsAt(document.uri, finding.range, 'quickfix');
    const silence = actions.find((each) => each.title.startsWith('Silence'));
    assert.ok(await vscode.workspace.applyEdit(silence.edit));
    await untilCodes(document.uri, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('points to the cause in another file', async () => {
    const { uri } = await open('late.py');
    await untilCodes(uri, ['allocator-setting-too-late']);
    const [finding] = vscode.languages.getDiagnostics(uri);
    const [cause] = finding.relatedInformation;
    assert.equal(path.basename(cause.location.uri.path), 'device.py');
    assert.equal(cause.location.range.start.line, 4);
  });

  it('uses texts that were not saved', async () => {
    const { uri } = await open('late.py');
    await untilCodes(uri, ['allocator-setting-too-late']);
    const module = await open('device.py');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(module.uri, new vscode.Position(4, 4), 'return  # ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await untilCodes(uri, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await untilCodes(uri, ['allocator-setting-too-late']);
  });

  it('reads what launches programs, and is silent about other YAML', async () => {
    for (const name of ['train.sh', 'Dockerfile', '.env']) {
      const { uri } = await open(name);
      await untilCodes(uri, ['allocator-separator']);
    }
    const { uri } = await open('values.yaml');
    await untilCodes((await open('train.sh')).uri, ['allocator-separator']);
    assert.deepEqual(codesOf(uri), []);
  });

  it('says what is known about a key', async () => {
    const document = await open('separator.py');
    const [hover] = await until('the hover', async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri,
        new vscode.Position(2, 45));
      const ours = hovers.filter((each) => each.contents.some((text) => text.value.includes('max_split_size_mb')));
      return ours.length > 0 && ours;
    });
    assert.match(hover.contents.map((each) => each.value).join(''), /key of the allocator string/);
  });

  it('offers keys in an allocator string', async () => {
    const document = await open('separator.py');
    const list = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', document.uri,
      new vscode.Position(2, 41));
    const labels = list.items.map((each) => each.label.label ?? each.label);
    assert.ok(labels.includes('expandable_segments'), labels.join());
  });

  it('takes the cells of a notebook for one program', async () => {
    const notebook = await vscode.workspace.openNotebookDocument(inFolder('cells.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
    const [, second, third] = notebook.getCells().map((each) => each.document);
    await untilCodes(third.uri, ['allocator-setting-too-late']);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(second.uri, new vscode.Position(0, 0), '# ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await untilCodes(third.uri, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('explains a rule', async () => {
    await vscode.commands.executeCommand('vramlint.explainRule', 'allocator-separator');
    await until('the page', () => vscode.window.activeTextEditor?.document.getText().includes('allocator-separator'));
  });

  it('starts the server anew', async () => {
    const { uri } = await open('separator.py');
    await vscode.commands.executeCommand('vramlint.restart');
    await untilCodes(uri, ['allocator-separator']);
  });
}

exports.run = () => new Promise((done, failed) => {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60000, color: false, reporter: 'spec' });
  mocha.suite.emit('pre-require', globalThis, null, mocha);
  describe('the extension', describeAll);
  mocha.run((failures) => (failures > 0 ? failed(new Error(`${failures} failed`)) : done()));
});
