import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDarshanText } from '../../src/readers/darshan-text/text-reader.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import type { CounterTable } from '../../src/trace/counters.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import { isFloat, printCounters, printSegments, rowsByHandle } from '../support/darshan/darshan-printer.ts';
import { memoryFile } from '../support/memory-file.ts';

/** Text of darshan-parser and darshan-dxt-parser against the logs that it was made of. */
const folder = corpus('darshan');
/** Records of a module that are printed: more of them tell nothing new. */
const MOST_RECORDS = 2000;
const logs = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.darshan'));

function readLog(file: string): Promise<Trace> {
  return readDarshan([new LocalRecordingFile(file, statSync(file).size)]);
}

const readText = (text: string): Promise<Trace> => readDarshanText([memoryFile('log.txt', text)]);

/** Where two tables differ; floating-point numbers as printed. */
function differences(log: Trace, table: CounterTable, text: Trace, read: CounterTable): string[] {
  const found: string[] = [];
  const columns = table.counters.map((name) => [name, read.find(name)!, isFloat(name)] as const);
  const path = (trace: Trace, file: number): string => (file === NONE ? '' : trace.files.at(file).path);
  const report = (what: string, a: unknown, b: unknown): void => {
    if (found.length < 20) found.push(`${what}: ${String(a)} was read as ${String(b)}`);
  };
  const records = Math.min(table.length, MOST_RECORDS);
  if (records !== read.length) report('records', records, read.length);
  for (let record = 0; record < records; record++) {
    const [a, b] = [table, read].map((of) => `${of.recordId(record)} of rank ${of.rank(record)}`);
    if (a !== b) report('record', a, b);
    const [fileA, fileB] = [path(log, table.file(record)), path(text, read.file(record))];
    if (fileA !== fileB) report(`file of record ${record}`, fileA, fileB);
    for (let column = 0; column < columns.length; column++) {
      const [name, other, rounded] = columns[column]!;
      const stored = table.value(record, column);
      const printed = rounded ? Number(stored.toFixed(6)) : stored;
      if (!Object.is(printed, read.value(record, other))) report(name, printed, read.value(record, other));
    }
  }
  return found;
}

const skip = folder === undefined;
describe.skipIf(skip)(skip ? absent('darshan') : 'counters: a log, printed and read again', () =>
  test.each(logs)('%s', async (name) => {
    const log = await readLog(path.join(folder!, name));
    const text = await readText(printCounters(log, MOST_RECORDS));
    const [a, b] = [log.counters!, text.counters!];
    expect(text.damage).toEqual([]);
    const seconds = { startTime: Math.floor(a.job.startTime), endTime: Math.floor(a.job.endTime) };
    expect({ ...b.job, mounts: new Map(b.job.mounts) }).toEqual({
      ...a.job,
      ...seconds,
      runTime: Number.isNaN(a.job.runTime) ? NaN : Number(a.job.runTime.toFixed(4)),
      mounts: new Map(a.job.mounts),
    });
    // The warning of an incomplete module stands above its rows.
    const hasRows = (name: string): boolean => b.modules.some(({ module }) => module === name);
    expect(b.regions.map((region) => ({ ...region, known: true }))).toEqual(
      a.regions.map((region) => ({ ...region, known: true, incomplete: region.incomplete && hasRows(region.name) })),
    );
    expect(b.modules.map(({ module, version, incomplete }) => ({ module, version, incomplete }))).toEqual(
      a.modules.map(({ module, version, incomplete }) => ({ module, version, incomplete })),
    );
    for (const [index, table] of a.modules.entries()) {
      const read = b.modules[index]!;
      expect([...read.counters].sort()).toEqual([...table.counters].sort());
      expect(differences(log, table, text, read)).toEqual([]);
    }
    // Today's darshan-parser does not print the offset of old records.
    const plain = (trace: Trace): unknown =>
      trace.counters!.layouts.map(({ file, components, ...layout }) => ({
        ...layout,
        components: components.map((component) => ({ ...component, stripeOffset: undefined })),
        file: trace.files.at(file).path,
      }));
    expect(plain(text)).toEqual(plain(log));
    expect(b.heatmaps).toEqual(a.heatmaps.map((map) => ({ ...map, binWidth: Number(map.binWidth.toFixed(6)) })));
  }),
);

