import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { moves, processesOf, recordsByFile, transfersOf, type Records } from './darshan/darshan-transfers.ts';

export interface JobFile {
  readonly path: string;
  readonly processes: number;
  readonly transfers: Record<string, number>;
  readonly layout: { size: number; count: number; offset: number; osts: number[] } | undefined;
}

/** A copy, with what its original says. */
export interface Job {
  readonly id: string;
  readonly start: number;
  readonly processes: number;
  readonly user: string;
  readonly application: string;
  readonly files: readonly JobFile[];
  readonly uses: ReadonlySet<string>;
  /** Codes of what Drishti finds, where it was asked. */
  readonly drishti: ReadonlySet<string> | undefined;
}

interface Expected {
  readonly header?: { exe: string; uid: number | string; nprocs: number; start_time: number };
  readonly drishti?: { readonly codes?: readonly string[] };
}

export async function originalJob(log: string): Promise<Omit<Job, 'id'>> {
  const expected = JSON.parse(readFileSync(log.replace(/\.darshan$/, '.expected.json'), 'utf8')) as Expected;
  const { format, files } = await recogniseRecording([log]);
  const trace = await format.read(files, {});
  const counters = trace.counters!;
  const { command: exe, userId: uid, processes: nprocs, startTime: start_time } = counters.job;
  const { header = { exe, uid, nprocs, start_time }, drishti } = expected;
  const streams = ['OPENS', 'READS', 'WRITES'];
  const stdio = [...allRecords(counters)].some(
    ([module, get]) => module === 'STDIO' && streams.some((name) => get(`STDIO_${name}`) > 0),
  );
  const uses = new Set(counters.modules.filter(({ length }) => length > 0).map(({ module }) => module));
  uses.delete('STDIO');
  if (stdio) uses.add('STDIO');
  return {
    start: header.start_time,
    processes: header.nprocs,
    user: String(header.uid),
    application: path.basename(header.exe.trim().split(/\s+/)[0]!),
    files: filesOf(trace),
    uses,
    drishti: drishti && new Set(drishti.codes ?? []),
  };
}

function* allRecords(counters: NonNullable<Trace['counters']>): Generator<[string, (name: string) => number]> {
  for (const table of counters.modules)
    for (let record = 0; record < table.length; record++) yield [table.module, (name) => table.get(record, name)];
}

function filesOf(trace: Trace): JobFile[] {
  const { layouts, job } = trace.counters!;
  const byPath = new Map(layouts.map((layout) => [layout.file < 0 ? '' : trace.files.at(layout.file).path, layout]));
  return [...recordsByFile(trace)].flatMap(([name, records]: [string, Records]): JobFile[] => {
    const transfers = transfersOf(records);
    if (!moves(transfers)) return [];
    const [only, ...more] = byPath.get(name)?.components ?? [];
    expect(more, 'layouts of one component are what this test reckons with').toEqual([]);
    const layout = only && {
      ...{ size: only.stripeSize, count: only.stripeCount, offset: only.stripeOffset ?? -1 },
      osts: only.targets.filter((target) => target >= 0),
    };
    return [{ path: name, processes: processesOf(records, job), transfers, layout }];
  });
}
