import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InfoDocument } from '../../src/export/analysis/documents.ts';
import { infoDocument } from '../../src/export/analysis/info-document.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { LAYERS } from '../../src/trace/calls.ts';
import type { CounterLog, SegmentSums } from '../../src/trace/counters.ts';
import { NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';

/** What darshan-parser and darshan-dxt-parser 3.5.0 print of a log (the README beside the logs). */
interface Expected {
  readonly header: {
    readonly metadata: Readonly<Record<string, string>>;
    readonly darshan_log_version: string;
    readonly compression_method: string;
    readonly exe: string;
    readonly uid: number;
    readonly jobid: number;
    readonly start_time: number;
    readonly end_time: number;
    readonly nprocs: number;
    readonly run_time: number;
  };
  readonly regions: Readonly<Record<string, { bytes: number; ver?: number }>>;
  readonly modules: readonly string[];
  readonly mount_entries: number;
  readonly mounts_first3: readonly (readonly [string, string])[];
  readonly partial_modules: readonly string[];
  readonly records: Readonly<Record<string, ExpectedRecords>>;
  readonly dxt?: Readonly<
    Record<SegmentSums['module'], { records: number; ops: Partial<Record<'read' | 'write', ExpectedSegments>> }>
  >;
  readonly known_tool_errors?: readonly { module: string; counter: string; correct_total: number }[];
}

interface ExpectedRecord {
  readonly rank: number;
  readonly id: string;
  readonly name: string;
  readonly c?: Readonly<Record<string, number | string>>;
}

interface ExpectedRecords {
  readonly count: number;
  readonly shared: number;
  readonly unique_ids: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly first: ExpectedRecord;
  readonly last: ExpectedRecord;
}

interface ExpectedSegment {
  readonly rank: number;
  readonly index: number;
  readonly file_id: string;
  readonly offset: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

interface ExpectedSegments {
  readonly segments: number;
  readonly sum_length: number;
  readonly min_offset: number;
  readonly max_end: number;
  readonly first: readonly ExpectedSegment[];
  readonly last: readonly ExpectedSegment[];
}

const folder = corpus('darshan');
const logs = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.darshan'));

function expectedOf(log: string): Expected {
  return JSON.parse(readFileSync(path.join(folder!, log.replace('.darshan', '.expected.json')), 'utf8')) as Expected;
}

const read = (log: string): Promise<Trace> => readDarshan([new LocalRecordingFile(path.join(folder!, log))]);

/** Half of the last printed digit of every record, and what adding loses. */
function close(name: string, found: number, expected: number, records: number): boolean {
  const isFloat = /_F_|TIME|VARIANCE/.test(name);
  return Math.abs(found - expected) <= (isFloat ? records * 5.01e-7 : 0) + Math.abs(expected) * 1e-12;
}

/** Counters of darshan-parser that carry the totals of a module, corrected where the tool is known to be wrong. */
function totalsOf(expected: Expected, module: string): Map<string, number> {
  const totals = new Map(Object.entries(expected.records[module]!.totals));
  for (const error of expected.known_tool_errors ?? []) {
    if (error.module === module) totals.set(error.counter, error.correct_total);
  }
  return totals;
}

test.skipIf(folder !== undefined)(absent('darshan'), () => expect(folder).toBeUndefined());

describe.skipIf(folder === undefined).each(logs)('%s', (log) => {
  const expected = expectedOf(log);

  test('header, regions and mounts', async () => {
    const { counters, program, version } = await read(log);
    const { job, regions } = counters!;
    const { header } = expected;
    expect(version).toBe(header.darshan_log_version);
    expect(program).toBe(header.exe.trimEnd());
    expect(job.compression.toUpperCase()).toBe(header.compression_method);
    expect([job.userId, job.jobId]).toEqual([String(header.uid), String(header.jobid)]);
    expect([Math.floor(job.startTime), Math.floor(job.endTime)]).toEqual([header.start_time, header.end_time]);
    expect(job.processes).toBe(header.nprocs);
    if (header.run_time < 0) expect(job.runTime).toBeNaN();
    else expect(job.runTime).toBeCloseTo(header.run_time, 4);
    expect(Object.fromEntries(job.metadata)).toEqual(header.metadata);
    expect(job.mounts).toHaveLength(expected.mount_entries);
    // Those of one length stand in any order.
    const [, , third] = expected.mounts_first3;
    const longest = job.mounts.filter(([point]) => point.length >= (third?.[0].length ?? 0));
    for (const mount of expected.mounts_first3) expect(longest).toContainEqual(mount);
    const found = Object.fromEntries(regions.map(({ name, bytes, version: ver }) => [name, { bytes, ver }]));
    for (const [name, { bytes, ver = 0 }] of Object.entries(expected.regions)) {
      if (name !== 'header') expect(found[name], name).toEqual({ bytes, ver });
    }
    expect(regions.slice(2).map(({ name }) => name)).toEqual(Object.keys(expected.regions).slice(3));
    expect(regions.filter(({ incomplete }) => incomplete).map(({ name }) => name)).toEqual(expected.partial_modules);
  });

  test('records and totals of every module', async () => {
    const info: InfoDocument = infoDocument(await read(log), log, []);
    expect(info.damage).toEqual([]);
    expect(Object.keys(info.counters).sort()).toEqual(Object.keys(expected.records).sort());
    for (const [module, { count }] of Object.entries(expected.records)) {
      const { records, totals, identifiers = {} } = info.counters[module]!;
      expect(records, module).toBe(count);
      const wrong: string[] = [];
      for (const [name, total] of totalsOf(expected, module)) {
        if (name in identifiers) {
          // darshan-parser prints identifiers like amounts; of a single one the sum is the identifier.
          expect(identifiers[name]!.every((id) => /^[1-9]\d*$/.test(id))).toBe(true);
          if (count === 1 && identifiers[name]!.length === 1) expect(Number(identifiers[name]![0])).toBe(total);
          continue;
        }
        const found = totals[name];
        if (found === undefined || !close(name, found, total, count)) wrong.push(`${name}: ${found}, not ${total}`);
      }
      expect(wrong, module).toEqual([]);
      const more = Object.keys(totals).filter((name) => !totalsOf(expected, module).has(name));
      expect(more, `${module}: counters that darshan-parser does not print`).toEqual([]);
    }
  });

  test('segments', async () => {
    const trace = await read(log);
    const info = infoDocument(trace, log, []);
    const modules = Object.keys(expected.regions).filter((name) => name.startsWith('DXT_'));
    expect(Object.keys(info.segments)).toEqual(modules);
    for (const module of modules as SegmentSums['module'][]) {
      const sums = trace.counters!.segments.find((candidate) => candidate.module === module)!;
      for (const operation of ['read', 'write'] as const) {
        const printed = expected.dxt?.[module].ops[operation];
        const count = printed?.segments ?? 0;
        expect(sums[operation], operation).toEqual({ count, bytes: printed?.sum_length ?? 0 });
        if (printed === undefined) continue;
        const found = segmentsOf(trace, module, operation);
        expect(found).toHaveLength(count);
        const wrong = [
          ...printed.first.filter((segment, i) => !sameSegment(found[i]!, segment)),
          ...printed.last.filter((segment, i) => !sameSegment(found[count - printed.last.length + i]!, segment)),
        ];
        expect(wrong).toEqual([]);
        const offsets = found.map(({ offset }) => offset);
        expect(offsets.reduce((least, offset) => Math.min(least, offset))).toBe(printed.min_offset);
        const ends = found.map(({ offset, length }) => offset + length);
        expect(ends.reduce((most, end) => Math.max(most, end))).toBe(printed.max_end);
      }
    }
  });

  test('segments of a process in a file stand in the order of their starts', async () => {
    const { events } = await read(log);
    let [handle, start, wrong] = [NONE, 0, 0];
    events.chunks.forEach((chunk, number) => {
      for (let i = 0; i < events.rowsIn(number); i++) {
        if (chunk.handle[i] === handle && chunk.start[i]! < start) wrong++;
        [handle, start] = [chunk.handle[i]!, chunk.start[i]!];
      }
    });
    expect(wrong).toBe(0);
  });

  test('first and last record of every module', async () => {
    const trace = await read(log);
    for (const [module, { first, last, shared, unique_ids }] of Object.entries(expected.records)) {
      const records = identities(trace, module);
      expect(new Set(records.map(({ id }) => id)).size, module).toBe(unique_ids);
      expect(
        records.filter(({ rank }) => rank === -1),
        module,
      ).toHaveLength(shared);
      expect(records[0], module).toEqual(identityOf(first, module));
      expect(records.at(-1), module).toEqual(identityOf(last, module));
    }
  });
});

const STANDARD_STREAMS: Readonly<Record<string, string>> = {
  '14734109647742566553': '<STDIN>',
  '15920181672442173319': '<STDOUT>',
  '7238257241479193519': '<STDERR>',
};

/** Names that Darshan gave to records of its own are no files. */
function identityOf({ rank, id, name }: ExpectedRecord, module: string): { rank: number; id: string; name: string } {
  if (module === 'HEATMAP') return { rank, id: name.replace('heatmap:', ''), name: '' };
  // darshan-parser prints the numbers of the object although the log holds a name.
  if (id === '11669275238987394051') return { rank, id, name: '/' };
  // Anonymised logs have other names for the standard streams; their identifiers tell them.
  return { rank, id, name: STANDARD_STREAMS[id] ?? (/^(heatmap:|darshan-)/.test(name) ? '' : name) };
}

function identities(trace: Trace, module: string): { rank: number; id: string; name: string }[] {
  const log: CounterLog = trace.counters!;
  const name = (file: number): string => (file === NONE ? '' : trace.files.at(file).path);
  if (module === 'LUSTRE') {
    return log.layouts.map(({ rank, recordId, file }) => ({ rank, id: String(recordId), name: name(file) }));
  }
  if (module === 'HEATMAP') {
    return log.heatmaps.map(({ rank, api }) => ({ rank, id: api, name: '' }));
  }
  const table = log.modules.find((candidate) => candidate.module === module);
  return Array.from({ length: table?.length ?? 0 }, (_, record) => ({
    rank: table!.rank(record),
    id: String(table!.recordId(record)),
    name: name(table!.file(record)),
  }));
}

/** Segments as darshan-dxt-parser prints them: those of a process in a file together, numbered from 0. */
function segmentsOf(trace: Trace, module: SegmentSums['module'], operation: 'read' | 'write'): ExpectedSegment[] {
  const layer = LAYERS.indexOf(module === 'DXT_POSIX' ? 'POSIX' : 'MPI-IO');
  const call = trace.calls.find(module === 'DXT_POSIX' ? operation : `MPI_File_${operation}`);
  const found: { handle: number; line: number; segment: Omit<ExpectedSegment, 'index' | 'file_id'> }[] = [];
  trace.events.chunks.forEach((chunk, number) => {
    for (let i = 0; i < trace.events.rowsIn(number); i++) {
      if (chunk.layer[i] !== layer || chunk.call[i] !== call) continue;
      const [offset, start] = [chunk.offset[i]!, chunk.start[i]! / 1e9];
      const segment = {
        rank: trace.streams[chunk.stream[i]!]!.rank!,
        offset: Number.isNaN(offset) ? -1 : offset,
        length: chunk.bytes[i]!,
        start,
        end: start + chunk.duration[i]! / 1e9,
      };
      found.push({ handle: chunk.handle[i]!, line: chunk.line[i]!, segment });
    }
  });
  found.sort((a, b) => a.handle - b.handle || a.line - b.line);
  let [handle, first] = [NONE, 0];
  return found.map((entry) => {
    if (entry.handle !== handle) [handle, first] = [entry.handle, entry.line];
    const file = trace.handles.file.at(handle);
    return { ...entry.segment, index: entry.line - first, file_id: file === NONE ? '' : trace.files.at(file).path };
  });
}

/** Times are printed with four decimals. */
function sameSegment(found: ExpectedSegment, expected: ExpectedSegment): boolean {
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 5.1e-5;
  const exact = (['rank', 'index', 'offset', 'length'] as const).every((field) => found[field] === expected[field]);
  return exact && near(found.start, expected.start) && near(found.end, expected.end);
}
