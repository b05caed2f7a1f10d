import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { CancelledError } from '../worker/worker-protocol.ts';

/** How a command is run. */
export interface ShellRun {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Files that its standard output and its errors go to. */
  readonly output: string;
  readonly errors: string;
  readonly signal: AbortSignal;
  /** Milliseconds after which it is ended. */
  readonly longest?: number;
  /** Milliseconds after which SIGTERM is sent to it. */
  readonly termAfter?: number;
}

export interface ShellEnd {
  /** Undefined when a signal ended it. */
  readonly status: number | undefined;
  /** `exit status 0`, `ended by SIGTERM`, `not ended after 30 s`. */
  readonly words: string;
  /** Nanoseconds of wall time. */
  readonly wallTime: number;
}

/** Milliseconds that a command has to end by itself when it is told to. */
const PATIENCE = 2000;

/** The words that run a command line. */
export function shellWords(command: string): string[] {
  return ['/bin/sh', '-c', command];
}

/**
 * Runs a command without input, in a group of processes of its own: none of them is left when this returns.
 * @throws CancelledError when the signal came.
 */
export async function runCommand(
  [program = '', ...options]: readonly string[],
  { folder, environment, output, errors, signal, longest, termAfter }: ShellRun,
): Promise<ShellEnd> {
  refuseWhenAborted(signal);
  const files = [openSync(output, 'w'), openSync(errors, 'w')] as const;
  const started = process.hrtime.bigint();
  const child = spawn(program, options, {
    cwd: folder,
    env: { ...environment },
    detached: true,
    stdio: ['ignore', ...files],
  });
  for (const file of files) closeSync(file);
  const late = new AbortController();
  let last: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(child.pid, 'SIGTERM');
    last ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), PATIENCE);
  };
  const limit = setTimeout(
    () => {
      late.abort();
      stop();
    },
    Math.min(longest ?? Infinity, LONGEST_TIMER),
  );
  const term = termAfter === undefined ? undefined : setTimeout(() => signalGroup(child.pid, 'SIGTERM'), termAfter);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [status, by] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, name) => resolve([code, name]));
    });
    const wallTime = Number(process.hrtime.bigint() - started);
    refuseWhenAborted(signal);
    const end = status === null ? `ended by ${by ?? 'a signal'}` : `exit status ${status}`;
    const words = late.signal.aborted ? `not ended after ${Math.round(wallTime / 1e9)} s` : end;
    return { status: status ?? undefined, words, wallTime };
  } finally {
    clearTimeout(limit);
    clearTimeout(term);
    clearTimeout(last);
    signal.removeEventListener('abort', stop);
    // What it left in the background would write into the next run's files.
    signalGroup(child.pid, 'SIGKILL');
  }
}

function refuseWhenAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError('the trial was interrupted');
}

/** Node's longest. */
const LONGEST_TIMER = 2 ** 31 - 1;

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // None of them is left.
  }
}
