import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../base/error-message.ts';
import { workedForChildren, difference, type Worked } from './children-times.ts';
import type { MachineLoad } from '../trace/trace.ts';
import type { StorageSamples } from '../trace/storage-samples.ts';
import { watchLoad } from './machine-load.ts';
import { watchStorage } from './watch-storage.ts';
import {
  isTracedCall,
  straceAbilities,
  straceOptions,
  type RecordOptions,
  type StraceAbilities,
} from './strace-command.ts';

/** Recording is not possible here; the message says why and what to do. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** @throws RecordError when strace is not installed. */
export function installedStrace(): StraceAbilities {
  const result = spawnSync('strace', ['-V'], { encoding: 'utf8' });
  if (result.error !== undefined || result.status !== 0) {
    throw new RecordError('strace is not installed: install it with your package manager (apt install strace)');
  }
  return straceAbilities(result.stdout);
}

const PACKED = ['', '.gz', '.xz', '.bz2', '.zst'];

/** A name for a recording of the program that no file has yet: `app.strace`, `app-2.strace`, … */
export function freeOutput(program: string, folder: string): string {
  const base = path.basename(program) || 'program';
  for (let number = 1; ; number++) {
    const name = path.join(folder, number === 1 ? base : `${base}-${number}`);
    // A packed recording, and the stacks of one (`--two-pass`), belong to a recording of that name.
    const taken = ['.strace', '.stacks.strace'].flatMap((ending) =>
      PACKED.map((packed) => `${name}${ending}${packed}`),
    );
    if (!taken.some((file) => existsSync(file))) return `${name}.strace`;
  }
}

/** How a program ended, and how long it took. */
export interface Ended {
  /** Exit status; undefined when a signal ended it. */
  readonly status: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** The first signal that reached us while the program ran. */
  readonly interrupted: NodeJS.Signals | undefined;
  /** Nanoseconds of wall time. */
  readonly wallTime: number;
  /** Nanoseconds that processors worked for the program and its children, where the system tells. */
  readonly worked: Worked | undefined;
  /** How busy others kept the machine meanwhile; undefined where that is not known. */
  readonly load: MachineLoad | undefined;
  /** What the machine's storage did meanwhile; undefined where that is not known, or the run was short. */
  readonly storage: StorageSamples | undefined;
}

/** What is noted of the machine while a program ran. */
export function aroundIt({ load, storage }: Ended): { load?: MachineLoad; storage?: StorageSamples } {
  return { ...(load && { load }), ...(storage && { storage }) };
}

export interface MadeRecording extends Ended {
  readonly output: string;
  /** 0 when nothing was recorded although the program ran. */
  readonly bytes: number;
  /** Why strace could not join the running program, in its words; '' when it could. */
  readonly problem: string;
}

/** What is asked about a run besides the command itself. */
export type StraceRun = Omit<RecordOptions, 'filePerProcess'>;

/**
 * Runs a program under strace, with this process's terminal. The program's input, output, exit status and the signals
 * that it gets stay as they are without strace.
 *
 * @throws RecordError before the program is started, when nothing can be recorded.
 */
export async function recordWithStrace(command: readonly string[], run: StraceRun): Promise<MadeRecording> {
  checkCommand(command[0]!);
  checkTracing();
  checkOutput(run.output);
  const options = straceOptions({ ...run, filePerProcess: false });
  const { pid, ended } = runProgram('strace', [...options, ...command]);
  const end = await ended;
  await recordingComplete(run.output, pid);
  return { ...end, output: run.output, bytes: sizeOf(run.output), problem: '' };
}

/** Signals that whoever started us sends to us and means for the program. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGINT', 'SIGQUIT'] as const;
/** Of these a terminal sends each to the program too: passing them on would make two of one. */
const SENT_BY_TERMINAL = new Set<string>(['SIGINT', 'SIGQUIT', 'SIGHUP']);

