// The package of the extension: its contents, and whether everything its manifest names exists.
//
//   node vsix.mjs FOLDER-OF-THE-UNPACKED-VSIX
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const [folder] = process.argv.slice(2);
const read = name => readFileSync(`${folder}/${name}`, 'utf8');
const manifest = JSON.parse(read('extension/package.json')), about = read('extension.vsixmanifest');
assert.match(about, /<Identity [^>]*Id="miscast"[^>]*Publisher="miscast"/);
assert.match(about, new RegExp(`<Identity [^>]*Version="${manifest.version}"`));
assert.match(about, /Microsoft\.VisualStudio\.Code\.Engine" Value="\^1\.82\.0"/);
assert.ok(existsSync(`${folder}/[Content_Types].xml`));
assert.ok(!existsSync(`${folder}/extension/node_modules`) && !existsSync(`${folder}/extension/src`));
assert.ok(readdirSync(`${folder}/extension`).some(n => /^license/i.test(n)), 'no licence');
assert.ok(existsSync(`${folder}/extension/${manifest.icon}`), 'no icon');

// Every command of the manifest is registered, and nothing but the editor is left to be required.
const bundle = read(`extension/${manifest.main}`);
for (const { command } of manifest.contributes.commands)
    assert.ok(bundle.includes(`"${command}"`), `${command} is not registered`);
for (const { command } of manifest.contributes.menus.commandPalette)
    assert.ok(manifest.contributes.commands.some(c => c.command === command), `${command} is no command`);
const { builtinModules } = await import('node:module');
for (const [, name] of bundle.matchAll(/\brequire\("([^"]+)"\)/g))
    assert.ok(name === 'vscode' || builtinModules.includes(name.replace(/^node:/, '')), `${name} is not in the package`);

// What a task with 'miscast check' writes is what the matcher reads.
const matcher = manifest.contributes.problemMatchers[0].pattern;
const line = 'src/train.c:88:14: error: matmul needs one dtype: \'h\' is f16, \'m->w2\' is f32 [matmul-dtype]';
const found = new RegExp(matcher.regexp).exec(line);
assert.deepEqual([found[matcher.file], found[matcher.line], found[matcher.column], found[matcher.severity],
    found[matcher.code]], ['src/train.c', '88', '14', 'error', 'matmul-dtype']);
