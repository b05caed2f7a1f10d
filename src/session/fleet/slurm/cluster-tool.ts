import { execFile } from 'node:child_process';

/** A controller that is busy lets its clients wait for a minute and more. */
const LONGEST_MS = 180_000;
const MOST_OUTPUT = 64 * 2 ** 20;

/** Variables that change what sbatch does, beyond where and at whose cost. */
const OF_THE_USER = ['SBATCH_ARRAY_INX', 'SBATCH_DEPENDENCY', 'SBATCH_OUTPUT', 'SBATCH_WAIT'];

/** What a command said. */
interface ToolOutput {
  /** NaN when it was ended by a signal or took too long. */
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a command of Slurm or Lustre with its words as a list, no shell between. Times come as seconds since 1970, and what the
 * user has set for submissions of their own does not hold for ours.
 * @returns undefined when there is no such command on this machine.
 */
export function clusterTool(program: string, words: readonly string[]): Promise<ToolOutput | undefined> {
  const env: NodeJS.ProcessEnv = { ...process.env, SLURM_TIME_FORMAT: '%s' };
  for (const name of OF_THE_USER) env[name] = undefined;
  const limits = { timeout: LONGEST_MS, maxBuffer: MOST_OUTPUT, encoding: 'utf8' as const, env };
  return new Promise((resolve) => {
    const child = execFile(program, words, limits, (error, output, errors) => {
      if (error === null) resolve({ status: 0, output, errors });
      else if (error.code === 'ENOENT' || error.code === 'EACCES') resolve(undefined);
      else resolve({ status: typeof error.code === 'number' ? error.code : NaN, output, errors });
    });
    child.stdin?.end();
  });
}

/**
 * The same where nothing goes on without an answer.
 * @throws Error in words for the user.
 */
export async function requiredOutput(program: string, words: readonly string[]): Promise<string> {
  const answer = await clusterTool(program, words);
  if (answer === undefined)
    throw new Error(`${program}: not found; are the commands of Slurm installed on this machine?`);
  const said = answer.errors.trim() === '' ? '' : `: ${answer.errors.trim()}`;
  if (answer.status !== 0) throw new Error(`${program} failed (status ${answer.status})${said}`);
  return answer.output;
}
