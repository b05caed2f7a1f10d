/**
 * Recording a part of a run: strace joins the running program for a while and leaves it again. Between, the program runs at
 * full speed. A process can have one tracer only, and a filter of the kernel (`--seccomp-bpf`) cannot be taken back, so
 * while strace is there every call of the program stops, not only those that are recorded.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { attachOptions } from './strace-command.ts';
import {
  checkCommand,
  checkOutput,
  RecordError,
  runProgram,
  sizeOf,
  type Ended,
  type MadeRecording,
  type StraceRun,
} from './strace-recorder.ts';

/** From when until when of a run, in milliseconds from its start. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Reads `10s..20s`, `500ms..2s`, `10..20` (seconds), `1m..`. @returns undefined when the text is no window. */
export function parseWindow(text: string): Window | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?\.\.(?:(\d+(?:\.\d+)?)(ms|s|m)?)?$/.exec(text.trim());
  if (match === null) return undefined;
  const scale = (unit: string | undefined): number => (unit === 'ms' ? 1 : unit === 'm' ? 60_000 : 1000);
  const from = Number(match[1]) * scale(match[2]);
  const to = match[3] === undefined ? Infinity : Number(match[3]) * scale(match[4]);
  return to > from ? { from, to } : undefined;
}

/**
 * Windows spread over a whole run. The first begins with the program; the pauses between them grow, because nobody knows
 * beforehand how long the run is: a run of a second gets some ten windows, a long one is traced for 3 % of its time.
 */
export function* sampleWindows(): Generator<Window> {
  const LENGTH = 150;
  for (let from = 0, pause = 30; ; from += LENGTH + pause, pause = Math.min(pause * 1.25, 5000)) {
    yield { from, to: from + LENGTH };
  }
}

/**
 * Runs a program and records the given windows of the run into one file.
 * @throws RecordError before the program is started, when strace could not join it.
 */
export async function recordWindows(
  command: readonly string[],
  run: StraceRun,
  windows: Iterable<Window>,
): Promise<MadeRecording> {
  checkCommand(command[0]!);
  checkAttaching();
  checkOutput(run.output);
  const [first, ...rest] = startStopped(command);
  const { pid, ended } = runProgram(first, rest);
  let end: Ended | undefined;
  let started = performance.now();
  const over = ended.then((how) => {
    end = how;
  });
  const until = (moment: number): Promise<unknown> => {
    const left = started + moment - performance.now();
    const controller = new AbortController();
    // A timer that is no longer needed must not keep the process alive.
    const timer = left > 2 ** 31 - 1 ? over : pause(Math.max(0, left), undefined, controller).catch(() => undefined);
    return Promise.race([timer, over]).finally(() => controller.abort());
  };
  const isOver = (): boolean => end !== undefined;
  let problem = '';
  let isStopped = true;
  for (const { from, to } of windows) {
    if (isStopped && from > 0) {
      await goOn(pid, isOver);
      isStopped = false;
      started = performance.now();
    }
    await until(from);
    if (isOver()) break;
    const { joined, leave } = join(run, pid);
    if (isStopped) {
      await hasTracer(pid, isOver);
      await goOn(pid, isOver);
      isStopped = false;
      started = performance.now();
    }
    await until(to);
    // On a busy machine it joins late, perhaps when the part is over: then what follows is recorded, as long as was wanted.
    const late = (await joined) - started;
    if (late > to) await until(late + to - from);
    problem ||= await leave();
    if (isOver()) break;
  }
  return { ...(await ended), output: run.output, bytes: sizeOf(run.output), problem };
}

/** A shell that stops itself and then becomes the program: strace can join before the program's first call. */
function startStopped(command: readonly string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', 'kill -STOP $$; exec "$@"', 'sh', ...command];
}

const STEP = 5;
const LONGEST_WAIT = 3000;

/** A line of `/proc/PID/status`, '' when the process is gone. */
function statusOf(pid: number, name: string): string {
  try {
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Waits for a process to be in a state, but not for ever: the program is to run, recorded or not. */
async function waitFor(isReached: () => boolean, isOver: () => boolean): Promise<void> {
  for (let waited = 0; waited < LONGEST_WAIT && !isReached() && !isOver(); waited += STEP) await pause(STEP);
}

function hasTracer(pid: number, isOver: () => boolean): Promise<void> {
  return waitFor(() => statusOf(pid, 'TracerPid') !== '0', isOver);
}

/** Lets the stopped program begin. */
async function goOn(pid: number, isOver: () => boolean): Promise<void> {
  await waitFor(() => /^[Tt]/.test(statusOf(pid, 'State')), isOver);
  if (!isOver()) process.kill(pid, 'SIGCONT');
}

/** Characters of what strace says that are kept. */
const MOST_SAID = 4096;

/** strace, on its way to a process. */
interface Tracer {
  /** When it has joined, or will not, in milliseconds of `performance`. */
  readonly joined: Promise<number>;
  /** Makes it leave, waits until it has, and says why it had not joined; '' when it had. */
  readonly leave: () => Promise<string>;
}

/** Lets strace join a process and all its children. */
function join(run: StraceRun, pid: number): Tracer {
  const pids = [...processesBelow(pid)];
  const tracer = spawn('strace', attachOptions({ ...run, filePerProcess: false }, pids), {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Not in the terminal's group: an interrupt is the program's.
    detached: true,
  });
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < MOST_SAID) said += text;
  });
  let isGone = false;
  const gone = new Promise<string>((resolve) => {
    tracer.on('error', (error) => resolve(error.message));
    tracer.on('exit', (status) => {
      isGone = true;
      endGroup(tracer.pid);
      // 1 is strace's own failure; of the processes that it joined it returns nothing.
      const tell = (): void => resolve(status === 1 ? said.trim() || 'strace says nothing' : '');
      tracer.on('close', tell);
    });
  });
  const joined = hasTracer(pid, () => isGone).then(() => performance.now());
  const leave = async (): Promise<string> => {
    // While it starts an interrupt kills it, and a child by which it tries what it may do stays behind, stopped.
    await joined;
    // It detaches from all processes, and they run on.
    tracer.kill('SIGINT');
    return gone;
  };
  return { joined, leave };
}

/** What strace leaves of its own, if anything: the processes that it joined are in other groups. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left, as a rule.
  }
}

/** A process, its children and theirs. */
function processesBelow(pid: number): Set<number> {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name of the program, in brackets, may hold anything.
      parents.set(Number(name), Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = new Set([pid]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const [child, parent] of parents) if (found.has(parent)) found.add(child);
  }
  return found;
}

const YAMA = '/proc/sys/kernel/yama/ptrace_scope';

function checkAttaching(): void {
  const isOpen = !existsSync(YAMA) || readFileSync(YAMA, 'latin1').trim() === '0' || process.getuid?.() === 0;
  if (isOpen) return;
  throw new RecordError(
    'strace may not join a running program here (kernel.yama.ptrace_scope): record the whole run, or choose ranks, paths or calls',
  );
}
