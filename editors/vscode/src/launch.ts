// From settings to the server: which program is started, with which arguments and initial settings.
// Does not depend on VS Code, so it is tested without it.
import { execFile } from 'child_process';
import { existsSync } from 'fs';
import * as path from 'path';

export interface Settings {
    path: string;
    arguments: string[];
    debounce: number;
    hoverPatience: number;
    inlayHints: boolean;
    inlayHintsOnCalls: boolean;
    trustedVerify: boolean;
    select: string[];
    ignore: string[];
    extendSelect: string[];
    packs: string[];
    assume: string[];
    config: string;
    database: string;
    noCache: boolean;
}

export interface Start {
    command: string;
    args: string[];
}

// Settings that have the same name in the server.
const passed = [
    'debounce', 'hoverPatience', 'inlayHints', 'inlayHintsOnCalls', 'select', 'ignore', 'extendSelect', 'packs',
    'assume', 'config', 'database', 'noCache',
] as const;

export const settingNames: readonly (keyof Settings)[] = ['path', 'arguments', 'trustedVerify', ...passed];

export function expandPath(path: string, home: string, folder: string | undefined): string {
    const whole = path.replace(/^~(?=\/|$)/, () => home);
    return folder === undefined ? whole : whole.replace(/\$\{workspaceFolder\}/g, () => folder);
}

export function startOf(s: Settings, home: string, folder: string | undefined): Start {
    return {
        command: expandPath(s.path || 'miscast', home, folder),
        args: ['lsp', ...s.arguments.map(a => expandPath(a, home, folder))],
    };
}

// Code is run only if both the user and the editor trust the workspace.
export function serverSettings(s: Settings, isTrusted: boolean): Record<string, unknown> {
    const sent: Record<string, unknown> = { trusted: s.trustedVerify && isTrusted };
    for (const name of passed) sent[name] = s[name];
    return sent;
}

// The arguments with which a check finds what the server finds.
export function checkArguments(s: Settings): string[] {
    const lists = { select: s.select, ignore: s.ignore, 'extend-select': s.extendSelect, pack: s.packs,
        assume: s.assume, config: [s.config], database: [s.database] };
    const options = Object.entries(lists).flatMap(([name, values]) =>
        values.filter(value => value).map(value => `--${name}=${value}`));
    return ['check', ...options, ...(s.noCache ? ['--no-cache'] : []), '--format=json', '--exit-zero'];
}

// Why a program cannot be the server, or undefined.
export function troubleWith(command: string): Promise<string | undefined> {
    const known: Record<string, string> = { ENOENT: 'was not found', EACCES: 'may not be run' };
    return new Promise(done => execFile(command, ['--version'], { timeout: 10000 }, (e, out) => {
        const why = typeof e?.code === 'string' ? known[e.code] ?? e.message : 'is not miscast';
        done(out.startsWith('miscast ') ? undefined : `'${command}' ${why}`);
    }));
}

// The path of a file in a report: relative to the repository that contains the folder, or else to the
// folder of the configuration.
export function fileInReport(folder: string, file: string): string {
    const above = [path.resolve(folder)];
    while (path.dirname(above[0]) !== above[0]) above.unshift(path.dirname(above[0]));
    const having = (mark: string) => above.filter(dir => existsSync(path.join(dir, mark))).reverse();
    const roots = [...having('.git'), ...having('.miscast.yaml'), ...having('')];
    return roots.map(dir => path.resolve(dir, file)).find(existsSync) ?? path.resolve(folder, file);
}
