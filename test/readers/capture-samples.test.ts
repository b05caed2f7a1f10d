import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCapture } from '../../src/readers/capture/capture-reader.ts';
import { GrowingCapture } from '../../src/readers/capture/growing-capture.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { decodeTrace, encodeTrace } from '../../src/session/reading/trace-encoding.ts';
import { LAYERS } from '../../src/trace/calls.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { GrowingBytes } from '../support/growing-bytes.ts';
import { expectSound } from '../support/sound-trace.ts';

const data = fileURLToPath(new URL('../data/capture/', import.meta.url));

/** Files that the program is about: others belong to MPI and the C library. */
const OWN = /^\/srv\/job\/(?!.*openmpi)/;

async function read(name: string): Promise<Trace> {
  const files = readdirSync(`${data}${name}`).map((file) => new LocalRecordingFile(`${data}${name}/${file}`));
  const trace = await readCapture(files);
  expectSound(trace);
  expect(trace.damage).toEqual([]);
  return trace;
}

/** Each call on a file of the program: what it did, where, and within which call. */
function callsOf(trace: Trace, row: number): string {
  const { events, files, calls, streams, errors, handles } = trace;
  const value = (column: Parameters<typeof events.value>[0], of = row): number => events.value(column, of);
  const stream = streams[value('stream')]!;
  const who = stream.rank === undefined ? `process ${stream.processId}` : `rank ${stream.rank}`;
  const parent = value('parent');
  const handle = value('handle');
  const name = handle === NONE ? undefined : trace.definitions!.handleNames.get(handle);
  return [
    who,
    ' '.repeat(value('layer')) + LAYERS[value('layer')]!,
    calls.names[value('call')],
    files.at(value('file')).path.replace('/srv/job/', '') + (name === undefined ? '' : ` ${name}`),
    `at ${value('offset')}, ${value('bytes')} of ${value('requested')}`,
    errors.at(value('error')),
    handle === NONE || handles.parent.at(handle) === NONE
      ? ''
      : `in ${LAYERS[handles.layer.at(handles.parent.at(handle))]!}`,
    parent === NONE ? '' : `by ${calls.names[value('call', parent)]!}`,
    value('flags') === 0 ? '' : `flags ${value('flags')}`,
  ]
    .filter((part) => part !== '')
    .join(' | ');
}

function linesOf(trace: Trace): string[] {
  const rows = Array.from({ length: trace.events.length }, (_, row) => row).filter((row) => {
    const file = trace.events.value('file', row);
    return file !== NONE && OWN.test(trace.files.at(file).path);
  });
  return rows.map((row) => callsOf(trace, row));
}

function describeTrace(trace: Trace): string {
  const lines = linesOf(trace);
  const counted: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = counted.at(-1);
    if (last?.line === line) last.count++;
    else counted.push({ line, count: 1 });
  }
  return `${counted.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`)).join('\n')}\n`;
}

describe.each(['processes', 'layers'])('a recording of the library: %s', (name) => {
  test('is what its program did', async () => {
    const trace = await read(name);
    await expect(describeTrace(trace)).toMatchFileSnapshot(`${data}${name}.expected.txt`);
  });

  test('is the same, in another order, when it is read while it grows', async () => {
    const files = readdirSync(`${data}${name}`).map((file) => {
      const bytes = readFileSync(`${data}${name}/${file}`);
      return new GrowingBytes(file, file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    });
    const reader = new GrowingCapture();
    // One after the other, each in pieces. In one of the processes the chunk of a thread that reads a file stands in front
    // of the chunk in which that is opened.
    const piece = name === 'layers' ? 700 : 10_000;
    for (const file of files) {
      reader.add([file]);
      for (let length = 0; length < 120_000; length += piece) {
        file.grow(length);
        await reader.read();
      }
    }
    const now = reader.snapshot();
    expectSound(now);
    expect(now.damage).toEqual([]);
    const whole = await read(name);
    expect(linesOf(await reader.finish()).sort()).toEqual(linesOf(whole).sort());
    expect(new Set(now.streams.map(({ rank }) => rank))).toEqual(new Set(whole.streams.map(({ rank }) => rank)));
    expect(now.definitions!.paradigms).toEqual(whole.definitions!.paradigms);
  });

  test('stays what it is in the cache', async () => {
    const trace = await read(name);
    const encoded = encodeTrace(trace)!;
    const head = JSON.parse(JSON.stringify(encoded.head)) as typeof encoded.head;
    const again = decodeTrace(head, encoded.handles, trace.events, []);
    expect(encodeTrace(again)).toEqual(encoded);
    expect(again.stacks.moduleBuilds.size).toBeGreaterThan(1);
    expect(again.stacks.moduleForms).toEqual(trace.stacks.moduleForms);
    expect(again.definitions).toEqual(trace.definitions);
  });
});

test('a recording names its ranks, their communicators, and what their layers are', async () => {
  const trace = await read('layers');
  expect(new Set(trace.streams.map(({ rank, host }) => `${host} ${rank}`))).toEqual(new Set(['node01 0', 'node01 1']));
  const { communicators, paradigms } = trace.definitions!;
  const world = communicators.find(({ name }) => name === 'MPI_COMM_WORLD');
  expect(world?.members.map((stream) => trace.streams[stream]!.rank)).toEqual([0, 1]);
  expect(paradigms.map(({ name }) => name)).toEqual(['NetCDF', 'PnetCDF', 'HDF5', 'MPI-IO', 'POSIX']);
  expect([...trace.definitions!.handleNames.values()]).toEqual(
    expect.arrayContaining(['temperature', 'mask', 'east', 'north', 'means']),
  );
});
