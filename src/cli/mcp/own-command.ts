import { spawn, type ChildProcess } from 'node:child_process';
import { isSea } from 'node:sea';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import type { OpenOptions } from '../arguments.ts';
import type { ToolCall } from './tool.ts';

/** How a command of `iolens` ended. */
interface OwnCommandEnd {
  /** Undefined when a signal ended it. */
  readonly status: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly output: string;
  /** What it said on standard error, without the program's name at the beginning of lines. */
  readonly errors: string;
}

/** Milliseconds that it has to clean up behind itself when it is told to end. */
const PATIENCE = 10_000;
/** Milliseconds for what it has written to be read when it has ended. */
const LAST_WORDS = 2000;
/** Characters of each of its streams that are kept: the last ones, in which errors stand. */
const LONGEST_OUTPUT = 1 << 24;

/**
 * Runs `iolens` itself: what programs print is kept apart from the protocol on standard output, and a cancelled call ends
 * all processes of the command.
 * @throws CancelledError when the call was cancelled.
 */
export async function runOwnCommand(args: readonly string[], call: ToolCall): Promise<OwnCommandEnd> {
  refuseCancelled(call);
  const own = isSea() ? [] : [process.argv[1]!];
  const child = spawn(process.execPath, [...own, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = kept(child.stdout);
  const errors = kept(child.stderr, (line) => call.progress(line));
  let last: NodeJS.Timeout | undefined;
  const stop = (): void => {
    signalGroup(child, 'SIGTERM');
    last = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE);
  };
  call.signal.addEventListener('abort', stop, { once: true });
  try {
    const [status, signal] = await ended(child);
    refuseCancelled(call);
    return { status, signal, output: output(), errors: errors() };
  } finally {
    clearTimeout(last);
    call.signal.removeEventListener('abort', stop);
  }
}

function refuseCancelled({ signal }: ToolCall): void {
  if (signal.aborted) throw new CancelledError();
}

/** Its streams end with it, but where a process that it left behind holds them: nobody waits for that one. */
function ended(child: ChildProcess): Promise<[number | undefined, NodeJS.Signals | undefined]> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve([status ?? undefined, signal ?? undefined]));
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LAST_WORDS).unref();
    });
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}

/** Keeps the end of what a stream says. @param tell is told each whole line. */
function kept(stream: NodeJS.ReadableStream, tell?: (line: string) => void): () => string {
  let [text, begun] = ['', ''];
  stream.setEncoding('utf8');
  stream.on('data', (more: string) => {
    text = (text + more).slice(-LONGEST_OUTPUT);
    if (tell === undefined) return;
    const lines = `${begun}${more}`.split('\n');
    begun = lines.pop()!.slice(-LONGEST_OUTPUT);
    for (const line of lines) tell(withoutName(line));
  });
  return () => text.split('\n').map(withoutName).join('\n');
}

function withoutName(line: string): string {
  return line.replace(/^iolens: /, '');
}

/** The options of opening recordings that the server was started with, for a command that is to open them alike. */
export function openArguments(options: OpenOptions): string[] {
  const { binary, debugDir, sourceMap, debuginfod, debuginfodUrl, shared, ignore, config, nodes, memoryBudget } =
    options;
  return [
    ...binary.map((file) => `--binary=${file}`),
    ...debugDir.map((folder) => `--debug-dir=${folder}`),
    ...sourceMap.map(({ from, to }) => `--source-map=${from}=${to}`),
    ...(debuginfod === true ? ['--debuginfod'] : []),
    ...debuginfodUrl.map((url) => `--debuginfod-url=${url}`),
    ...shared.map((folder) => `--shared=${folder}`),
    ...(ignore ?? []).map((glob) => `--ignore=${glob}`),
    ...(config === undefined ? [] : [`--config=${config}`]),
    ...(nodes === undefined ? [] : [`--nodes=${nodes}`]),
    ...(memoryBudget === undefined ? [] : [`--memory-budget=${memoryBudget}`]),
    ...(options.cache ? [] : ['--no-cache']),
  ];
}
