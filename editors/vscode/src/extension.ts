// The extension: starts `miscast lsp` for C files, says how it is in the status bar, and has commands
// for what is done to a finding at the cursor.
import * as os from 'os';
import * as vscode from 'vscode';
import { CodeActionRequest, LanguageClient, State, type CodeAction, type Command } from 'vscode-languageclient/node';
import { serverSettings, settingNames, startOf, type Settings } from './launch';

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;
let log: vscode.LogOutputChannel;

// ---- settings -----------------------------------------------------------------------------------

function settings(): Settings {
    const all = vscode.workspace.getConfiguration('miscast');
    return Object.fromEntries(settingNames.map(name => [name, all.get(name)])) as unknown as Settings;
}

function firstFolder(): string | undefined {
    return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

function told(): Record<string, unknown> {
    return serverSettings(settings(), vscode.workspace.isTrusted);
}

// ---- the server ---------------------------------------------------------------------------------

// VS Code takes headers for C++.
const files = [{ scheme: 'file', language: 'c' }, { scheme: 'file', language: 'cpp', pattern: '**/*.h' }];

async function start(): Promise<void> {
    const { command, args } = startOf(settings(), os.homedir(), firstFolder());
    const own = new LanguageClient('miscast', 'miscast', { command, args }, {
        documentSelector: files,
        initializationOptions: told(),
        outputChannel: log,
    });
    client = own;
    own.onDidChangeState(e => { if (client === own) showState(e.newState); });
    try {
        await own.start();
    } catch (e) {
        showState(State.Stopped);
        const settingsWord = 'Open Settings';
        const chosen = await vscode.window.showErrorMessage(
            `miscast: '${command}' could not be started: ${e instanceof Error ? e.message : String(e)}`, settingsWord);
        if (chosen === settingsWord)
            void vscode.commands.executeCommand('workbench.action.openSettings', 'miscast.path');
    }
}

async function stop(): Promise<void> {
    const old = client;
    client = undefined;
    if (old?.state === State.Running) await old.stop();
    await old?.dispose();
}

async function restart(): Promise<void> {
    await stop();
    await start();
}

// Another program or other arguments need another process; the rest is told to the one that runs.
async function changed(e: vscode.ConfigurationChangeEvent): Promise<void> {
    if (e.affectsConfiguration('miscast.path') || e.affectsConfiguration('miscast.arguments'))
        await restart();
    else if (e.affectsConfiguration('miscast'))
        await tellSettings();
}

async function tellSettings(): Promise<void> {
    if (client?.state === State.Running)
        await client.sendNotification('workspace/didChangeConfiguration', { settings: { miscast: told() } });
}

// ---- the status bar -----------------------------------------------------------------------------

function countHere(): string {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !vscode.languages.match(files, editor.document)) return '';
    const own = vscode.languages.getDiagnostics(editor.document.uri).filter(d => d.source === 'miscast');
    return own.length ? ` ${own.length}` : ' $(check)';
}

function showState(state: State): void {
    const texts: Record<State, string> = {
        [State.Starting]: '$(sync~spin) miscast',
        [State.Running]: `miscast${countHere()}`,
        [State.Stopped]: '$(error) miscast',
    };
    const tips: Record<State, string> = {
        [State.Starting]: 'miscast is being started',
        [State.Running]: 'miscast: findings in this file. Click for the log',
        [State.Stopped]: 'miscast does not run. Click for the log',
    };
    status.text = texts[state];
    status.tooltip = tips[state];
    status.show();
}

function refresh(): void {
    if (client) showState(client.state);
}

// ---- a finding at the cursor --------------------------------------------------------------------

function commandOf(action: CodeAction | Command): Command | undefined {
    return typeof action.command === 'string' ? (action as Command) : action.command;
}

// What the server offers of that name for the lines that are selected.
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

async function choose(offered: Command[]): Promise<Command | undefined> {
    if (offered.length < 2) return offered[0];
    const editor = vscode.window.activeTextEditor!;
    const own = vscode.languages.getDiagnostics(editor.document.uri)
        .filter(d => d.source === 'miscast' && d.range.start.line <= editor.selection.end.line &&
            d.range.end.line >= editor.selection.start.line);
    const items = offered.map((command, i) => ({ label: own[i]?.message.split('\n')[0] ?? command.title, command }));
    return (await vscode.window.showQuickPick(items, { title: 'Which finding?' }))?.command;
}

async function doHere(name: string): Promise<void> {
    const offered = await offeredHere(name);
    const needsTrust = name !== 'miscast.addToBaseline' && !told().trusted;
    if (!offered.length) {
        void vscode.window.showInformationMessage(needsTrust
            ? 'miscast runs code only in a trusted workspace, with the setting miscast.trustedVerify.'
            : 'miscast has no finding here.');
        return;
    }
    const chosen = await choose(offered);
    if (chosen) await vscode.commands.executeCommand(name, ...(chosen.arguments ?? []));
}

// ---- the workspace ------------------------------------------------------------------------------

async function checkWorkspace(): Promise<void> {
    const { command } = startOf(settings(), os.homedir(), firstFolder());
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
        const run = new vscode.ProcessExecution(command, ['check'], { cwd: folder.uri.fsPath });
        const task = new vscode.Task({ type: 'miscast' }, folder, 'check', 'miscast', run, '$miscast');
        task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
        await vscode.tasks.executeTask(task);
    }
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

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    log = vscode.window.createOutputChannel('miscast', { log: true });
    status = vscode.window.createStatusBarItem('miscast', vscode.StatusBarAlignment.Right, 10);
    status.name = 'miscast';
    status.command = 'miscast.showOutput';
    context.subscriptions.push(log, status,
        vscode.workspace.onDidChangeConfiguration(changed),
        vscode.workspace.onDidGrantWorkspaceTrust(tellSettings),
        vscode.languages.onDidChangeDiagnostics(refresh),
        vscode.window.onDidChangeActiveTextEditor(refresh));
    for (const [name, run] of Object.entries(commands))
        context.subscriptions.push(vscode.commands.registerCommand(name, run));
    await start();
}

export async function deactivate(): Promise<void> {
    await stop();
}
