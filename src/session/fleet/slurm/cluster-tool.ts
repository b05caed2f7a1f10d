import { runProgram, type ProgramOutput } from '../../machine/run-program.ts';

/** A controller that is busy lets its clients wait for a minute and more. */
const LONGEST_MS = 180_000;
const MOST_OUTPUT = 64 * 2 ** 20;

/** Variables that change what sbatch does, beyond where and at whose cost. */
const OF_THE_USER = ['SBATCH_ARRAY_INX', 'SBATCH_DEPENDENCY', 'SBATCH_OUTPUT', 'SBATCH_WAIT'];

/**
 * Runs a command of Slurm or Lustre with its words as a list, no shell between. Times come as seconds since 1970, and what the
 * user has set for submissions of their own does not hold for ours.
 * @returns undefined when there is no such command on this machine.
 */
export function clusterTool(program: string, words: readonly string[]): Promise<ProgramOutput | undefined> {
  const env: NodeJS.ProcessEnv = { ...process.env, SLURM_TIME_FORMAT: '%s' };
  for (const name of OF_THE_USER) env[name] = undefined;
  return runProgram(program, words, { timeout: LONGEST_MS, maxBuffer: MOST_OUTPUT, env });
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
