import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chainOf } from '../../src/analysis/sites/call-sites.ts';
import type { InsightSite } from '../../src/analysis/triggers/insight.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { OPERATION } from '../../src/trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../src/trace/events.ts';
import { absent, corpus } from '../support/corpus.ts';

/**
 * Programs of our own with bad I/O on known lines, in all builds and by both generations of strace. The recordings and
 * binaries were made in /tmp/badio, so every test maps that path, as a user would.
 */
const programs = corpus('strace-programs');
const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');

interface Chain {
  call: string;
  count: number;
  bytes: number;
  durationNanoseconds: number;
  chain: { function: string; file: string; line: number }[];
}

interface Expected {
  markers: { file: string; line: number; kind: string; findings: string[] }[];
  traces: Record<string, { bySourceChain: Chain[] }>;
}

/** Names of findings in the expected files to the triggers that must name the line. */
const TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  'small-writes': ['posix-small-writes'],
  'small-reads': ['posix-small-reads'],
  'random-reads': ['posix-random-reads'],
  'backward-reads': ['backward-reads'],
  'redundant-reads': ['posix-redundant-reads'],
  'strided-writes': ['strided-small-writes'],
  'unaligned-shared-writes': ['posix-misaligned-writes'],
  'independent-mpiio': ['mpi-io-independent-writes'],
  'missing-file-probes': ['missing-file-searches', 'posix-metadata-time'],
  'fsync-after-each-write': ['sync-after-every-write'],
  'open-close-in-loop': ['open-close-in-loop'],
  'seek-before-each-access': ['seek-before-every-access'],
  'endl-flush': ['flush-after-every-record'],
  'flush-each-record': ['flush-after-every-record'],
  'small-dataset-writes': ['hdf5-small-writes'],
};

/** What the README of the programs says and the markers do not. */
const FURTHER: Readonly<Record<string, readonly string[]>> = { threads: ['threads.c:41 byte-by-byte-pipe'] };

/** Two causes, two marks: the end of the block that another rank writes, and calls that are not collective. */
const TWO_CAUSES: readonly string[] = ['mpi_unaligned.c:22'];

/** Tail calls remove logger.cpp from the stack at -O2: the callers' lines are all that is left. */
const TAIL_CALLS: Readonly<Record<string, string>> = { 'logger.cpp:9': 'main.cpp:9', 'logger.cpp:15': 'main.cpp:11' };

async function open(files: readonly string[]): Promise<OpenedRecording> {
  const request = plainRequest(...files);
  return OpenedRecording.open(
    { ...request, pathRules: [{ from: '/tmp/badio', to: programs! }], workspaceFolders: [programs!] },
    await chooseLookup(wasm, false),
  );
}

/** `file:line` of a call site, or its function where there is no line. */
function placeOf(recording: OpenedRecording, { site }: InsightSite): string {
  const { file, line, functionName } = recording.callSites().sites[site]!;
  return line > 0 ? `${path.basename(file)}:${line}` : functionName;
}

/** Every place that a finding names, with the trigger: `heat.c:22 posix-small-writes`. */
function foundIn(recording: OpenedRecording): string[] {
  return recording.insights
    .flatMap((insight) => insight.sites.map((site) => `${placeOf(recording, site)} ${insight.trigger}`))
    .sort();
}

describe.skipIf(programs === undefined)(programs === undefined ? absent('strace-programs') : 'strace-programs', () => {
  const names = readdirSync(programs!, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of names) {
    // Python's lines are not in its stacks: below.
    if (name === 'py_h5') continue;
    const folder = path.join(programs!, name);
    const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as Expected;
    const stored = readdirSync(folder);
    for (const [trace, truth] of Object.entries(expected.traces)) {
      const file = stored.find((candidate) => candidate === trace || candidate === `${trace}.gz`);
      test(`${name}/${trace}: calls by source chain`, async () => {
        const recording = await open([path.join(folder, file!)]);
        // Of the MPI program the expected file holds only the calls on its own files.
        const ownFilesOnly = name === 'mpi_unaligned';
        expect(chainsOf(recording, ownFilesOnly)).toEqual(wantedChains(truth.bySourceChain, trace));
      });
    }
    for (const [build, traces] of Object.entries(recordingsOf(name, Object.keys(expected.traces)))) {
      test(`${name} ${build}: findings`, async () => {
        const recording = await open(
          traces.map((trace) =>
            path.join(
              folder,
              stored.find((f) => f === trace || f === `${trace}.gz`)!,
            ),
          ),
        );
        expectFindings(recording, expected, name, build);
      });
    }
  }
});

