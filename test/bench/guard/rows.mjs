// What the guard measures: commands of `iolens` on recordings that are made here, each small enough that all of them run seven
// times in two minutes.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/machine.mjs';
import { at, make } from '../programs.mjs';
import { makeFiles, makeProcesses, makeRecording, makeSites, makeStackRecording, makeWalk } from '../recordings.mjs';

const data = (name) => path.join(root, 'test/data', name);
const SMALL_LOG = data('darshan-stack/badmpi_4ranks_small.darshan');
const SITES = 112;
const made = (name) => at(`guard-${name}`);

/**
 * Of each row: what it says, the recording's name and how it is made, what `iolens` is told, and how often the yardstick does its
 * work beside it, so that both take about as long. `times`: short ones are run more than once in turn.
 */
export const ROWS = {
  start: { title: 'iolens --version', args: () => ['--version'], units: 1, times: 4 },
  calls: {
    title: 'strace, 150,000 calls cut in two, dfg',
    recording: ['calls.strace', (file) => makeRecording(file, 150_000, true)],
    args: (file) => ['dfg', '--no-cache', file],
    units: 220,
  },
  stacks: {
    title: 'strace -k, 40,000 calls, dfg',
    recording: ['stacks.strace', (file) => makeStackRecording(file, 40_000)],
    args: (file) => ['dfg', '--no-cache', file],
    units: 160,
  },
  processes: {
    title: 'strace, 30,000 processes, analyze',
    recording: ['processes.strace', (file) => makeProcesses(file, 30_000)],
    args: (file) => ['analyze', '--no-cache', file],
    units: 200,
  },
  files: {
    title: 'strace, 5,000 files, analyze',
    recording: ['files.strace', (file) => makeFiles(file, 5_000)],
    args: (file) => ['analyze', '--no-cache', file],
    units: 330,
  },
  sites: {
    title: 'strace -k, 112 call sites, analyze',
    recording: ['sites.strace', (file) => makeSites(file, SITES * 111, SITES)],
    args: (file) => ['analyze', '--no-cache', file],
    units: 300,
  },
  segments: {
    title: 'Darshan, 128,000 segments of 128 ranks, analyze',
    recording: ['segments.darshan', (file) => make('guard/darshan-segments', file, 128, 1000)],
    args: (file) => ['analyze', '--no-cache', file],
    units: 170,
  },
  log: {
    title: 'Darshan, a small log, analyze',
    args: () => ['analyze', '--no-cache', data('darshan-stack/badmpi_4ranks.darshan')],
    units: 60,
    times: 2,
  },
  otf2: {
    title: 'OTF2, 250,000 events, info',
    recording: ['otf2', (folder) => make('otf2-archive', folder, 8, 2000)],
    args: (folder) => ['info', '--no-cache', folder],
    units: 160,
  },
  recorder: {
    title: 'recorder library, 150,000 calls, analyze',
    recording: ['capture.iorec', (file) => make('capture-events', file, 150_000)],
    args: (file) => ['analyze', '--no-cache', file],
    units: 180,
  },
  timeline: {
    title: 'the same, drawn as a timeline',
    recording: ['capture.iorec', (file) => make('capture-events', file, 150_000)],
    args: (file) => ['timeline', '--no-cache', '-o', made('timeline.svg'), file],
    units: 330,
  },
  graph: {
    title: 'graph of 300 activities, drawn',
    recording: ['graph.strace', (file) => makeWalk(file, 300, 20_000)],
    args: (file) => ['dfg', '--no-cache', '--mapping', 'call+file', '--case', 'pid', '-o', made('graph.svg'), file],
    units: 150,
  },
  ingestion: {
    title: 'ingestion of 20 small logs, one thread',
    recording: ['logs', (folder) => make('many-logs', folder, 20, SMALL_LOG)],
    args: (folder) => ['fleet', 'ingest', folder, '--store', made('store'), '--workers', '1'],
    prepare: () => rmSync(made('store'), { recursive: true, force: true }),
    units: 360,
  },
};

/** Makes the recordings that are not there yet. @returns where the one of a row lies. */
export async function recordingOf({ recording: [name, maker] = [] }) {
  if (name === undefined) return undefined;
  const location = made(name);
  if (!existsSync(location)) await maker(location);
  return location;
}
