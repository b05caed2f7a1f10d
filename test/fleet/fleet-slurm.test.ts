import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccounting, type AccountedJob } from '../../src/fleet/scheduler/read-accounting.ts';
import { TABLE_NAMES } from '../../src/fleet/schema/tables.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { QUESTIONS } from '../../src/fleet/query/questions/questions.ts';
import { CopiedLog } from '../support/copied-logs.ts';
import { corpus } from '../support/corpus.ts';
import { clusterLack, SlurmCluster } from './slurm-cluster.ts';

const run = promisify(execFile);
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const LOGS = 24;
const lack = clusterLack();
if (lack !== undefined) process.stdout.write(`${lack}; its tests are skipped\n`);

let cluster: SlurmCluster;
let logs = '';

function iolens(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const options = { env: cluster.environment, cwd: cluster.folder, maxBuffer: 1 << 26 };
  return run(process.execPath, [cli, ...words], options);
}

const ingest = (store: string, ...words: string[]) => iolens('fleet', 'ingest', '--store', cluster.at(store), ...words);

/** Copies of real logs, with names that a shell would take apart. */
async function makeLogs(folder: string): Promise<void> {
  const samples = corpus('darshan-stack')!;
  const names = readdirSync(samples).filter((name) => name.endsWith('.darshan'));
  mkdirSync(folder);
  const originals = await Promise.all(names.map((name) => CopiedLog.of(readFileSync(path.join(samples, name)))));
  for (let number = 0; number < LOGS; number++) {
    const copy = originals[number % originals.length]!.as({ jobId: 1000 + number, later: number * 86_400 });
    writeFileSync(path.join(folder, `job $(${number}) 'x'.darshan`), copy);
  }
}

interface Answers {
  /** Digest of the rows of each table, as text and in order: not a byte differs. */
  readonly tables: Readonly<Record<string, string>>;
  /** What answers the ready-made questions, as text. */
  readonly questions: Readonly<Record<string, string>>;
}

async function answers(store: string): Promise<Answers> {
  const opened = await OpenedStore.open(cluster.at(store));
  try {
    const tables: Record<string, string> = {};
    const questions: Record<string, string> = {};
    for (const table of TABLE_NAMES) {
      const { rows } = await opened.query(`SELECT * FROM ${table} ORDER BY ALL`);
      const digest = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
      tables[table] = `${rows.length} rows ${digest}`;
    }
    for (const { id, parameters } of QUESTIONS) {
      const { result } = await opened.answer(
        id,
        parameters.map(({ initial }) => initial),
      );
      questions[id] = JSON.stringify(result.rows);
    }
    return { tables, questions };
  } finally {
    opened.close();
  }
}

/** A store answers as the one that was made on this machine. */
async function expectSameAnswers(store: string): Promise<void> {
  const [found, local] = [await answers(store), await answers('local')];
  expect(local.tables['job']).toMatch(/^24 rows /);
  expect(found).toEqual(local);
}

const shardsOf = (store: string) => readdirSync(path.join(cluster.at(store), 'shards'));

/** Numbers of the arrays that worked for a store. */
async function arraysOf(store: string): Promise<string[]> {
  const jobs = (await cluster.command('scontrol', 'show', 'job', '--oneliner')).split('\n');
  const own = jobs.filter((job) => job.includes(`WorkDir=${cluster.at(store)}/`));
  return [...new Set(own.flatMap((job) => /ArrayJobId=(\d+)/.exec(job)?.[1] ?? []))];
}

