import { readFileSync, writeFileSync } from 'node:fs';
import { editedText } from '../../../src/export/report/edited-text.ts';
import type { Fix } from '../../../src/analysis/fixes/fix.ts';

/** Makes a fix's edits in the files on disk. */
export function applyFix(fix: Fix): void {
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    const edits = fix.edits.filter((edit) => edit.file === file);
    writeFileSync(file, editedText(readFileSync(file, 'utf8'), edits));
  }
}
