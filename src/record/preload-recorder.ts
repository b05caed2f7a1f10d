/** Recording by the recorder library, which the program loads (LD_PRELOAD): docs/recording-format.md. */
import path from 'node:path';
import { passedOver } from './launchers.ts';
import { countRecorded, type RecordedChunks } from './recorded-chunks.ts';
import { isFull, recordedFiles, removeEmpty } from './recording-folder.ts';
import { runProgram, type Ended } from './strace-recorder.ts';

/** Layers as `--layers` and IOLENS_LAYERS name them. */
export const PRELOAD_LAYERS = ['posix', 'stdio', 'mpi-io', 'hdf5', 'netcdf', 'pnetcdf', 'mpi'] as const;
/** The library's own limit. */
export const MOST_STACK_DEPTH = 255;

/** What is recorded of a program. */
export interface PreloadSettings {
  /** All when it is not said. */
  readonly layers?: readonly string[];
  /** Deepest call stack, 0 for none; the library's own when it is not said. */
  readonly stackDepth?: number;
  /** One of how many calls has a stack; 1 when it is not said. */
  readonly sample?: number;
  /** Bytes of events that a process writes before it only counts calls; no limit when it is not said. */
  readonly limit?: number;
}

/** What the library is told, and the loader. */
type PreloadVariables = Readonly<Record<string, string>>;

/**
 * The variables that make a program record itself and its children.
 * @param folder absolute; it must be there.
 * @param environment the program's, whose own LD_PRELOAD stays in force.
 */
export function preloadVariables(
  library: string,
  folder: string,
  { program = '', layers, stackDepth, sample, limit }: PreloadSettings & { readonly program?: string },
  environment: Readonly<Record<string, string | undefined>>,
): PreloadVariables {
  const others = environment['LD_PRELOAD'] ?? '';
  return {
    LD_PRELOAD: others === '' ? library : `${library}:${others}`,
    IOLENS_RECORDING: path.resolve(folder),
    IOLENS_SKIP: passedOver(program).join(','),
    ...(layers !== undefined && { IOLENS_LAYERS: layers.join(',') }),
    ...(stackDepth !== undefined && { IOLENS_STACK_DEPTH: String(stackDepth) }),
    ...(sample !== undefined && { IOLENS_STACK_SAMPLE: String(sample) }),
    ...(limit !== undefined && { IOLENS_LIMIT: String(limit) }),
  };
}

/** How a program ended, and what its processes recorded. */
export interface PreloadRecording extends Ended {
  readonly folder: string;
  readonly recorded: RecordedChunks;
  /** No room was left at the end, so nothing could be written of what did not fit. */
  readonly diskFull: boolean;
}

/**
 * Runs a program that records itself, with this process's terminal. Its input, output, exit status and the signals that it
 * gets are its own.
 */
export async function recordWithPreload(
  command: readonly string[],
  folder: string,
  variables: PreloadVariables,
): Promise<PreloadRecording> {
  const [program = '', ...options] = command;
  const end = await runProgram(program, options, { ...process.env, ...variables }).ended;
  const diskFull = isFull(folder);
  if (recordedFiles(folder).length === 0) removeEmpty(folder);
  return { ...end, folder, diskFull, recorded: await countRecorded(folder) };
}
