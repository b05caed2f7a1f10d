import { getL10nJson } from '@vscode/l10n-dev';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Translations are whole: `npm run l10n` gathers the texts and names what is missing. */
const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Record<string, string>;
const bundle = read('l10n/bundle.l10n.json');
const german = read('l10n/bundle.l10n.de.json');
const manifest = read('package.nls.json');
const germanManifest = read('package.nls.de.json');

/** `{0}`, links, and code that a translation must keep. */
function fixedParts(text: string): string[] {
  return (text.match(/\{\d\}|\]\(command:[^)]+\)|`[^`]+`|iolens\.\w+/g) ?? []).sort();
}

describe('texts that the extension shows', () => {
  test('the bundle is what the sources say', async () => {
    const files = ['src/features', 'src/app']
      .flatMap((room) =>
        readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => `${room}/${name}`),
      )
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    const shown = await getL10nJson(
      files.map((name) => ({ extension: '.ts', contents: readFileSync(path.join(root, name), 'utf8') })),
    );
    expect(Object.keys(bundle)).toEqual(Object.keys(shown).sort());
    expect(Object.keys(bundle).length).toBeGreaterThan(40);
  });

  test('German has them all, and no others', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(bundle).sort());
    expect(Object.keys(germanManifest).sort()).toEqual(Object.keys(manifest).sort());
  });

  test('translations keep places, links and code', () => {
    // A file name in capitals is translated with the sentence that it stands in.
    const kept = (text: string): string[] => fixedParts(text.replace(/ -o [A-Z]+`/, '`'));
    for (const [text, translated] of Object.entries(german)) expect(kept(translated), text).toEqual(kept(text));
    for (const [key, text] of Object.entries(manifest)) expect(kept(germanManifest[key]!), key).toEqual(kept(text));
  });
});
