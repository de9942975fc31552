// The client that VS Code's extensions use (vscode-languageserver-protocol), under node: the server is
// started as by the extension; a file is opened, its finding shown, hovered over, fixed.
//
//   node node.mjs EXTENSION MISCAST
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [extension, miscast] = process.argv.slice(2);
const require = createRequire(`${extension}/package.json`);
const lsp = require('vscode-languageserver-protocol/node');
const { checkArguments, expandPath, fileInReport, serverSettings, settingNames, startOf, troubleWith } =
    require('./dist/launch.js');
const manifest = require('./package.json');

// ---- settings: what the manifest says by default ------------------------------------------------
const properties = manifest.contributes.configuration.properties;
const settings = Object.fromEntries(settingNames.map(name => {
    assert.ok(`miscast.${name}` in properties, `the setting ${name} is not in the manifest`);
    return [name, properties[`miscast.${name}`].default];
}));
assert.deepEqual(startOf(settings, '/home/x', undefined), { command: 'miscast', args: ['lsp'] });
assert.equal(expandPath('~/bin/m', '/home/x', '/w'), '/home/x/bin/m');
assert.equal(expandPath('${workspaceFolder}/$&/m', '/home/x', '/w$&'), '/w$&/$&/m');
assert.equal(serverSettings({ ...settings, trustedVerify: true }, false).trusted, false);
assert.equal(serverSettings(settings, true).trusted, false);
const asked = { ...settings, path: miscast, trustedVerify: true, debounce: 0 };

// ---- what the server could be, and what a check of the workspace says ------------------------------
assert.equal(await troubleWith(miscast), undefined);
assert.equal(await troubleWith('no-such-program'), "'no-such-program' was not found");
assert.match(await troubleWith('/etc/passwd'), /may not be run$/);
assert.match(await troubleWith('true'), /is not miscast$/);
assert.deepEqual(checkArguments(settings), ['check', '--format=json', '--exit-zero']);
const check = checkArguments({ ...settings, ignore: ['eps-underflow'], database: process.cwd(), noCache: true });
function filesFound(folder) {
    const report = JSON.parse(execFileSync(miscast, check, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }));
    return report.findings.map(f => fileInReport(folder, f.file));
}
assert.deepEqual(filesFound('.'), [resolve('model.c'), resolve('model.py')]);
mkdirSync('part/.git', { recursive: true }); // names in a report begin at a repository
mkdirSync('part/src');
copyFileSync('model.c', 'part/src/model.c');
assert.deepEqual(filesFound('part/src'), [resolve('part/src/model.c')]);
rmSync('part', { recursive: true });

// ---- start ---------------------------------------------------------------------------------------
const { command, args } = startOf(asked, homedir(), process.cwd());
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise(done => server.on('exit', done));
const connection = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const told = [];
let wake = () => {};
connection.onNotification(lsp.PublishDiagnosticsNotification.type, p => { told.push(p); wake(); });
connection.onRequest(lsp.RegistrationRequest.type, () => {});
connection.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => {});
connection.onRequest(lsp.InlayHintRefreshRequest.type, () => {});
connection.listen();

const late = setTimeout(() => { console.error('node: nothing came for a minute'); process.exit(1); }, 60000);
async function diagnosticsOf(version) {
    for (;;) {
        const found = told.find(p => p.uri === uri && p.version === version);
        if (found) return found.diagnostics;
        await new Promise(done => { wake = done; });
    }
}

const folder = pathToFileURL(process.cwd()).href, uri = `${folder}/model.c`;
const begun = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: folder, workspaceFolders: [{ uri: folder, name: 'test' }],
    initializationOptions: serverSettings(asked, true),
    capabilities: {
        textDocument: { publishDiagnostics: { relatedInformation: true, versionSupport: true },
            hover: { contentFormat: ['markdown'] },
            codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } } } },
        workspace: { inlayHint: { refreshSupport: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
        window: { workDoneProgress: true },
    },
});
assert.equal(begun.serverInfo.name, 'miscast');
assert.equal(begun.capabilities.positionEncoding, 'utf-16');
const offered = begun.capabilities.executeCommandProvider.commands;
const own = manifest.contributes.commands.map(c => c.command);
assert.ok(!own.some(c => offered.includes(c)), 'a command of the palette has the name of one of the server');
await connection.sendNotification(lsp.InitializedNotification.type, {});

// ---- a file ----------------------------------------------------------------------------------------
let text = readFileSync('model.c', 'utf8');
await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type,
    { textDocument: { uri, languageId: 'c', version: 1, text } });
const [finding, ...more] = await diagnosticsOf(1);
assert.equal(more.length, 0);
assert.equal(finding.code, 'matmul-dtype');
assert.deepEqual(finding.range.start, { line: 6, character: 11 });
assert.ok(finding.relatedInformation.length >= 2);

const hover = await connection.sendRequest(lsp.HoverRequest.type,
    { textDocument: { uri }, position: { line: 6, character: 21 } });
assert.match(hover.contents.value, /f16/);
const hints = await connection.sendRequest(lsp.InlayHintRequest.type, { textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } });
assert.ok(hints.length > 0);

const actions = await connection.sendRequest(lsp.CodeActionRequest.type,
    { textDocument: { uri }, range: finding.range, context: { diagnostics: [finding] } });
assert.ok(actions.some(a => a.command?.command === 'miscast.verify'), 'a trusted workspace is offered to verify');
const fix = actions.find(a => a.edit && !/ignore/.test(a.title));
assert.ok(fix, 'there is a fix');

// ---- change by change, through a broken state ------------------------------------------------------
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 4, character: 4 }, end: { line: 4, character: 5 } }, text: '{{{' }],
});
await diagnosticsOf(2);
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 3 },
    contentChanges: [{ range: { start: { line: 4, character: 4 }, end: { line: 4, character: 7 } }, text: 'm' }],
});
assert.deepEqual(await diagnosticsOf(3), [finding]);

const edits = fix.edit.changes[uri];
const { TextDocument } = require('vscode-languageserver-types');
text = TextDocument.applyEdits(TextDocument.create(uri, 'c', 3, text), edits);
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 4 },
    contentChanges: edits.map(e => ({ range: e.range, text: e.newText })).reverse(),
});
assert.deepEqual(await diagnosticsOf(4), []);
writeFileSync('model.c', text);

await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
assert.equal(await ended, 0);
clearTimeout(late);
