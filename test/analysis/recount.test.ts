import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Finding, SlotDocument } from '../support/truth/truth-findings.ts';
import { Recount } from '../support/truth/truth-slots.ts';

/** The script that counts what findings say again finds what is false. */
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-recount-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE = '/w/records';

function recounted(calls: readonly string[]): Recount {
  const recording = path.join(folder, 'run.strace');
  const took = (call: string): string => (call.endsWith('...>') ? call : `${call} <0.000001>`);
  const lines = calls.map((call, i) => `7 100.00000${i} ${took(call)}`);
  writeFileSync(recording, `${lines.join('\n')}\n`);
  return new Recount(recording, '/w/program');
}

function finding(code: string, slots: readonly SlotDocument[]): Finding {
  const none = { savedNs: null, lowNs: null, highNs: null };
  const said = { code, severity: 'info' as const, title: '', message: '', slots, evidence: {}, recommendations: [] };
  return { ...said, files: [{ path: FILE }], sites: [], gain: none };
}

const count = (name: string, value: number): SlotDocument => ({ name, value, text: String(value) });
const bytes = (name: string, value: number): SlotDocument => ({ name, value, text: `${value} B` });

const WRITES = [
  `openat(AT_FDCWD</w>, "records", O_WRONLY|O_CREAT, 0644) = 3<${FILE}>`,
  `write(3<${FILE}>, "a, \\") = 7"..., 16) = 16`,
  `write(3<${FILE}>, ""..., 32) = 32`,
  `write(3<${FILE}>, ""..., 8192) = 8192`,
  `write(3<${FILE}>, ""..., 16 <unfinished ...>`,
];

describe('recount of small writes', () => {
  const recount = recounted([...WRITES, `<... write resumed>) = 16`, `fsync(3<${FILE}>) = 0`]);
  const check = (...slots: SlotDocument[]): readonly string[] => recount.check(finding('P06', slots)).wrong;

  test('true slots', () => {
    expect(check(count('calls', 3), bytes('leastSize', 16), bytes('mostSize', 32), bytes('medianSize', 16))).toEqual(
      [],
    );
    expect(check(count('callsOfSize', 2), bytes('size', 16), count('callsOfSize', 1), bytes('size', 32))).toEqual([]);
  });

  test('false ones, and a text that does not say its value', () => {
    expect(check(count('calls', 4))).toEqual(['P06 message: calls 4, counted 3']);
    expect(check(bytes('medianSize', 32))).toHaveLength(1);
    expect(check({ name: 'calls', value: 3, text: '4' })).toEqual(['P06 message: calls 3 is written "4"']);
  });

  test('estimates are none of the recording; what nobody counts is named', () => {
    const { slots, unknown } = recount.check(finding('P06', [count('cost', 1), count('turns', 2)]));
    expect([slots, unknown]).toEqual([0, ['P06 turns']]);
  });

  test('a synchronisation counts the writes before it', () => {
    const one = count('calls', 1);
    expect(recount.check(finding('L36', [one])).wrong).toEqual(['L36 message: calls 1, counted 0']);
    expect(recount.check(finding('L01', [one, count('writesPerSync', 4)])).wrong).toEqual([]);
  });
});
