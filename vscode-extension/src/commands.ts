// SPDX-License-Identifier: MIT
// What the command palette offers. The program does the work.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { whyMissing } from './program';
import { Server } from './server';

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('vramlint');

const scheme = 'vramlint';

/** All safe fixes of the text in front, as on saving. */
async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand('editor.action.codeAction', {
    kind: fixAllKind.value,
    apply: 'first',
  });
}

/** The rule of the first finding on the cursor's line. */
function ruleAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return '';
  const line = editor.selection.active.line;
  for (const each of vscode.languages.getDiagnostics(editor.document.uri)) {
    const here = each.range.start.line <= line && line <= each.range.end.line;
    if (each.source === 'vramlint' && here) return String(each.code);
  }
  return '';
}

/** Pages as documents that nobody can edit: `vramlint:NAME`. */
class Pages implements vscode.TextDocumentContentProvider {
  constructor(private readonly server: Server) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const program = this.server.programPath;
    if (program === undefined) return `vramlint: ${whyMissing()}\n`;
    try {
      const { stdout } = await promisify(execFile)(program, ['explain', '--no-color', '--', uri.path]);
      return stdout;
    } catch (problem) {
      return (problem as { stderr?: string }).stderr ?? String(problem);
    }
  }
}

async function explain(asked: unknown): Promise<void> {
  const name = typeof asked === 'string' ? asked : await vscode.window.showInputBox({
    title: 'Explain a rule, a setting, a variable or a call',
    value: ruleAtCursor(),
    placeHolder: 'allocator-setting-too-late, max_split_size_mb, torch.cuda.empty_cache',
  });
  if (name === undefined || name === '') return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path: name }));
  await vscode.window.showTextDocument(document, { preview: true });
}

/** In a terminal, where people see what runs and can stop it. */
async function validate(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const program = server.programPath;
  if (editor === undefined) {
    void vscode.window.showErrorMessage('vramlint: no script is open: open the one to validate');
    return;
  }
  if (program === undefined) {
    void vscode.window.showErrorMessage(`vramlint: ${whyMissing()}`);
    return;
  }
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showErrorMessage('vramlint: validation runs the script, which needs a trusted workspace');
    return;
  }
  await editor.document.save();
  const file = editor.document.uri.fsPath;
  const folder = vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const terminal = vscode.window.createTerminal({
    name: 'vramlint validate',
    cwd: folder?.uri,
    shellPath: program,
    shellArgs: ['validate', file],
  });
  terminal.show();
}

export function registerCommands(context: vscode.ExtensionContext, server: Server): void {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(scheme, new Pages(server)),
  );
  const add = (name: string, run: (...given: unknown[]) => unknown) =>
    context.subscriptions.push(vscode.commands.registerCommand(`vramlint.${name}`, run));
  add('restart', () => server.restart());
  add('showLog', () => server.log.show());
  add('fixAll', fixAll);
  add('explainRule', explain);
  add('validate', () => validate(server));
}
