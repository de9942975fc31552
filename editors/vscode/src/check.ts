// Checks whole folders in a separate process. Its findings are shown as problems only while the server
// does not report on the file itself: not while the file is open, and not after it was changed.
import { spawn } from 'child_process';
import { readFile } from 'fs/promises';
import * as vscode from 'vscode';
import { fileInReport } from './launch';

interface Span { file: string; line: number; column: number; end_line: number; end_column: number }
interface Step extends Partial<Span> { what: string; when?: string; called_from?: Span }
interface Finding extends Span { rule: string; severity: string; message: string; lineage?: Step[] }

const severities: Record<string, vscode.DiagnosticSeverity> = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    note: vscode.DiagnosticSeverity.Information,
};

// ---- from a report to diagnostics -----------------------------------------------------------------

// Reports count bytes and the editor counts UTF-16 code units: converting needs the text.
class Lines {
    private readonly files = new Map<string, Promise<string[]>>();

    async rangeOf(folder: string, s: Span): Promise<vscode.Location> {
        const file = fileInReport(folder, s.file);
        if (!this.files.has(file))
            this.files.set(file, readFile(file, 'utf8').then(text => text.split('\n'), () => []));
        const lines = await this.files.get(file)!;
        const place = (line: number, column: number) => new vscode.Position(line - 1,
            Buffer.from(lines[line - 1] ?? '').subarray(0, column - 1).toString().length);
        return new vscode.Location(vscode.Uri.file(file),
            new vscode.Range(place(s.line, s.column), place(s.end_line, s.end_column)));
    }
}

async function related(lines: Lines, folder: string, step: Step): Promise<vscode.DiagnosticRelatedInformation[]> {
    const places: [Partial<Span> | undefined, string][] = [
        [step, step.when ? `${step.what} when ${step.when}` : step.what],
        [step.called_from, 'called from here'],
    ];
    return Promise.all(places.filter(([span]) => span?.line).map(async ([span, what]) =>
        new vscode.DiagnosticRelatedInformation(await lines.rangeOf(folder, span as Span), what)));
}

async function diagnosticOf(lines: Lines, folder: string, f: Finding): Promise<[vscode.Uri, vscode.Diagnostic]> {
    const { uri, range } = await lines.rangeOf(folder, f);
    const diagnostic = new vscode.Diagnostic(range, f.message, severities[f.severity]);
    diagnostic.source = 'miscast';
    diagnostic.code = f.rule;
    diagnostic.relatedInformation = (await Promise.all((f.lineage ?? []).map(s => related(lines, folder, s)))).flat();
    return [uri, diagnostic];
}

// ---- the process ------------------------------------------------------------------------------------

export interface Outcome {
    findings: Finding[];
    trouble?: string; // why there is no result
    partly: boolean;  // some files could not be analysed
}

function runCheck(command: string, args: string[], cwd: string, said: (text: string) => void,
    stop: vscode.CancellationToken): Promise<Outcome> {
    return new Promise(done => {
        const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
        const out: Buffer[] = [];
        let last = '';
        stop.onCancellationRequested(() => child.kill());
        child.stdout.on('data', part => out.push(part));
        child.stderr.setEncoding('utf8').on('data', (part: string) => { last = part.trim() || last; said(part); });
        child.on('error', e => done({ findings: [], trouble: e.message, partly: false }));
        child.on('close', code => {
            try {
                const report = JSON.parse(Buffer.concat(out).toString());
                done({ findings: report.findings, partly: code === 3 });
            } catch {
                done({ findings: [], trouble: last.split('\n').pop() || 'it was stopped', partly: false });
            }
        });
    });
}

// ---- what is shown ----------------------------------------------------------------------------------

export class Checked {
    private readonly shown = vscode.languages.createDiagnosticCollection('miscast-check');
    private readonly found = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    private readonly reported = new Set<string>(); // files that are not open and that the server reports on

    constructor(context: vscode.ExtensionContext) {
        context.subscriptions.push(this.shown,
            vscode.workspace.onDidOpenTextDocument(d => this.shown.delete(d.uri)),
            vscode.workspace.onDidCloseTextDocument(d => this.show(d.uri)),
            vscode.workspace.onDidChangeTextDocument(e => {
                if (e.contentChanges.length) this.found.delete(e.document.uri.toString());
            }));
    }

    // The server reports on a file that is not open.
    serverReported(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): void {
        if (diagnostics.length) this.reported.add(uri.toString());
        else this.reported.delete(uri.toString());
        this.show(uri);
    }

    private show(uri: vscode.Uri): void {
        const key = uri.toString(), known = this.found.get(key);
        const isOpen = vscode.workspace.textDocuments.some(d => !d.isClosed && d.uri.toString() === key);
        this.shown.set(uri, known && !isOpen && !this.reported.has(key) ? known[1] : undefined);
    }

    // Checks all folders; reports the last error, if any.
    async run(command: string, args: string[], folders: readonly string[], said: (text: string) => void,
        stop: vscode.CancellationToken): Promise<Outcome> {
        const whole: Outcome = { findings: [], partly: false }, lines = new Lines();
        this.shown.clear();
        this.found.clear();
        for (const folder of folders) {
            const one = await runCheck(command, args, folder, said, stop);
            for (const [uri, diagnostic] of await Promise.all(one.findings.map(f => diagnosticOf(lines, folder, f)))) {
                const key = uri.toString();
                this.found.set(key, [uri, [...(this.found.get(key)?.[1] ?? []), diagnostic]]);
            }
            whole.findings.push(...one.findings);
            whole.partly ||= one.partly;
            whole.trouble = one.trouble ?? whole.trouble;
        }
        for (const [uri] of this.found.values()) this.show(uri);
        return whole;
    }
}
