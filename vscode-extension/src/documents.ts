// SPDX-License-Identifier: MIT
// What is linted: Python, the cells of notebooks, and files that launch programs. The list of
// languages is that of the events that start the extension, in package.json; JSON, of which the
// server takes what configures DeepSpeed, is in every folder and starts nothing.

import * as vscode from 'vscode';

const event = 'onLanguage:';

/** What older editors call `.env` files, and many other files. */
const properties = 'properties';

export function languagesOf(context: vscode.ExtensionContext): string[] {
  const events = context.extension.packageJSON.activationEvents as string[];
  return events.filter((each) => each.startsWith(event)).map((each) => each.slice(event.length));
}

export function documentsOf(context: vscode.ExtensionContext) {
  const selectors = languagesOf(context).map((language) => (
    language === properties
      ? [{ scheme: 'file', language, pattern: '**/{.env,*.env,.env.*}' }]
      : [{ scheme: 'file', language }, { scheme: 'untitled', language }]
  ));
  return [
    ...selectors.flat(), { scheme: 'file', language: 'json' },
    { scheme: 'vscode-notebook-cell', language: 'python' },
  ];
}
