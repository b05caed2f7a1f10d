import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkflowDocument } from '../../src/fleet/workflow/workflow-document.ts';
import { clusterLack, SlurmCluster } from './slurm-cluster.ts';

const run = promisify(execFile);
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const lack = clusterLack();
if (lack !== undefined) process.stdout.write(`${lack}; its tests are skipped\n`);

/** Jobs and the steps in them: names of programs that are recorded. */
const JOBS = [['prepare'], ['solve', 'check'], ['sum', 'pack']] as const;

let cluster: SlurmCluster;

function iolens(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [cli, ...words], { env: cluster.environment, cwd: cluster.folder, maxBuffer: 1 << 26 });
}

/** A job script: each step is recorded by itself, and the last line keeps what is known of the job. */
function script(steps: readonly string[], folder: string): string {
  const command = `${process.execPath} ${cli}`;
  const step = (name: string, index: number): string =>
    `srun -n 1 -J ${name} ${command} record --with preload -o ${folder}/rec-${name}-${index}.iolens -- cp ${cluster.at('input')} ${cluster.at(`out-${name}`)}\n`;
  return `#!/bin/sh\n${steps.map(step).join('')}${command} collect job -o ${folder}\n`;
}

describe.skipIf(lack !== undefined)('three jobs with five steps on a real Slurm', () => {
  const folder = (): string => cluster.at('kept');
  const numbers: string[] = [];

  beforeAll(async () => {
    cluster = await SlurmCluster.start();
    mkdirSync(folder());
    writeFileSync(cluster.at('input'), 'x'.repeat(100_000));
    for (const [index, steps] of JOBS.entries()) {
      const file = cluster.at(`job${index}.sh`);
      writeFileSync(file, script(steps, folder()), { mode: 0o755 });
      const after = index === 0 ? [] : [`--dependency=afterok:${numbers[index - 1]!}`];
      const words = ['collect', 'submit', '-o', folder(), '--', 'sbatch', '--parsable', ...after, file];
      numbers.push((await iolens(...words)).stdout.trim());
    }
    await cluster.until('the end of all jobs', async () => (await cluster.command('squeue', '-h')) === '', 200);
  });
  afterAll(() => cluster.stop());

  test('come out whole: what collect kept within the jobs, beside the accounting, and all recordings', async () => {
    await cluster.until('the accounting', async () => {
      const states = await cluster.command('sacct', '-nXP', `-j${numbers.join(',')}`, '--format=State');
      return states === 'COMPLETED\nCOMPLETED\nCOMPLETED';
    });
    const kept = (number: string): string => readFileSync(path.join(folder(), `joblog_${number}.json`), 'utf8');
    for (const number of numbers) expect(kept(number)).toContain('"State": "RUNNING"');
    // Without the cluster, as most tables are.
    const fields = 'JobIDRaw,JobName,State,ExitCode,Submit,Eligible,Start,End,NNodes,NodeList';
    const table = await cluster.command('sacct', '-P', `-j${numbers.join(',')}`, `--format=${fields}`);
    writeFileSync(path.join(folder(), 'sacct.txt'), `${table}\n`);

    const { stdout, stderr } = await iolens('workflow', folder(), '--json');
    const { jobs, dependencies, notes } = JSON.parse(stdout) as WorkflowDocument;
    for (const number of numbers) {
      expect(stderr).toContain(`job ${number} was RUNNING when this was written; it is COMPLETED now`);
      expect(kept(number)).not.toContain('"State": "RUNNING"');
    }
    expect(jobs.map(({ id, state }) => [id, state])).toEqual(numbers.map((id) => [id, 'COMPLETED']));
    const steps = jobs.flatMap((job) => job.steps);
    const expected = JOBS.flatMap((names, job) =>
      names.map((name, step) => [`${numbers[job]!}.${step}`, name, 'iolens']),
    );
    expect(steps.map((step) => [step.id, step.name, step.recordingFormat])).toEqual(expected);
    for (const step of steps) expect(step.recording.join(' ')).toContain(`/rec-${step.name}-`);
    expect(dependencies.filter(({ kind }) => kind === 'declared').map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(notes.filter((note) => note.includes('left out'))).toEqual([]);
    expect((await iolens('workflow', folder(), '--json')).stderr).toBe('');
  });
});
