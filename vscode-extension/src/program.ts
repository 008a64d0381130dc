// SPDX-License-Identifier: MIT
// Which vramlint is started: the one that somebody has named, that came with the extension, that is
// in the Python environment of the folder, or that is on the path.

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

/** The first one there is; with a path in the settings, that one or none. */
export function findProgram(context: vscode.ExtensionContext): Program | undefined {
  const named = vscode.workspace.getConfiguration('vramlint').get<string>('path', '');
  if (named !== '') {
    return isProgram(named) ? { path: named, origin: 'the setting vramlint.path' } : undefined;
  }
  const bundled = context.asAbsolutePath(path.join('bin', fileName));
  if (isProgram(bundled)) return { path: bundled, origin: 'the extension' };
  // What lies in a folder that nobody trusts is not started.
  if (vscode.workspace.isTrusted) {
    for (const folder of environmentFolders()) {
      const file = path.join(folder, fileName);
      if (isProgram(file)) return { path: file, origin: 'the Python environment' };
    }
  }
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, fileName);
    if (path.isAbsolute(folder) && isProgram(file)) return { path: file, origin: 'the PATH' };
  }
  return undefined;
}