/** Starts a program with our terminal; signals to us reach it. */
export function runProgram(
  program: string,
  options: readonly string[],
  environment = process.env,
): { pid: number; ended: Promise<Ended> } {
  const before = workedForChildren();
  // strace is no child of ours (-D): what it works would count as others'.
  const loadOf = program === 'strace' ? () => undefined : watchLoad();
  const storageOf = watchStorage();
  const started = process.hrtime.bigint();
  // Before it is there: a signal in between would end us, and the program would go on alone.
  const forwarding = forwardSignals((signal) => child.kill(signal));
  const child = spawn(program, options, { stdio: 'inherit', env: environment });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', (error) => {
      storageOf();
      reject(error);
    });
    child.on('close', (code, signal) => {
      const wallTime = Number(process.hrtime.bigint() - started);
      const interrupted = forwarding.first();
      const worked = difference(workedForChildren(), before);
      const load = loadOf(wallTime, worked);
      const storage = storageOf();
      resolve({ status: code ?? undefined, signal: signal ?? undefined, interrupted, wallTime, worked, load, storage });
    });
  }).finally(() => forwarding.stop());
  return { pid: child.pid ?? 0, ended };
}

interface Forwarding {
  /** The first signal that came. */
  first(): NodeJS.Signals | undefined;
  stop(): void;
}

/** A handler runs when what is being done is done: `send` is not called before the caller has returned. */
function forwardSignals(send: (signal: NodeJS.Signals) => void): Forwarding {
  const fromTerminal = process.stdin.isTTY || process.stderr.isTTY;
  let first: NodeJS.Signals | undefined;
  const forward = (signal: NodeJS.Signals): void => {
    first ??= signal;
    if (!fromTerminal || !SENT_BY_TERMINAL.has(signal)) send(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return {
    first: () => first,
    stop: () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    },
  };
}

/** @throws RecordError when there is no such program. */
export function checkCommand(program: string): void {
  const folders = program.includes('/') ? [''] : (process.env['PATH'] ?? '').split(':');
  const isThere = folders.some((folder) => {
    try {
      const file = path.resolve(folder, program);
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
  if (!isThere) throw new RecordError(`${program}: there is no such program, or it may not be run`);
}

/** @throws RecordError when processes may not be traced here. */
export function checkTracing(): void {
  // Without -D, where the program would run although it is not traced.
  const options = ['-qq', '-e', 'trace=none', '-o', '/dev/null', 'true'];
  const { status, stderr } = spawnSync('strace', options, { encoding: 'utf8' });
  if (status === 0) return;
  throw new RecordError(
    `processes may not be traced here (kernel.yama.ptrace_scope, container capabilities): ${stderr.trim()}`,
  );
}

/**
 * Tries the calls of `--calls` that are none of ours: strace passes over those that a machine does not have, and so over
 * typing errors as well.
 * @throws RecordError that names the one that strace does not know.
 */
export function checkCalls(calls: readonly string[]): void {
  for (const name of calls.filter((call) => !isTracedCall(call))) {
    const options = ['-qq', '-e', `trace=${name}`, '-o', '/dev/null', 'true'];
    if (spawnSync('strace', options).status !== 0)
      throw new RecordError(`--calls ${name}: strace knows no such call (or class of calls) on this machine`);
  }
}

/**
 * Makes the recording's file, empty.
 * @throws RecordError when it cannot be written.
 */
export function checkOutput(output: string): void {
  try {
    closeSync(openSync(output, 'w'));
  } catch (error) {
    throw new RecordError(`the recording cannot be written: ${messageOf(error)}`);
  }
}

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

const LONGEST_WAIT = 3000;
const STEP = 20;

/**
 * Waits until strace has written the program's end (any process's, when its pid is not known): strace is no parent of the program, so it may be a moment behind. Its
 * lines are written one by one, so what it has not written is at most the last call.
 */
export async function recordingComplete(output: string, pid?: number): Promise<void> {
  let before = -1;
  for (let waited = 0; waited < LONGEST_WAIT; waited += STEP) {
    const size = sizeOf(output);
    if (!existsSync(output)) return;
    if (size === before && endsProcess(output, size, pid)) return;
    before = size;
    await pause(STEP);
  }
}

/** Whether the process's `+++ exited` (behind which only the stack of the exit follows) stands at the end of the file. */
function endsProcess(output: string, size: number, pid: number | undefined): boolean {
  const tail = Buffer.alloc(Math.min(size, 1 << 16));
  const file = openSync(output, 'r');
  try {
    readSync(file, tail, 0, tail.length, size - tail.length);
  } finally {
    closeSync(file);
  }
  return new RegExp(`^${pid ?? '\\d+'}\\s.*\\+\\+\\+ (exited|killed)`, 'm').test(tail.toString('latin1'));
}
