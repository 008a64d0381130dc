// SPDX-License-Identifier: MIT
// The server's life: started once, started again on request, and what the status bar says about it.

import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, RevealOutputChannelOn, ServerOptions, State } from 'vscode-languageclient/node';
import { documentsOf } from './documents';
import { Program, findProgram, whyMissing } from './program';

export class Server implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('vramlint', { log: true });
  private readonly documents;
  private readonly status;
  private client: LanguageClient | undefined;
  private program: Program | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.documents = documentsOf(context);
    this.status = vscode.languages.createLanguageStatusItem('vramlint.status', this.documents);
    this.status.name = 'vramlint';
    this.status.command = { command: 'vramlint.showLog', title: 'Show Log' };
  }

  /** The program that serves now, or would. */
  get programPath(): string | undefined {
    return (this.program ?? findProgram(this.context))?.path;
  }

  /** One start after the other, however often it is asked for. */
  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.stop()).then(() => this.start());
    return this.turn;
  }

  private async start(): Promise<void> {
    this.program = findProgram(this.context);
    if (this.program === undefined) {
      const problem = whyMissing();
      this.show('missing', vscode.LanguageStatusSeverity.Error, problem);
      void vscode.window.showErrorMessage(`vramlint: ${problem}`);
      return;
    }
    this.log.info(`starting ${this.program.path}, from ${this.program.origin}`);
    const run = { command: this.program.path, args: ['server'] };
    const server: ServerOptions = { run, debug: run };
    const options: LanguageClientOptions = {
      documentSelector: this.documents,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticPullOptions: { onChange: true },
    };
    this.client = new LanguageClient('vramlint', 'vramlint', server, options);
    this.client.onDidChangeState(({ newState }) => this.showState(newState));
    try {
      await this.client.start();
    } catch (problem) {
      this.show('failed', vscode.LanguageStatusSeverity.Error, String(problem));
      this.log.error(String(problem));
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    try {
      await client.dispose();
    } catch (problem) {
      // A server that never came up, or has gone already, can't be stopped.
      this.log.warn(String(problem));
    }
  }

  private showState(state: State): void {
    const version = this.client?.initializeResult?.serverInfo?.version ?? '';
    const origin = `${this.program?.path}, from ${this.program?.origin}`;
    if (state === State.Running) {
      this.show(version, vscode.LanguageStatusSeverity.Information, origin);
    } else if (state === State.Starting) {
      this.show('starting', vscode.LanguageStatusSeverity.Information, origin);
    } else {
      this.show('stopped', vscode.LanguageStatusSeverity.Warning, origin);
    }
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity, detail: string): void {
    this.status.text = `vramlint ${text}`;
    this.status.severity = severity;
    this.status.detail = detail;
  }

  async dispose(): Promise<void> {
    await this.turn;
    await this.stop();
    this.status.dispose();
    this.log.dispose();
  }
}
