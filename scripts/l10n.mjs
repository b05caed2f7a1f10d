// npm run l10n: gathers what the editor's features show (vscode.l10n.t) in l10n/bundle.l10n.json, and says what translations lack.
import { getL10nJson } from '@vscode/l10n-dev';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './machine.mjs';

const folder = path.join(root, 'l10n');

/** Every text of the extension's sources, in the order of the alphabet: the file then does not change with the order of the code. */
export async function shownTexts() {
  const files = ['src/features', 'src/app']
    .flatMap((room) =>
      readdirSync(path.join(root, room), { recursive: true }).map((name) => path.join(root, room, name)),
    )
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = await getL10nJson(files.map((name) => ({ extension: '.ts', contents: readFileSync(name, 'utf8') })));
  return Object.fromEntries(Object.entries(texts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.filename === process.argv[1]) {
  const texts = await shownTexts();
  writeFileSync(path.join(folder, 'bundle.l10n.json'), `${JSON.stringify(texts, null, 2)}\n`);
  for (const name of readdirSync(folder).filter((file) => /^bundle\.l10n\.\w+\.json$/.test(file))) {
    const translated = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    const missing = Object.keys(texts).filter((text) => !(text in translated));
    const old = Object.keys(translated).filter((text) => !(text in texts));
    for (const text of missing) console.log(`${name} lacks: ${text}`);
    for (const text of old) console.log(`${name} no longer needs: ${text}`);
  }
}
