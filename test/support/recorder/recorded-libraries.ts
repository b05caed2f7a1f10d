import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect } from 'vitest';
import { readCapture } from '../../../src/readers/capture/capture-reader.ts';
import { LAYERS, type Layer } from '../../../src/trace/calls.ts';
import { NONE } from '../../../src/trace/events.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { memoryFile } from '../memory-file.ts';
import { freshFolder, has, run } from '../programs.ts';
import { sharedRecorder } from './recorder-runs.ts';
import { expectSound } from '../sound-trace.ts';

/** Programs of the libraries HDF5, NetCDF and PnetCDF, run without and with the recorder, and what was recorded of them. */

export const sources = path.resolve(import.meta.dirname, '../../programs/recorder-libraries');
export const folder = freshFolder('recorder-libraries');
export const debianPython = '/usr/bin/python3';
let preloaded = '';

beforeAll(async () => {
  preloaded = await sharedRecorder();
}, 180_000);

/* ---- what is here ---- */

function succeeds(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'ignore' }).status === 0;
}

const isLinux = process.platform === 'linux' && has('cc', 'pkg-config');
const packages = (...names: string[]): boolean => isLinux && succeeds('pkg-config', '--exists', ...names);
export const hasMpi = packages('netcdf-mpi', 'hdf5-openmpi', 'pnetcdf') && has('mpicc.openmpi', 'mpirun.openmpi');
export const hasSerial = packages('netcdf', 'hdf5-serial');
export const hasFortran = packages('netcdf-fortran', 'hdf5-serial') && has('gfortran');
export const hasPython = isLinux && succeeds(debianPython, '-c', 'import h5py, netCDF4');
export const hasTools = isLinux && ['h5ls', 'h5repack', 'h5dump', 'ncdump', 'nccopy'].every((tool) => has(tool));

const lacking = Object.entries({ hasMpi, hasSerial, hasFortran, hasPython, hasTools }).filter(([, is]) => !is);
// oxlint-disable-next-line no-console
if (lacking.length > 0) console.warn(`Not recorded here: ${lacking.map(([what]) => what.slice(3)).join(', ')}`);

/* ---- compiling, running, recording ---- */

export function flags(...packageNames: string[]): string[] {
  return run(folder, 'pkg-config', '--cflags', '--libs', ...packageNames)
    .trim()
    .split(/\s+/)
    .filter((flag) => flag !== '');
}

export function compile(source: string, compiler: string, ...options: string[]): string {
  const binary = path.join(folder, path.parse(source).name);
  run(folder, compiler, '-g', '-O1', '-o', binary, path.join(sources, source), ...options);
  return binary;
}

export interface Run {
  readonly status: number | null;
  readonly output: string;
  /** What the program left in its folder, by name. */
  readonly files: Record<string, string>;
}

export interface Recorded {
  readonly plain: Run;
  readonly recorded: Run;
  readonly recording: string;
  readonly trace: Trace;
}

let runs = 0;

function start(place: string, command: readonly string[], environment: readonly string[], ranks: number): Run {
  const launcher = ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe', '--mca', 'io', '^ompio'];
  const launched = ranks === 0 ? [] : [...launcher, '-n', String(ranks)];
  const [first, ...rest] = [...launched, 'env', ...environment, ...command];
  const { status, stdout, stderr } = spawnSync(first!, rest, { cwd: place, encoding: 'utf8', timeout: 120_000 });
  const files = readdirSync(place).map((name) => [name, readFileSync(path.join(place, name), 'latin1')]);
  return { status, output: stdout + stderr, files: Object.fromEntries(files) as Record<string, string> };
}

/**
 * Runs a command twice in a folder of its own, without the recorder and with it.
 * @param ranks 0: without a launcher.
 */
export async function record(
  command: readonly string[],
  { ranks = 0, prepare = (): void => undefined }: { ranks?: number; prepare?: (place: string) => void } = {},
): Promise<Recorded> {
  const name = path.join(folder, `run-${runs++}`);
  const recording = `${name}-recording`;
  for (const place of [`${name}-plain`, `${name}-recorded`]) {
    mkdirSync(place);
    prepare(place);
  }
  const plain = start(`${name}-plain`, command, [], ranks);
  const environment = [`LD_PRELOAD=${preloaded}`, `IOLENS_RECORDING=${recording}`];
  const recorded = start(`${name}-recorded`, command, environment, ranks);
  expect(plain.status, plain.output).toBe(0);
  expect(recorded.status, recorded.output).toBe(0);
  const names = existsSync(recording) ? readdirSync(recording) : [];
  const trace = await readCapture(
    names.map((file) => memoryFile(file, new Uint8Array(readFileSync(path.join(recording, file))))),
  );
  expectSound(trace);
  expect(trace.damage).toEqual([]);
  return { plain, recorded, recording, trace };
}

/* ---- what was recorded ---- */

export function rowsOf(trace: Trace, layer: Layer, name?: RegExp): number[] {
  const { events, calls } = trace;
  const rows = Array.from({ length: events.length }, (_, row) => row);
  return rows.filter(
    (row) =>
      events.value('layer', row) === LAYERS.indexOf(layer) &&
      name?.test(calls.names[events.value('call', row)]!) !== false,
  );
}

export const nameOf = ({ calls, events }: Trace, row: number): string => calls.names[events.value('call', row)]!;

export function counts(trace: Trace, layer: Layer): Record<string, number> {
  const found: Record<string, number> = {};
  for (const row of rowsOf(trace, layer)) found[nameOf(trace, row)] = (found[nameOf(trace, row)] ?? 0) + 1;
  return found;
}

/** The name of what a call is on, as its handle has it. */
export function objectOf({ events, definitions }: Trace, row: number): string {
  return definitions!.handleNames.get(events.value('handle', row)) ?? '';
}

export function fileOf({ events, files }: Trace, row: number): string {
  const file = events.value('file', row);
  return file === NONE ? '' : path.basename(files.at(file).path);
}

/** `name object bytes file` of all transfers of a layer. */
export function transfers(trace: Trace, layer: Layer): string[] {
  return rowsOf(trace, layer, /read|write|_i?b?m?(put|get)_/i).map((row) =>
    [nameOf(trace, row), objectOf(trace, row), trace.events.value('bytes', row), fileOf(trace, row)].join(' '),
  );
}

/** Bytes that a layer wrote inside of a call, however deep. */
export function writtenWithin(trace: Trace, call: number, layer: Layer): number {
  const { events } = trace;
  let bytes = 0;
  for (const row of rowsOf(trace, layer, /write/)) {
    let above = row;
    while (above !== NONE && above !== call) above = events.value('parent', above);
    if (above === call) bytes += events.value('bytes', row);
  }
  return bytes;
}

/** Layers of the calls around a row, from itself outwards. */
export function layersAround({ events }: Trace, row: number): string[] {
  const layers: string[] = [];
  for (let at = row; at !== NONE; at = events.value('parent', at)) {
    const layer = LAYERS[events.value('layer', at)]!;
    if (layers.at(-1) !== layer) layers.push(layer);
  }
  return layers;
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export function isWithin({ events }: Trace, row: number, call: number): boolean {
  for (let at = row; at !== NONE; at = events.value('parent', at)) if (at === call) return true;
  return false;
}
