// The extension: starts `miscast lsp` for C files, shows its state in the status bar, and provides
// commands for the finding at the cursor.
import * as os from 'os';
import * as vscode from 'vscode';
import { CodeActionRequest, LanguageClient, State, type CodeAction, type Command } from 'vscode-languageclient/node';
import { Checked } from './check';
import {
    checkArguments, serverSettings, settingNames, startOf, troubleWith, type Settings, type Start,
} from './launch';

let client: LanguageClient | undefined;
let trouble: string | undefined; // why there is no client
let started = ''; // how the last was started
let status: vscode.StatusBarItem;
let log: vscode.OutputChannel;
let checked: Checked;

// ---- settings -----------------------------------------------------------------------------------

function settings(): Settings {
    const all = vscode.workspace.getConfiguration('miscast');
    return Object.fromEntries(settingNames.map(name => [name, all.get(name)])) as unknown as Settings;
}

function firstFolder(): string | undefined {
    return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

// Settings for a program on a remote machine are kept there.
function openSetting(name: string): void {
    const query = `@id:miscast.${name}`;
    void (vscode.env.remoteName
        ? vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query })
        : vscode.commands.executeCommand('workbench.action.openSettings', query));
}

function startNow(): Start {
    return startOf(settings(), os.homedir(), firstFolder());
}

function serverSettingsNow(): Record<string, unknown> {
    return serverSettings(settings(), vscode.workspace.isTrusted);
}

// ---- the server ---------------------------------------------------------------------------------

// VS Code treats headers as C++.
const files = [{ scheme: 'file', language: 'python' }, { scheme: 'file', language: 'c' },
    { scheme: 'file', language: 'cpp', pattern: '**/*.h' }];

// Starts and stops run one after another, however fast they are requested.
let turn: Promise<void> = Promise.resolve();
function inTurn(act: () => Promise<void>): Promise<void> {
    turn = turn.then(act).catch(e => log.appendLine(String(e)));
    return turn;
}

async function showTrouble(): Promise<void> {
    const path = 'Open Settings', again = 'Try Again';
    const chosen = await vscode.window.showErrorMessage(
        `miscast: ${trouble}. Install it, or set miscast.path to its location.`, path, again);
    if (chosen === path) openSetting('path');
    if (chosen === again) void restart();
}

// Does not wait for the user's answer: the editor would wait, too.
async function start(): Promise<void> {
    const { command, args } = startNow();
    started = JSON.stringify({ command, args });
    trouble = await troubleWith(command);
    refresh();
    if (trouble) {
        log.appendLine(trouble);
        void showTrouble();
        return;
    }
    const own = client = new LanguageClient('miscast', 'miscast', { command, args }, {
        documentSelector: files,
        initializationOptions: serverSettingsNow(),
        outputChannel: log,
        middleware: {
            handleDiagnostics: (uri, diagnostics, next) => {
                checked.serverReported(uri, diagnostics);
                next(uri, diagnostics);
            },
        },
    });
    own.onDidChangeState(refresh);
    await own.start();
}

async function stop(): Promise<void> {
    const old = client;
    client = undefined;
    if (old?.state === State.Running) await old.stop();
    await old?.dispose();
}

function restart(): Promise<void> {
    return inTurn(async () => {
        await stop();
        await start();
    });
}

// A different program or different arguments need a new process; other settings are sent to the running
// one. VS Code also reports all settings as changed when a workspace becomes trusted.
async function changed(e: vscode.ConfigurationChangeEvent): Promise<void> {
    if (!e.affectsConfiguration('miscast')) return;
    if (JSON.stringify(startNow()) !== started) await restart();
    else await sendSettings();
}

function sendSettings(): Promise<void> {
    return inTurn(async () => {
        if (client?.state === State.Running)
            await client.sendNotification('workspace/didChangeConfiguration', { settings: { miscast: serverSettingsNow() } });
    });
}

// ---- the status bar -----------------------------------------------------------------------------

interface Shown { text: string; tip: string; command: string; failed?: boolean }

function countedHere(document: vscode.TextDocument): Shown {
    const count = vscode.languages.getDiagnostics(document.uri).filter(d => d.source === 'miscast').length;
    return {
        text: count ? `$(warning) miscast: ${count}` : '$(check) miscast',
        tip: count ? `${count} ${count === 1 ? 'finding' : 'findings'} in this file` : 'no findings in this file',
        command: 'workbench.actions.view.problems',
    };
}

// undefined: nothing to show for the active editor.
function shownNow(): Shown | undefined {
    const document = vscode.window.activeTextEditor?.document;
    if (trouble)
        return { text: '$(error) miscast', tip: trouble, command: 'miscast.restart', failed: true };
    if (!client || client.state === State.Starting)
        return { text: '$(sync~spin) miscast', tip: 'starting', command: 'miscast.showOutput' };
    if (client.state === State.Stopped)
        return { text: '$(error) miscast', tip: 'not running', command: 'miscast.restart', failed: true };
    return document && vscode.languages.match(files, document) ? countedHere(document) : undefined;
}

const links = {
    'miscast.checkWorkspace': 'Check the Workspace',
    'miscast.restart': 'Restart the Server',
    'miscast.showOutput': 'Show the Log',
};