/** A segment as plain data, with its times in nanoseconds apart. */
function segment(trace: Trace, row: number): { what: string; times: [start: number, end: number] } {
  const { events, files, streams, stacks, calls } = trace;
  const frames = events.value('stack', row) === NONE ? [] : stacks.framesOf(events.value('stack', row));
  const start = events.value('start', row);
  const what = [
    calls.names[events.value('call', row)],
    files.at(events.value('file', row)).path,
    streams[events.value('stream', row)]!.rank,
    streams[events.value('stream', row)]!.host,
    events.value('offset', row),
    events.value('bytes', row),
    ...frames.map((frame) => {
      const { module, value, sourceFile, sourceLine } = stacks.frame(frame);
      return `${module} ${value} ${sourceFile}:${sourceLine}`;
    }),
  ];
  return { what: what.join(' | '), times: [start, start + events.value('duration', row)] };
}

/** Half of the last of four decimals, and what rounding adds. */
const HALF_NS = 50_001;

function segmentDifferences(log: Trace, text: Trace): string[] {
  const found: string[] = [];
  const [a, b] = [rowsByHandle(log), rowsByHandle(text)].map((rows) => [...rows.values()]);
  if (a!.length !== b!.length) found.push(`${a!.length} files and processes were read as ${b!.length}`);
  a!.forEach((rows, index) => {
    const others = b![index] ?? [];
    if (rows.length !== others.length) found.push(`${rows.length} segments were read as ${others.length}`);
    rows.forEach((row, place) => {
      const [stored, read] = [segment(log, row), segment(text, others[place] ?? 0)];
      // An end of NaN: durations that drown in the rounding are left out.
      const knowsEnds = text.capabilities.duration;
      const isNear = stored.times.every((time, which) =>
        which === 1 && !knowsEnds ? Number.isNaN(read.times[1]) : Math.abs(time - read.times[which]!) <= HALF_NS,
      );
      if (found.length < 20 && (stored.what !== read.what || !isNear)) {
        found.push(`${stored.what} ${stored.times.join()} was read as ${read.what} ${read.times.join()}`);
      }
    });
  });
  return found;
}

const hasSegments = logs.filter((name) => /dxt|sample|hdf5_d|ior_hdf5|3\.1\.3/.test(name));
describe.skipIf(skip)(skip ? absent('darshan') : 'segments: a log, printed and read again', () =>
  test.each(hasSegments)('%s', async (name) => {
    const log = await readLog(path.join(folder!, name));
    const text = await readText(printSegments(log));
    expect(text.damage).toEqual([]);
    expect(text.counters!.segments).toEqual(
      log.counters!.segments.filter(({ read, write }) => read.count + write.count > 0),
    );
    expect(segmentDifferences(log, text)).toEqual([]);
  }),
);

const stackFolder = corpus('darshan-stack');
const texts = stackFolder === undefined ? [] : readdirSync(stackFolder).filter((name) => name.includes('.dxt.txt'));
const skipStacks = stackFolder === undefined;
describe.skipIf(skipStacks)(skipStacks ? absent('darshan-stack') : 'segments with stacks: real text, and its log', () =>
  test.each(texts)('%s', async (name) => {
    const file = path.join(stackFolder!, name);
    const text = await readDarshanText([new LocalRecordingFile(file, statSync(file).size)]);
    const log = await readLog(file.replace(/\.dxt\.txt.*/, '.darshan'));
    expect(text.damage).toEqual([]);
    expect(text.counters!.segments).toEqual(log.counters!.segments);
    // Calls of microseconds: see the note.
    expect(text.capabilities).toEqual({ ...log.capabilities, duration: false });
    expect(text.notes.join()).toContain('most of these calls take less than 0.1 ms');
    expect([...text.stacks.moduleForms.values()]).toEqual([...log.stacks.moduleForms.values()]);
    if (log.capabilities.stacks) expect(text.counters!.lineTables).toEqual(log.counters!.lineTables);
    expect(segmentDifferences(log, text)).toEqual([]);
    const incomplete = (trace: Trace): string[] =>
      trace.counters!.regions.filter((region) => region.incomplete).map((region) => region.name);
    expect(incomplete(text)).toEqual(incomplete(log));
  }),
);
