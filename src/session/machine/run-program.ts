import { execFile } from 'node:child_process';

export interface ProgramOutput {
  /** Exit status; NaN when it was ended by a signal or took too long. */
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** A tool that hangs (a wrapper that asks, a file server that is gone) is ended. */
const LONGEST = 10_000;

interface Limits {
  /** Milliseconds. */
  readonly timeout?: number;
  /** Bytes of output. */
  readonly maxBuffer?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a tool without a shell and without input.
 * @returns undefined when there is no such program.
 */
export function runProgram(
  program: string,
  options: readonly string[],
  { timeout = LONGEST, maxBuffer = 1 << 22, env = process.env }: Limits = {},
): Promise<ProgramOutput | undefined> {
  return new Promise((resolve) => {
    const limits = { timeout, maxBuffer, encoding: 'utf8' as const, env };
    const child = execFile(program, options, limits, (error, output, errors) => {
      if (error === null) resolve({ status: 0, output, errors });
      else if (error.code === 'ENOENT' || error.code === 'EACCES') resolve(undefined);
      else resolve({ status: typeof error.code === 'number' ? error.code : NaN, output, errors });
    });
    child.stdin?.end();
  });
}
