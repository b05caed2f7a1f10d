import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from './truth-findings.ts';

/**
 * Counts what a raw recording of strace holds for a line of the source. It reads the text by itself and asks binutils for
 * the lines, so that it shares no mistake with the product.
 */

export interface LineCalls {
  readonly calls: number;
  readonly bytes: number;
  readonly sizes: readonly number[];
}

interface RawCall {
  readonly name: string;
  readonly result: number;
  readonly descriptor: string;
  /** Addresses in the program itself, innermost first. */
  readonly addresses: string[];
}

/** What each letter of a code counts: names of system calls. */
const COUNTED: Readonly<Record<string, RegExp>> = {
  P05: /^(read|pread64|readv)$/,
  P06: /^(write|pwrite64|writev)$/,
  P09: /^(read|pread64)$/,
  P10: /^(write|pwrite64)$/,
  P11: /^(read|pread64)$/,
  P13: /^(write|pwrite64)$/,
  L01: /^(fsync|fdatasync)$/,
  L03: /^lseek$/,
  L04: /^(write|writev)$/,
  L05: /^(read|pread64)$/,
  L06: /^pwrite64$/,
  L12: /^(newfstatat|stat|access|faccessat2?)$/,
  L13: /^write$/,
  L33: /^write$/,
  L34: /^write$/,
  L35: /^sendfile$/,
  L36: /^(fsync|fdatasync)$/,
};
const FIRST_IS_NO_REPEAT = new Set(['L13', 'P09', 'P10', 'L12', 'P11', 'L36', 'P13', 'L05', 'L06']);

function rawCalls(text: string, program: string): RawCall[] {
  const calls: RawCall[] = [];
  for (const line of text.split('\n')) {
    const frame = /^ > (.*?)(?:\([^)]*\))? \[(0x[0-9a-f]+)\]$/.exec(line);
    if (frame !== null) {
      if (frame[1] === program) calls.at(-1)?.addresses.push(frame[2]!);
      continue;
    }
    const call = /^\d+ +[\d.]+ (?:<\.\.\. )?(\w+)(?:\((\d+(?:<[^>]*>)?)?| resumed>).* = (-?\d+)/.exec(line);
    if (call !== null)
      calls.push({ name: call[1]!, descriptor: call[2] ?? '', result: Number(call[3]), addresses: [] });
  }
  return calls;
}

/** Addresses whose code, inlined functions and all, was written at a place (`file.c:12`). */
function addressesAt(place: string, addresses: readonly string[], program: string): Set<string> {
  if (addresses.length === 0) return new Set();
  const before = addresses.map((address) => `0x${(Number(address) - 1).toString(16)}`);
  const text = execFileSync('addr2line', ['-a', '-i', '-e', program, ...before], { encoding: 'utf8' });
  const [source] = place.split(':');
  const here = text
    .split(/^0x[0-9a-f]+\n/m)
    .slice(1)
    .map((lines) => {
      const own = lines.split('\n').map((line) => path.basename(line.replace(/ \(discriminator.*/, '')));
      return own.find((line) => line.startsWith(`${source}:`)) === place;
    });
  return new Set(addresses.filter((_, i) => here[i]));
}

/** What the raw recording holds of the calls of a finding's kind at a line; undefined for kinds that are not counted here. */
export function countedAt(recording: string, program: string, place: string, code: string): LineCalls | undefined {
  const kind = COUNTED[code];
  if (kind === undefined) return undefined;
  const calls = rawCalls(readFileSync(recording, 'utf8'), program).filter(({ name }) => kind.test(name));
  const there = addressesAt(place, [...new Set(calls.flatMap(({ addresses }) => addresses))], program);
  const here = calls.filter(({ addresses, result }) => result >= 0 && there.has(addresses[0] ?? ''));
  const moves = !/sync|seek|stat|access/.test(here[0]?.name ?? '');
  const sizes = moves ? here.map(({ result }) => result).filter((bytes) => bytes > 0) : [];
  return { calls: moves ? sizes.length : here.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0), sizes };
}

const THOUSANDS = new Intl.NumberFormat('en');

/** What the words and numbers of a finding say otherwise than the raw recording; nothing where all is true. */
export function untrue(finding: Finding, raw: LineCalls): string[] {
  const { count, bytes, medianBytes } = finding.evidence;
  const wrong: string[] = [];
  // The first look at a place repeats none, and the first access has none before it.
  const fewest = FIRST_IS_NO_REPEAT.has(finding.code) ? raw.calls * 0.95 - 1 : raw.calls;
  if (count === undefined || count > raw.calls || count < fewest) wrong.push(`count ${count}, counted ${raw.calls}`);
  else if (!finding.message.includes(THOUSANDS.format(count))) wrong.push(`the message does not say ${count}`);
  if (bytes !== undefined && count === raw.calls && raw.bytes > 0 && bytes !== raw.bytes)
    wrong.push(`bytes ${bytes}, counted ${raw.bytes}`);
  const median = raw.sizes.toSorted((a, b) => a - b)[Math.floor(raw.sizes.length / 2)];
  if (medianBytes !== undefined && median !== undefined && medianBytes !== median)
    wrong.push(`median of ${medianBytes} bytes, counted ${median}`);
  return wrong;
}
