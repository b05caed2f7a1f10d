import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { accountedJob, type Accounting } from '../../../fleet/scheduler/accounting.ts';
import { dependencyOfCommand, dependencyOfScript, scriptOfCommand } from '../../../fleet/scheduler/submit-line.ts';
import { controllerTable } from './collect-job.ts';
import { JobLogFiles } from './job-log-files.ts';

/** What came of a submission. */
interface Submission {
  /** Exit status of sbatch; NaN when a signal ended it. */
  readonly status: number;
  /** Null when nothing was submitted. */
  readonly file: string | null;
}

/**
 * Submits a job and keeps what was declared, which Slurm forgets as soon as it is fulfilled: the dependency of the command line,
 * of SBATCH_DEPENDENCY, of lines `#SBATCH` or, failing these, as the controller tells it right afterwards. What sbatch prints is
 * passed on.
 * @param command sbatch with its words.
 * @throws Error in words for the user when sbatch cannot be run, or the file cannot be written; the job is then submitted.
 */
export async function collectSubmission(
  command: readonly string[],
  folder: string,
  version: string,
): Promise<Submission> {
  const input = readsScriptFromInput(command) ? await readAll(process.stdin) : undefined;
  const declared = await declaredBy(command, input?.toString());
  let kept: Promise<string> | undefined;
  const status = await submit(command, input, (id) => {
    // With --wait sbatch goes on until the job is over: by then the controller has forgotten.
    kept = keep(id, command, declared, folder, version);
    // Told below, when sbatch has ended.
    kept.catch(() => undefined);
  });
  return { status, file: kept === undefined ? null : await kept };
}

interface Declared {
  readonly dependency: string | null;
  readonly from: string | null;
}

/** In the order that sbatch goes by. */
async function declaredBy(command: readonly string[], input: string | undefined): Promise<Declared> {
  const ofCommand = dependencyOfCommand(command);
  if (ofCommand !== null) return { dependency: ofCommand, from: 'command line' };
  const ofEnvironment = process.env['SBATCH_DEPENDENCY'] ?? '';
  if (ofEnvironment !== '') return { dependency: ofEnvironment, from: 'SBATCH_DEPENDENCY' };
  const file = scriptOfCommand(command);
  const script = input ?? (file === undefined ? undefined : await readFile(file, 'utf8').catch(() => undefined));
  const dependency = script === undefined ? null : dependencyOfScript(script);
  return { dependency, from: dependency === null ? null : 'script' };
}

function readsScriptFromInput(command: readonly string[]): boolean {
  const wraps = command.some((word) => word === '--wrap' || word.startsWith('--wrap='));
  return scriptOfCommand(command) === undefined && !wraps && !process.stdin.isTTY;
}

async function readAll(stream: NodeJS.ReadStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function submit(
  [program = '', ...words]: readonly string[],
  input: Buffer | undefined,
  submitted: (id: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', 'inherit'] });
    let output = '';
    let id: string | undefined;
    child.stdout!.on('data', (piece: Buffer) => {
      process.stdout.write(piece);
      if (id !== undefined || output.length > 65_536) return;
      output += piece.toString();
      id = /^(?:Submitted batch job )?(\d+)(?:;\S*| on cluster \S+)?$/m.exec(
        output.slice(0, output.lastIndexOf('\n') + 1),
      )?.[1];
      if (id !== undefined) submitted(id);
    });
    child.on('error', (error) => reject(new Error(`${program}: cannot be run: ${error.message}`, { cause: error })));
    child.on('close', (code) => resolve(code ?? NaN));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

async function keep(
  id: string,
  command: readonly string[],
  { dependency, from }: Declared,
  folder: string,
  version: string,
): Promise<string> {
  const own: Accounting = {
    format: 'joblog',
    jobs: [accountedJob({ job_id: id, submit_line: command.join(' '), work_directory: path.resolve('.') })],
    steps: [],
    damage: [],
    notes: [],
  };
  const ofController = await controllerTable(id);
  const tables = [own, ...(ofController === undefined ? [] : [ofController])];
  const certain = tables.map((table) => ({
    ...table,
    // The declaration is the user's own; the controller tells it with ranges and states.
    jobs: table.jobs.map((job) => ({ ...job, dependency: dependency ?? job.dependency })),
  }));
  return new JobLogFiles(folder, version).add(id, certain, from);
}
