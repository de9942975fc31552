// From settings to the server: which program is started, with which arguments, and what it is told
// at the beginning. Knows nothing of VS Code, so that it is tested without.

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

// Settings that the server knows by the same name.
const passed = [
    'debounce', 'hoverPatience', 'inlayHints', 'inlayHintsOnCalls', 'select', 'ignore', 'extendSelect', 'packs', 'assume',
    'config', 'database', 'noCache',
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

// Code is run only where both the person and the editor trust the workspace.
export function serverSettings(s: Settings, isTrusted: boolean): Record<string, unknown> {
    const told: Record<string, unknown> = { trusted: s.trustedVerify && isTrusted };
    for (const name of passed) told[name] = s[name];
    return told;
}
