import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { EstimatedInsight, Estimates } from '../../src/analysis/gain/gain.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import type { RecordingNote } from '../../src/session/reading/recording-note.ts';
import { writeNote } from '../../src/session/reading/write-note.ts';
import { expectSlots } from './sentences.ts';
import type { StraceText } from './strace-text.ts';

/** What the tests of the triggers have in common. */
export const KiB = 1024;
export const MiB = KiB * KiB;

/**
 * What strace text is worked up to, with thresholds that differ from the defaults.
 * @param note what `iolens record` noted beside it.
 */
export async function analysed(
  text: StraceText | string,
  thresholds: Record<string, number> = {},
  note?: RecordingNote,
): Promise<Estimates> {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-triggers-'));
  try {
    const file = path.join(folder, 'recording.strace');
    writeFileSync(file, text.toString());
    if (note !== undefined) await writeNote(file, note);
    const request = { ...plainRequest(file), thresholds };
    const recording = await OpenedRecording.open(request, await chooseLookup('/nonexistent', false));
    expectSlots(recording.insights);
    return { run: recording.run, insights: recording.insights, unmarked: recording.unmarked };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function insightsOf(
  text: StraceText,
  thresholds: Record<string, number> = {},
): Promise<readonly EstimatedInsight[]> {
  return (await analysed(text, thresholds)).insights;
}

export async function codes(text: StraceText, thresholds: Record<string, number> = {}): Promise<string[]> {
  return (await insightsOf(text, thresholds)).map(({ code }) => code);
}

export async function find(
  code: string,
  text: StraceText,
  thresholds: Record<string, number> = {},
): Promise<EstimatedInsight> {
  const found = (await insightsOf(text, thresholds)).find((insight) => insight.code === code);
  expect(found, code).toBeDefined();
  return found!;
}

export type Direction = 'read' | 'write';

/** `pread64` or `pwrite64` at an offset. */
export function at(direction: Direction, file: string, offset: number, bytes: number): string {
  const name = direction === 'read' ? 'pread64' : 'pwrite64';
  return `${name}(3<${file}>, ""..., ${bytes}, ${offset}) = ${bytes}`;
}
