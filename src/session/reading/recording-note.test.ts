import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readNote } from './recording-note.ts';
import { EMPTY_NOTE, writeNote } from './write-note.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-note-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);
const NOTE = { ...EMPTY_NOTE, life: { lastedNs: 5, userNs: 3, systemNs: 1 } };

test('a note is that of its recording, also when this goes on, is packed or has another name', async () => {
  writeFileSync(at('a.strace'), '7 1.0 close(3) = 0 <0.1>\n');
  await writeNote(at('a.strace'), NOTE);
  expect(await readNote([at('a.strace')])).toMatchObject({ note: { life: NOTE.life }, notes: [] });
  appendFileSync(at('a.strace'), '7 2.0 close(4) = 0 <0.1>\n'.repeat(1000));
  expect(await readNote(['-', at('a.strace')])).toMatchObject({ note: { life: NOTE.life }, notes: [] });
  renameSync(at('a.strace'), at('a.strace.gz'));
  expect(await readNote([at('a.strace.gz')])).toMatchObject({ note: { life: NOTE.life }, notes: [] });
  renameSync(at('a.strace.gz'), at('b.strace'));
  renameSync(at('a.strace.iolens.json'), at('b.strace.iolens.json'));
  expect(await readNote([at('b.strace')])).toMatchObject({ note: { life: NOTE.life }, notes: [] });
});

test('what was recorded by hand under the name of an earlier recording has no note, and that is said', async () => {
  writeFileSync(at('a.strace'), '7 1.0 close(3) = 0 <0.1>\n');
  await writeNote(at('a.strace'), NOTE);
  for (const other of ['8 9.0 close(3) = 0 <0.1>\n', '7 1.0', '']) {
    writeFileSync(at('a.strace'), other);
    const notes = [`${at('a.strace.iolens.json')} is not used: it is of another recording than the one beside it`];
    expect(await readNote([at('a.strace')])).toEqual({ note: undefined, notes });
  }
});

test('notes of before, and those in folders, say of no recording that they are its', async () => {
  writeFileSync(at('recording.iorec'), 'x');
  await writeNote(at('recording'), NOTE);
  expect(readFileSync(at('recording.iolens.json'), 'utf8')).not.toContain('"of"');
  expect(await readNote([at('recording.iorec')])).toMatchObject({ note: { life: NOTE.life }, notes: [] });
});
