// SPDX-License-Identifier: MIT
// Which vramlint is started: the one that somebody has named, that came with the extension, that is
// in the Python environment of the folder, or that is on the PATH. In a folder that nobody trusts only
// the first two count, and of the names only one in the user's own settings.

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

const fileName = process.platform === 'win32' ? 'vramlint.exe' : 'vramlint';

/** Where it was found, for people. */
export interface Program {
  path: string;
  origin: string;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Folders of programs in the environments that are usual. */
function environmentFolders(): string[] {
  const names = process.platform === 'win32' ? ['Scripts'] : ['bin'];
  const folders: string[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const environment of ['.venv', 'venv', path.join('.pixi', 'envs', 'default')]) {
      folders.push(path.join(folder.uri.fsPath, environment, ...names));
    }
  }
  return folders;
}

/** What the settings name. VS Code leaves out what an untrusted folder sets, and so is it here. */
export function namedProgram(): string {
  const settings = vscode.workspace.getConfiguration('vramlint');
  if (vscode.workspace.isTrusted) return settings.get<string>('path', '');
  return settings.inspect<string>('path')?.globalValue ?? '';
}

/** The first one there is; with a path in the settings, that one or none. */
export function findProgram(context: vscode.ExtensionContext): Program | undefined {
  const named = namedProgram();
  if (named !== '') {
    return isProgram(named) ? { path: named, origin: 'the setting vramlint.path' } : undefined;
  }
  const bundled = context.asAbsolutePath(path.join('bin', fileName));
  if (isProgram(bundled)) return { path: bundled, origin: 'the extension' };
  // Its environments may hold anything, and a shell where one was active has it on its PATH.
  if (!vscode.workspace.isTrusted) return undefined;
  for (const folder of environmentFolders()) {
    const file = path.join(folder, fileName);
    if (isProgram(file)) return { path: file, origin: 'the Python environment' };
  }
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, fileName);
    if (path.isAbsolute(folder) && isProgram(file)) return { path: file, origin: 'the PATH' };
  }
  return undefined;
}

/** Why there is none, and what to do about it. */
export function whyMissing(): string {
  const named = namedProgram();
  if (named !== '') return `there is no program ${named}, which the setting vramlint.path names`;
  if (vscode.workspace.isTrusted) {
    return 'the program is missing: install it (pip install vramlint) or name it in the setting vramlint.path';
  }
  return 'the program did not come with the extension: name it in the setting vramlint.path of the user, or trust the folder';
}
