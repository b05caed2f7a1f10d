import { readFileSync, writeFileSync } from 'node:fs';
import type { Fix } from '../src/analysis/fixes/fix.ts';

/** Makes a fix's edits in the files on disk. */
export function applyFix(fix: Fix): void {
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    let text = readFileSync(file, 'utf8');
    const edits = fix.edits.filter((edit) => edit.file === file).sort((a, b) => b.start - a.start || b.end - a.end);
    for (const { start, end, text: put } of edits) text = text.slice(0, start) + put + text.slice(end);
    writeFileSync(file, text);
  }
}
