// SPDX-License-Identifier: MIT
//
// The extension in a real VS Code: `node vscode.mjs EXTENSION.vsix WORKSPACE [PICTURE.png]`. First
// inside its extension host (host_tests.cjs), then as somebody at the keyboard, in Chromium. The
// workspace holds what the tests expect; vscode.py makes it. The last line says how it went; what was
// seen where something failed is a picture in the temporary folder, whose path is printed.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = path.dirname(fileURLToPath(import.meta.url));
const [vsix, workspace, picture] = process.argv.slice(2).map((each) => path.resolve(each));
const main = path.join(here, 'node_modules/code-server/lib/vscode/out/server-main.js');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'editor-')));
const at = (...parts) => path.join(folder, ...parts);

const settings = {
  // An extension of a folder that nobody trusts is off, without a word.
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false,
  'editor.minimap.enabled': false,
};

function makeFolder() {
  for (const each of ['stub', 'home', 'data/data/User']) mkdirSync(at(each), { recursive: true });
  // The installed extension is what runs: the one under development is empty.
  const stub = { name: 'stub', publisher: 'test', version: '0.0.1', engines: { vscode: '^1.82.0' } };
  writeFileSync(at('stub/package.json'), JSON.stringify(stub));
  writeFileSync(at('data/data/User/settings.json'), JSON.stringify(settings));
}

const base = ['--server-data-dir', at('data'), '--extensions-dir', at('extensions'), '--accept-server-license-terms'];
// An empty gallery stops the look-ups of extensions.
const env = { ...process.env, HOME: at('home'), EXTENSIONS_GALLERY: '{}' };

async function startServer() {
  execFileSync(process.execPath, [main, ...base, '--install-extension', vsix], { env, stdio: 'ignore' });
  const server = spawn(process.execPath, [main, ...base, '--host', '127.0.0.1', '--port', '0',
    '--without-connection-token', '--telemetry-level', 'off', '--enable-smoke-test-driver'],
    { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  server.stderr.on('data', (bytes) => (log += bytes));
  const port = await new Promise((found, failed) => {
    server.stdout.on('data', (bytes) => {
      log += bytes;
      const said = /listening on (\d+)/.exec(log);
      if (said) found(said[1]);
    });
    server.on('exit', () => failed(new Error(log)));
  });
  return { server, host: `127.0.0.1:${port}` };
}

makeFolder();
const { server, host } = await startServer();
const remote = (file) => `vscode-remote://${host}${file}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
let passed = 0;
let failed = 0;

async function test(name, payload, run) {
  const begin = Date.now();
  const context = await browser.newContext({ viewport: { width: 1100, height: 460 } });
  const page = await context.newPage();
  try {
    const exit = new Promise((done) => page.exposeFunction('codeAutomationExit', done));
    // What VS Code itself has to say is warnings and errors: binaries that were not compiled, say.
    const noise = /gallery|builtin extensions|ChatSessionStore|socket|connection token/;
    await page.exposeFunction('codeAutomationLog', (kind, said) => {
      if (kind !== 'warn' && kind !== 'error' && !noise.test(said[0])) console.log(...said);
    });
    const start = encodeURIComponent(JSON.stringify(payload));
    await page.goto(`http://${host}/?folder=${workspace}&payload=${start}`);
    await run(page, exit);
    passed += 1;
    console.log(`ok   ${name} (${Date.now() - begin} ms)`);
  } catch (problem) {
    failed += 1;
    console.log(`FAIL ${name}: ${problem.message}`);
    const seen = path.join(tmpdir(), `vramlint-vscode-failed-${process.pid}-${failed}.png`);
    await page.screenshot({ path: seen }).then(() => console.log(`     ${seen}`), () => {});
  }
  await context.close();
}

function seconds(count) {
  return new Promise((done) => setTimeout(done, count * 1000, 'nothing came in time'));
}

/** Opens the list of quick fixes until the wanted one has the focus: the first time, it may be empty. */
async function chooseFix(page, title) {
  const row = page.locator('.action-widget .monaco-list-row.action.focused', { hasText: title });
  for (let tries = 0; tries < 6; tries += 1) {
    await page.keyboard.press('Control+.');
    if (await row.waitFor({ timeout: 3000 }).then(() => true, () => false)) return;
    await page.keyboard.press('Escape');
  }
  throw new Error(`no quick fix "${title}" was offered`);
}

async function waitForFile(file, holds) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (holds(readFileSync(file, 'utf8'))) return;
    await seconds(0.1);
  }
  throw new Error(`${file} is not what it should be: ${readFileSync(file, 'utf8')}`);
}

const tests = [['extensionDevelopmentPath', remote(at('stub'))],
  ['extensionTestsPath', remote(path.join(here, 'host_tests.cjs'))]];
await test('in the extension host', tests, async (_, exit) => {
  const status = await Promise.race([exit, seconds(180)]);
  if (status !== 0) throw new Error(`it ended with ${status}`);
});

const script = path.join(workspace, 'train.py');
if (failed === 0) {
  await test('at the keyboard', [['openFile', remote(script)]], async (page) => {
    await page.waitForSelector('.monaco-editor .squiggly-error', { timeout: 60000 });
    const squiggles = await page.locator('.monaco-editor .squiggly-error').count();
    if (squiggles !== 1) throw new Error(`${squiggles} squiggles`);
    const line = await page.locator('.monaco-editor .view-line', { hasText: 'max_split_size_mb=128' }).boundingBox();
    const squiggle = await page.locator('.monaco-editor .squiggly-error').boundingBox();
    if (Math.abs(line.y - squiggle.y) > line.height) throw new Error('the squiggle is on another line');
    await page.locator('.monaco-editor .view-line').first().click();
    if (picture) await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('F8');
    await page.waitForSelector('.marker-widget');
    if (picture) {
      await seconds(0.5);
      await page.screenshot({ path: picture });
    }
    await page.keyboard.press('Escape');
    await chooseFix(page, 'write `:`');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.squiggly-error').length === 0);
    await page.keyboard.press('Control+s');
    await waitForFile(script, (text) => text.includes('max_split_size_mb:128'));
  });
}

await browser.close();
// Extension hosts would outlive their page by hours.
try {
  process.kill(-server.pid, 'SIGTERM');
} catch {
  // It has ended already.
}
await seconds(0.5);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed !== 2 ? 1 : 0);
