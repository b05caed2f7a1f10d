import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { callRows } from '../../../test/support/trace-rows.ts';
import { recordingFilesAt } from '../../session/reading/recording-files.ts';
import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readStrace } from './strace-reader.ts';

interface Expected {
  calls: Record<string, number>;
  totalBytes: number;
  totalDurationNanoseconds: number;
  nodes: Record<string, [count: number, bytes: number | null]>;
}

const TRANSFERS = new Set([OPERATION.read, OPERATION.write]);

/** Calls that the reference maps to an activity. */
function mappedRows(trace: Trace): number[] {
  return callRows(trace).filter((row) => {
    const { events, calls } = trace;
    const isLost = events.value('flags', row) & (NOT_COUNTED | EVENT_FLAGS.beginningLost);
    return isLost === 0 && events.value('file', row) !== NONE && calls.names[events.value('call', row)] !== 'mmap';
  });
}

/** `call:/first/second` with count and bytes, as the reference of the corpus makes them. */
function nodesOf(trace: Trace): Map<string, [number, number]> {
  const nodes = new Map<string, [number, number]>();
  const { events } = trace;
  for (const row of mappedRows(trace)) {
    const file = events.value('file', row);
    const call = trace.calls.names[events.value('call', row)]!;
    const parts = trace.files.at(file).path.split('/');
    const place = parts.length > 2 ? `/${parts[1]}/${parts[2]}` : trace.files.at(file).path;
    const node = nodes.get(`${call}:${place}`) ?? [0, 0];
    node[0]++;
    // As the paper: only the variants of read and write move bytes.
    if (TRANSFERS.has(trace.calls.operation[events.value('call', row)]!)) node[1] += events.value('bytes', row);
    nodes.set(`${call}:${place}`, node);
  }
  return nodes;
}

async function read(file: string): Promise<Trace> {
  return readStrace(await recordingFilesAt(file));
}

/** Calls that the reference does not count: ours keeps a call whose other half is lost. */
const MORE_CALLS: Readonly<Record<string, number>> = {
  'half-pairs.strace': 2,
  // It begins with a byte order mark.
  'bom.strace': 1,
  // Behind the hole of NUL bytes the line is whole.
  'nul-bytes.strace': 1,
};

/** Nanoseconds of the calls that only one of the two maps to a file: see `wantedNodes`. */
const MORE_TIME: Readonly<Record<string, number>> = {
  'bom.strace': 146_000,
  'nul-bytes.strace': 13_000,
  'thread-exec.strace': -70_000,
};

/** What is reported of recordings that are not whole. */
const DAMAGE: Readonly<Record<string, string[]>> = {
  'half-pairs.strace': [
    'line 88: clone of process 19536 begins and never returns: another call of the same process follows',
    'line 90: write returns, but its beginning is missing',
  ],
  'interleaved-garbage.strace': [7, 18, 51, 62, 95, 106].map(
    (line) => `line ${line}: the line is no system call, signal or exit`,
  ),
  'k-truncated-in-stack.strace': ['line 665: the file ends inside a stack frame'],
  'nul-bytes.strace': ['line 41: a hole of 4096 NUL bytes'],
  'pid-reuse.strace': ['line 104: the clock was set back by 0.043218 s'],
  'truncated-in-string.strace': ['line 22: the file ends inside this line'],
  'truncated-last-line.strace': ['line 98: the file ends inside this line'],
};

/**
 * Recordings without `-y` (or with raw arguments): the reference knows no file of a descriptor there, ours follows the
 * descriptors from the calls that open them. The bytes must be the same.
 */
const NOT_DECORATED = new Set(
  ['f-r-tt', 'f-r', 'f-t', 'f-tt', 'f-ttt', 'f', 'plain', 'relative-ns', 'raw-e'].map((name) => `${name}.strace`),
);

/** Nodes where the raw recording shows that the reference is wrong, and what is right. */
const CORRECTED: Readonly<Record<string, Record<string, string>>> = {
  // `./x` and `x` are the same file.
  'io-uring.strace': { 'execve:./uring': 'execve:uring' },
  'thread-exec.strace': { 'execve:./thread_exec': 'execve:thread_exec' },
};

function bytesRead(trace: Trace): number {
  let sum = 0;
  for (const row of callRows(trace)) {
    if (TRANSFERS.has(trace.calls.operation[trace.events.value('call', row)]!)) sum += trace.events.value('bytes', row);
  }
  return sum;
}

/** Nanoseconds in the calls that the reference maps; without `-T` it knows no durations. */
function nanosecondsOf(trace: Trace): number {
  if (!trace.capabilities.duration) return 0;
  return mappedRows(trace).reduce((sum, row) => {
    const duration = trace.events.value('duration', row);
    return duration > 0 ? sum + duration : sum;
  }, 0);
}

function wantedNodes(name: string, truth: Expected): Record<string, [number, number]> {
  const wanted: Record<string, [number, number]> = {};
  for (const [node, [count, bytes]] of Object.entries(truth.nodes)) {
    // The first argument of getrandom is a buffer, no path.
    if (node.startsWith('getrandom:')) continue;
    const corrected = CORRECTED[name]?.[node] ?? node;
    // The reference takes memfd_create's argument for a path; the descriptor that it returns tells the real one.
    const key = corrected.replace(/^memfd_create:.*/, 'memfd_create:/memfd:scratch (1)');
    wanted[key] = [count, bytes ?? 0];
  }
  // Lines that the reference lost: behind a byte order mark, behind a hole.
  if (name === 'bom.strace') wanted['execve:/tmp/fmt'] = [1, 0];
  if (name === 'nul-bytes.strace') wanted['memfd_create:/memfd:scratch (1)'] = [1, 0];
  return wanted;
}

for (const folder of ['strace/formats', 'strace/damaged']) {
  const place = corpus(folder);
  describe.skipIf(place === undefined)(place === undefined ? absent(folder) : folder, () => {
    const expected = JSON.parse(readFileSync(path.join(place!, 'expected.json'), 'utf8')) as Record<string, Expected>;
    for (const [name, truth] of Object.entries(expected)) {
      test(name, async () => {
        if (truth.calls['parsedCalls'] === 0) {
          await expect(read(path.join(place!, name))).rejects.toThrow(name);
          return;
        }
        const trace = await read(path.join(place!, name));
        const withoutReturn = truth.calls['calls without return value'] ?? 0;
        expect(callRows(trace).length).toBe(truth.calls['parsedCalls']! + withoutReturn + (MORE_CALLS[name] ?? 0));
        const damage = trace.damage.map(({ where, what }) => `${where}: ${what}`);
        expect(damage).toEqual((DAMAGE[name] ?? []).map((report) => `${name}, ${report}`));
        // Of the process in half-pairs.strace the reference knows no whole call.
        const pids = new Set(callRows(trace).map((row) => trace.streams[trace.events.value('stream', row)]!.pid)).size;
        expect(pids).toBe(truth.calls['pids']! + (name === 'half-pairs.strace' ? 1 : 0));
        const found = nodesOf(trace);
        if (NOT_DECORATED.has(name)) {
          // `plain` does not follow the child.
          expect(bytesRead(trace)).toBe(name === 'plain.strace' ? 11118 - 'child'.length : 11118);
        } else {
          expect(Object.fromEntries([...found].sort())).toEqual(wantedNodes(name, truth));
          expect([...found.values()].reduce((sum, [, bytes]) => sum + bytes, 0)).toBe(truth.totalBytes);
          const more = MORE_TIME[name] ?? 0;
          expect(nanosecondsOf(trace)).toBe(truth.totalDurationNanoseconds + more);
        }
      });
    }
  });
}