function tipOf(text: string): vscode.MarkdownString {
    const version = client?.initializeResult?.serverInfo?.version;
    const tip = new vscode.MarkdownString(`miscast${version ? ` ${version}` : ''}: `);
    tip.isTrusted = { enabledCommands: Object.keys(links) };
    return tip.appendText(text).appendMarkdown(`\n\n${Object.entries(links)
        .map(([command, title]) => `[${title}](command:${command})`).join(' · ')}`);
}

function refresh(): void {
    const now = shownNow();
    if (!now) {
        status.hide();
        return;
    }
    status.text = now.text;
    status.tooltip = tipOf(now.tip);
    status.command = now.command;
    status.backgroundColor = now.failed ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    status.show();
}

// ---- a finding at the cursor --------------------------------------------------------------------

function commandOf(action: CodeAction | Command): Command | undefined {
    return typeof action.command === 'string' ? (action as Command) : action.command;
}

// The commands of that name that the server offers for the selected lines.
async function offeredHere(name: string): Promise<Command[]> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || client?.state !== State.Running) return [];
    const found = await client.sendRequest(CodeActionRequest.type, {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document),
        range: client.code2ProtocolConverter.asRange(editor.selection),
        context: { diagnostics: [] },
    });
    return (found ?? []).map(commandOf).filter((c): c is Command => c?.command === name);
}

type Reported = vscode.Diagnostic & { data?: { fingerprint: string } };

// Lets the user choose by message: the commands have the same title for all findings.
async function choose(offered: Command[]): Promise<Command | undefined> {
    if (offered.length < 2) return offered[0];
    const here = vscode.languages.getDiagnostics(vscode.window.activeTextEditor!.document.uri);
    const items = offered.map(command => {
        const own = here.find(d => (d as Reported).data?.fingerprint === command.arguments?.[1]);
        return { label: own?.message.split('\n')[0] ?? command.title, command };
    });
    return (await vscode.window.showQuickPick(items, { title: 'Which finding?' }))?.command;
}

async function explainTrust(): Promise<void> {
    const settingsWord = 'Open Settings';
    const chosen = await vscode.window.showInformationMessage(
        'miscast runs code only in a trusted workspace, with the setting miscast.trustedVerify.', settingsWord);
    if (chosen) openSetting('trustedVerify');
}

async function doHere(name: string): Promise<void> {
    if (name !== 'miscast.addToBaseline' && !serverSettingsNow().trusted) {
        void explainTrust();
        return;
    }
    const offered = await offeredHere(name);
    if (!offered.length) {
        void vscode.window.showInformationMessage('miscast has no finding here.');
        return;
    }
    const chosen = await choose(offered);
    if (chosen) await vscode.commands.executeCommand(name, ...(chosen.arguments ?? []));
}

// ---- the workspace ------------------------------------------------------------------------------

async function checkWorkspace(): Promise<void> {
    const { command } = startNow();
    const folders = (vscode.workspace.workspaceFolders ?? []).map(f => f.uri.fsPath);
    const outcome = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: 'miscast is checking the workspace', cancellable: true },
        (_, stopped) => checked.run(command, checkArguments(settings()), folders, text => log.append(text), stopped));
    const show = 'Show the Log';
    if (outcome.findings.length) await vscode.commands.executeCommand('workbench.actions.view.problems');
    const chosen = await (outcome.trouble ? vscode.window.showErrorMessage(`miscast: ${outcome.trouble}`, show)
        : outcome.partly ? vscode.window.showWarningMessage('miscast: some files could not be analysed.', show)
        : outcome.findings.length ? undefined : vscode.window.showInformationMessage('miscast: no findings.', show));
    if (chosen) log.show();
}

// ---- begin and end ------------------------------------------------------------------------------

const commands: Record<string, () => unknown> = {
    'miscast.restart': restart,
    'miscast.verifyHere': () => doHere('miscast.verify'),
    'miscast.showReproducerHere': () => doHere('miscast.showReproducer'),
    'miscast.ignoreHere': () => doHere('miscast.addToBaseline'),
    'miscast.fixAll': () => vscode.commands.executeCommand(
        'editor.action.codeAction', { kind: 'source.fixAll.miscast', apply: 'first' }),
    'miscast.checkWorkspace': checkWorkspace,
    'miscast.showOutput': () => log.show(),
};

export function activate(context: vscode.ExtensionContext): void {
    log = vscode.window.createOutputChannel('miscast', 'log');
    checked = new Checked(context);
    status = vscode.window.createStatusBarItem('miscast', vscode.StatusBarAlignment.Right, 10);
    status.name = 'miscast';
    context.subscriptions.push(status,
        vscode.workspace.onDidChangeConfiguration(changed),
        vscode.workspace.onDidGrantWorkspaceTrust(sendSettings),
        vscode.languages.onDidChangeDiagnostics(refresh),
        vscode.window.onDidChangeActiveTextEditor(refresh));
    for (const [name, run] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(name, run));
    void inTurn(start);
}

export async function deactivate(): Promise<void> {
    await inTurn(stop);
    log.dispose(); // after the client has logged what it could not finish
}