/** Takes about 45 s on two cores; nothing is shared with a Slurm that this machine may have. */
describe.skipIf(lack !== undefined)('on a real Slurm', () => {
  beforeAll(async () => {
    cluster = await SlurmCluster.start();
    logs = cluster.at('a folder; echo of "logs"');
    await makeLogs(logs);
    await ingest('local', logs);
  });
  afterAll(() => cluster.stop());

  test('an array of tasks answers byte for byte as an ingestion on one machine does', async () => {
    const { stderr } = await ingest("it's an array", logs, '--slurm', '--tasks', '4', '--wait');
    expect(stderr).toMatch(/run \S+: 24 logs in 4 tasks, job \d+\n.*all 24 logs are taken in/s);
    await expectSameAnswers("it's an array");
    expect(readdirSync(cluster.at("it's an array", 'manifest')).length).toBeGreaterThanOrEqual(4);
    expect(shardsOf("it's an array")).toEqual([]);
    expect((await ingest("it's an array", logs, '--slurm')).stderr).toContain('nothing to do');
  });

  test('tasks that are killed are tried again, by a step of the batch system', async () => {
    const words = ['--slurm', '--tasks', '3', '--max-running', '1', '--partition', 'main', '--time', '10', '--json'];
    const { stdout } = await ingest('killed', logs, ...words);
    const { run: name, job } = JSON.parse(stdout) as { run: string; job: string };
    expect((await ingest('killed', '--resume', name)).stderr).toContain('still under way');
    await cluster.command('scancel', `${job}_2`);
    await cluster.until('a task to kill', async () => {
      const running = await cluster.command('squeue', '-h', '-t', 'RUNNING', '-j', job, '-o', '%i');
      if (running !== '') await cluster.command('scancel', '--signal=KILL', '--full', running.split('\n')[0]!);
      return running !== '';
    });
    await cluster.until('all logs', () => Promise.resolve(shardsOf('killed').length === 0), 100);
    expect(await arraysOf('killed')).toHaveLength(2);
    await expectSameAnswers('killed');
  });

  test('what no attempt could take in is told, and taken in by --resume when the reason is gone', async () => {
    const unable = '--sbatch-option=--export=ALL,NODE_OPTIONS=--no-such-option';
    const words = ['--slurm', '--tasks', '2', '--wait', '--retries', '0', unable];
    const failed: unknown = await ingest('failed', logs, ...words).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 3 });
    const { stderr } = failed as { stderr: string };
    expect(stderr).toContain('24 logs of 2 tasks are not taken in');
    expect(stderr).toContain('not taken in: ');
    const [name] = shardsOf('failed');
    const { stderr: said } = await ingest('failed', '--resume', name!, '--wait', '--sbatch-option=--export=ALL');
    expect(said).toContain('all 24 logs are taken in');
    await expectSameAnswers('failed');
  });

  test("the collector's files say what was declared, when Slurm has forgotten it", async () => {
    const folder = cluster.at('kept');
    const collect = ['collect', 'submit', '-o', folder, '--', 'sbatch', '--parsable'];
    const submit = async (...words: string[]) => (await iolens(...collect, ...words)).stdout.trim();
    const step = 'srun -n 1 -J work true';
    const first = await submit('--wrap', step);
    const script = cluster.at('directives.sh');
    writeFileSync(script, `#!/bin/sh\n#SBATCH -J directed\n#SBATCH -d afterany:${first}\n${step}\n`);
    const second = await submit(script);
    const third = await submit('--array=0-1', `--dependency=afterok:${first}:${second}`, '--wrap', step);
    const last = await submit('--wait', '-d', `afterok:${third}`, '--wrap', step);
    const tasks = await cluster.command('scontrol', 'show', 'job', '--oneliner', third);
    const numbers = [...tasks.matchAll(/^JobId=(\d+)/gm)].map((match) => match[1]!);
    const expected = new Map([
      [first, null],
      [second, `afterany:${first}`],
      ...numbers.map((number) => [number, `afterok:${first}:${second}`] as const),
      [last, `afterok:${third}`],
    ]);
    expect(expected.size).toBe(5);
    expect(tasks).toContain('Dependency=(null)');
    for (const [number, dependency] of expected) {
      const job = await collected(number, folder);
      expect([number, job.dependency, job.state, job.exit_code]).toEqual([number, dependency, 'COMPLETED', 0]);
    }
  });
});

/** What `iolens collect job` keeps, once the accounting has heard of the end (it lags behind). */
async function collected(number: string, folder: string): Promise<AccountedJob> {
  const file = path.join(folder, `joblog_${number}.json`);
  let job: AccountedJob | undefined;
  await cluster.until(`the steps of job ${number}`, async () => {
    await iolens('collect', 'job', number, '-o', folder);
    const log = readAccounting(file, readFileSync(file))!;
    job = log.jobs[0];
    return log.steps.some((each) => each.name === 'work' && each.state === 'COMPLETED');
  });
  return job!;
}
