// VS Code itself, as code-server, in a headless browser: the package is installed, the file opened, its
// finding shown once, hovered over, fixed, and saved.
//
//   node code.mjs CODE-SERVER VSIX MISCAST PLAYWRIGHT CHROMIUM
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [codeServer, vsix, miscast, playwright, executablePath] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${playwright}/index.mjs`).href);
const folder = process.cwd(), before = readFileSync('model.c', 'utf8');
const own = ['--user-data-dir', `${folder}/code/data`, '--extensions-dir', `${folder}/code/extensions`,
    '--config', `${folder}/code/config.yaml`];

// ---- start ---------------------------------------------------------------------------------------
const settings = { 'miscast.path': miscast, 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true,
    'files.exclude': { code: true } };
for (const place of ['Machine', 'User']) {
    mkdirSync(`code/data/${place}`, { recursive: true });
    writeFileSync(`code/data/${place}/settings.json`, JSON.stringify(settings));
}
writeFileSync('code/config.yaml', 'auth: none\n');
const installed = spawnSync(codeServer, [...own, '--install-extension', vsix], { encoding: 'utf8' });
assert.equal(installed.status, 0, installed.stderr);
const server = spawn(codeServer, [...own, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry',
    '--disable-update-check', '--disable-workspace-trust'],
{ stdio: ['ignore', 'pipe', 'inherit'], detached: true,
    env: { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' } });
process.on('exit', () => process.kill(-server.pid, 'SIGKILL')); // and those that it started
const address = await new Promise((found, fail) => {
    server.on('exit', () => fail(new Error('code-server ended')));
    let said = '';
    server.stdout.setEncoding('utf8').on('data', part => {
        const match = /listening on (http:\S+)/.exec(said += part);
        if (match) found(match[1]);
    });
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
page.setDefaultTimeout(30000);
process.on('uncaughtException', async e => {
    console.error(e);
    if (process.env.MISCAST_SHOTS) await page.screenshot({ path: `${process.env.MISCAST_SHOTS}/code.png` });
    process.exit(1);
});

// ---- what a person does --------------------------------------------------------------------------
async function pick(key, text, row) {
    await page.keyboard.press(key);
    await page.locator('.quick-input-widget input').first().waitFor();
    await page.keyboard.type(text);
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: row }).waitFor();
    await page.keyboard.press('Enter');
}
const status = text => page.locator('.statusbar-item', { hasText: text }).waitFor();

await page.goto(`${address}?folder=${encodeURIComponent(folder)}`);
await page.locator('.explorer-folders-view >> text=model.c').waitFor();
await pick('Control+p', 'model.c', 'model.c');
await status(/miscast: 1$/);
await page.locator('.squiggly-error').first().waitFor();
await pick('Control+g', '7:22', /7/);
await pick('F1', 'Show or Focus Hover', 'Show or Focus Hover');
const hover = page.locator('.monaco-hover', { hasText: 'How it came to that' });
await hover.waitFor();
const shown = await hover.innerText();
assert.equal(shown.split('miscastmatmul-dtype').length, 2, `the finding is not shown once:\n${shown}`);
await page.keyboard.press('Escape');
await pick('Control+g', '7:13', /7/);
await page.keyboard.press('Control+.');
await page.locator('.action-widget .monaco-list-row', { hasText: 'cast' }).first().waitFor();
await page.keyboard.press('Enter');
await status(/miscast$/);
await page.keyboard.press('Control+s');
const late = Date.now() + 20000;
while (readFileSync('model.c', 'utf8') === before) {
    assert.ok(Date.now() < late, 'nothing was saved');
    await new Promise(done => setTimeout(done, 100));
}
await browser.close();
process.exit(0);
