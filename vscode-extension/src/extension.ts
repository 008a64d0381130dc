// SPDX-License-Identifier: MIT
// The client: finds the program, starts it as a language server, and offers its commands. What is
// found in the code, and what to do about it, the server knows.

import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { languagesOf } from './documents';
import { Server } from './server';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = new Server(context);
  context.subscriptions.push(server);
  registerCommands(context, server);
  void vscode.commands.executeCommand('setContext', 'vramlint.languages', languagesOf(context));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('vramlint.path')) void server.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()),
  );
  await server.restart();
}