test.skipIf(programs === undefined)('py_h5: HDF5 functions are named where Python has no lines', async () => {
  const recording = await open([path.join(programs!, 'py_h5/py_h5.strace.gz')]);
  expect(foundIn(recording)).toEqual([
    'H5Fflush flush-after-every-record',
    'H5Fflush hdf5-small-writes',
    'H5Fflush posix-random-writes',
    'H5Fflush posix-redundant-writes',
  ]);
  const own = recording.insights.filter(({ sites }) => sites.some(({ explainedBy }) => explainedBy === undefined));
  expect(own.map(({ trigger }) => trigger)).toEqual(['flush-after-every-record']);
  for (const { message } of own) expect(message).toContain("Python's own lines are not in a stack that strace records");
});

/** The files of each recording: one each, except that the ranks of an MPI run are one recording. */
function recordingsOf(name: string, traces: readonly string[]): Record<string, string[]> {
  if (name !== 'mpi_unaligned') return Object.fromEntries(traces.map((trace) => [trace, [trace]]));
  const of = (build: string): string[] => traces.filter((trace) => trace.startsWith(build));
  return { O0: of('mO0_'), O2: of('mO2_') };
}

/** Exactly the expected findings on exactly the expected lines, and one mark for each cause. */
function expectFindings(recording: OpenedRecording, expected: Expected, name: string, build: string): void {
  const { insights } = recording;
  const wanted = expected.markers
    .filter(({ kind }) => kind === 'finding')
    .flatMap(({ file, line, findings }) => {
      const place = `${file}:${line}`;
      const left = build.includes('.O2') ? (TAIL_CALLS[place] ?? place) : place;
      return findings.flatMap((finding) => TRIGGERS[finding]!.map((trigger) => `${left} ${trigger}`));
    });
  wanted.push(...(FURTHER[name] ?? []));
  // libunwind gives a static program's calls no callers, and without -g there are functions but no lines.
  if (build === 'small_writes.static.strace') {
    expect(insights.map(({ trigger, sites }) => [trigger, sites])).toEqual([['posix-small-writes', []]]);
    return;
  }
  const places = build.includes('nodebug') ? wanted.map((place) => place.replace(/^\S+/, 'main')) : wanted;
  expect(foundIn(recording)).toEqual(places.sort());
  if (expected.markers.length === 0) expect(insights).toEqual([]);
  const marks = insights.flatMap(({ sites }) => sites.filter(({ explainedBy }) => explainedBy === undefined));
  const twice = marks.map((site) => placeOf(recording, site)).filter((place, i, all) => all.indexOf(place) < i);
  expect(twice.filter((place) => !TWO_CAUSES.includes(place))).toEqual([]);
}

/** Calls, bytes and nanoseconds by `call file:line ← file:line …` of the frames outside of the libraries. */
function chainsOf(recording: OpenedRecording, ownFilesOnly: boolean): Record<string, [number, number, number]> {
  const { trace, resolved } = recording;
  const sums: Record<string, [number, number, number]> = {};
  for (let row = 0; row < trace.events.length; row++) {
    const node = trace.events.value('stack', row);
    const file = trace.events.value('file', row);
    if (node === NONE || trace.events.value('flags', row) & NOT_COUNTED) continue;
    if (ownFilesOnly && (file === NONE || !trace.files.at(file).path.startsWith('/tmp/badio/'))) continue;
    const frames = chainOf(trace, resolved, node).filter((frame) => frame.line > 0 && !frame.isLibrary);
    if (frames.length === 0) continue;
    const places = frames.map((frame) => `${path.basename(frame.file)}:${frame.line}`);
    const sum = (sums[`${trace.calls.names[trace.events.value('call', row)]!} ${places.join(' ← ')}`] ??= [0, 0, 0]);
    sum[0]++;
    // The expected files count the bytes of reads and writes only, not those that the kernel copies.
    const copies = trace.calls.operation[trace.events.value('call', row)] === OPERATION.copy;
    sum[1] += copies ? 0 : trace.events.value('bytes', row);
    sum[2] += trace.events.value('duration', row);
  }
  return sums;
}

function wantedChains(chains: readonly Chain[], trace: string): Record<string, [number, number, number]> {
  const sums: Record<string, [number, number, number]> = {};
  for (const { call, count, bytes, durationNanoseconds, chain } of chains) {
    // Frames of the C library in the static program have no line.
    let places = chain
      .filter(({ line, file }) => line > 0 && file !== '??')
      .map(({ file, line }) => `${path.basename(file)}:${line}`);
    // GNU addr2line names the unit of a link-time optimised program; the line table names the file.
    places = places.map((place) => place.replace('<artificial>', 'small_writes.c'));
    // The inlined functions of split DWARF stand in the .dwo file, which is not read: the innermost line is all there is.
    if (trace.includes('.split.')) places = places.slice(0, 1);
    const sum = (sums[`${call} ${places.join(' ← ')}`] ??= [0, 0, 0]);
    sum[0] += count;
    sum[1] += bytes;
    sum[2] += durationNanoseconds;
  }
  return sums;
}
