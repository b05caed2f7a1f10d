import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { WorkflowDocument, WorkflowStep } from '../../src/fleet/workflow/workflow-document.ts';
import { MemoryBudget } from '../../src/session/reading/memory-budget.ts';
import { WorkflowAnswers } from '../../src/features/workflow/answers.ts';
import { absent, corpus } from '../support/corpus.ts';

const temporary = mkdtempSync(path.join(tmpdir(), 'iolens-workflow-recordings-'));

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function read(folder: string): Promise<WorkflowDocument> {
  return new WorkflowAnswers({ means: () => ({ budget: new MemoryBudget(), cache: undefined }) }).read(folder);
}

let folders = 0;
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = path.join(temporary, String(++folders));
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

/** Times of the tests count from here. */
const DAY = 1_772_438_400;

/** Lines of `strace -f -ttt -T -y`, a call a second. */
function strace(begin: number, ...calls: string[]): string {
  return calls.map((call, at) => `100 ${(DAY + begin + at).toFixed(6)} ${call} <0.250000>\n`).join('');
}

const write = (path: string, flags = 'O_WRONLY|O_CREAT|O_TRUNC'): string[] => [
  `openat(AT_FDCWD</w>, "${path}", ${flags}, 0666) = 3<${path}>`,
  `write(3<${path}>, "x", 4096) = 4096`,
  `close(3<${path}>) = 0`,
];
const readAll = (path: string): string[] => [
  `openat(AT_FDCWD</w>, "${path}", O_RDONLY) = 3<${path}>`,
  `read(3<${path}>, "x", 4096) = 4096`,
  `close(3<${path}>) = 0`,
];

const data = ({ jobs, files, dependencies }: WorkflowDocument): string[] =>
  dependencies
    .filter(({ kind }) => kind === 'data')
    .map(({ from, to, files: shared }) => `${jobs[from]!.id} ${jobs[to]!.id} ${files[shared[0]!]!.path}`);

describe('files of single calls', () => {
  test('go by their new name after a rename, and are gone after a removal', async () => {
    const workflow = await read(
      folderOf({
        'one.strace': strace(
          1000,
          ...write('/s/out.tmp'),
          'rename("/s/out.tmp", "/s/out") = 0',
          ...write('/s/gone'),
          'unlink("/s/gone") = 0',
        ),
        'two.strace': strace(2000, ...readAll('/s/out'), ...readAll('/s/gone')),
      }),
    );
    expect(data(workflow)).toEqual(['one two /s/out']);
  });

  test('that a program writes anew before it reads them need nobody else', async () => {
    const scratch = [...write('/s/scratch'), ...readAll('/s/scratch')];
    const workflow = await read(
      folderOf({ 'one.strace': strace(1000, ...scratch), 'two.strace': strace(2000, ...scratch) }),
    );
    expect(workflow.files[0]!.users.map(({ mode }) => mode)).toEqual(['read-write', 'read-write']);
    expect(data(workflow)).toEqual([]);
  });

  test('that a later writer appended to come from both', async () => {
    const append = write('/s/rows', 'O_WRONLY|O_CREAT|O_APPEND');
    const workflow = await read(
      folderOf({
        'one.strace': strace(1000, ...write('/s/rows')),
        'two.strace': strace(2000, ...append),
        'three.strace': strace(3000, ...readAll('/s/rows')),
      }),
    );
    expect(data(workflow).sort()).toEqual(['one three /s/rows', 'two three /s/rows']);
  });

  test('of the system are none of the workflow', async () => {
    const workflow = await read(
      folderOf({
        'one.strace': strace(1000, ...readAll('/usr/lib/libm.so.6'), ...write('/s/a'), ...readAll('/etc/passwd')),
      }),
    );
    expect(workflow.files.map((file) => file.path)).toEqual(['/s/a']);
  });

  test('take part of the time that strace saw, and the rest is computation', async () => {
    const { jobs } = await read(folderOf({ 'one.strace': strace(1000, ...write('/s/a'), 'getpid() = 100') }));
    const { share, recording, recordingFormat } = jobs[0]!.steps[0]!;
    // Three calls of I/O of a quarter of a second each, within 3.25 s.
    expect(share!.io).toBeCloseTo(0.75, 9);
    expect(share!.computation).toBeCloseTo(2.5, 9);
    expect([recordingFormat, recording.length]).toEqual(['strace', 1]);
  });
});

const row = (id: string, name: string, start: number, end: number, node: string, line: string): string =>
  `${id}|${name}|COMPLETED|0:0|${DAY + 900}|${DAY + start}|${DAY + end}|${node}|/s|${line}`;
const ACCOUNTING = [
  'JobID|JobName|State|ExitCode|Submit|Start|End|NodeList|WorkDir|SubmitLine',
  row('42', 'prep', 1000, 1100, 'n1', 'sbatch prep.sh'),
  row('42.0', 'mesh', 1000, 1050, 'n1', 'srun mesh'),
  row('42.1', 'fill', 1050, 1100, 'n1', 'srun fill'),
  row('43', 'solve', 2000, 2100, 'n2', 'sbatch -d afterok:42 solve.sh'),
  row('43.0', 'solver', 2000, 2100, 'n2', 'srun solver'),
  '',
].join('\n');

const formatOf = ({ jobs }: WorkflowDocument): Record<string, string | null> =>
  Object.fromEntries(
    jobs.flatMap(({ steps }) => steps.map(({ id, recordingFormat }: WorkflowStep) => [id, recordingFormat])),
  );

describe('recordings are given to their steps', () => {
  const call = (begin: number): string => strace(begin, ...write('/s/a'));

  test.each([
    ['by the name of the file', '42.1.strace'],
    ['by the names of job and step', 'job42_step1.strace'],
    ['by folders', 'job-42/step_1/trace.strace'],
    ["by the step's own name", '42/fill.strace'],
    ['by times, where the name says nothing', 'trace.strace'],
    ['by times within the job that the name tells', 'run-42.strace'],
  ])('%s', async (_, name) => {
    const workflow = await read(folderOf({ 'sacct.txt': ACCOUNTING, [name]: call(1060) }));
    expect(formatOf(workflow)).toEqual({ '42.0': null, '42.1': 'strace', '43.0': null });
    expect(data(workflow)).toEqual([]);
  });

  test('and left out with a word when nothing tells', async () => {
    const workflow = await read(folderOf({ 'sacct.txt': ACCOUNTING, 'trace.strace': call(5000) }));
    expect(Object.values(formatOf(workflow))).toEqual([null, null, null]);
    expect(workflow.notes).toContain('trace.strace: nothing tells which step it is of; it is left out');
  });

  test('of a table in local time, which is moved by what they say', async () => {
    const local = strace(1001 + 7200, ...write('/s/a'));
    const other = strace(1060 + 7200, ...readAll('/s/a'));
    const workflow = await read(
      folderOf({
        'sacct.txt': ACCOUNTING,
        '42.0.strace': local,
        '43.0.strace': strace(2005 + 7200, 'getpid() = 1'),
        'x.strace': other,
      }),
    );
    expect(formatOf(workflow)).toEqual({ '42.0': 'strace', '42.1': 'strace', '43.0': 'strace' });
    expect(workflow.jobs[0]!.start).toBe(DAY + 1000 + 7200);
    expect(workflow.notes.some((note) => note.includes('moved by +2 h'))).toBe(true);
  });

  test('numbers in dates name no job', async () => {
    const workflow = await read(folderOf({ 'sacct.txt': ACCOUNTING, 'trace-2026-11-42.strace': call(2010) }));
    expect(formatOf(workflow)['43.0']).toBe('strace');
  });

  test('the files of one strace -ff are one recording', async () => {
    const files = { 'sacct.txt': ACCOUNTING, '42.0.trace.100': call(1001), '42.0.trace.101': call(1002) };
    const { jobs } = await read(folderOf(files));
    expect(jobs[0]!.steps[0]!.recording.map((file) => path.basename(file))).toEqual([
      '42.0.trace.100',
      '42.0.trace.101',
    ]);
  });
});

describe('profiles of OTF2-Profile', () => {
  const archive = path.join(import.meta.dirname, '../data/otf2/collective_write_agg');
  const profile = {
    Trace: { FileName: '42.0/scorep/traces.otf2', Id: 13969654656972231265n },
    JobId: 0,
    TimerResolution: 1_000_000,
    Functions: {
      MPI: { Count: 4, Time: 400_000 },
      USER: { Count: 1, Time: 500_000 },
      UNKNOWN: { Count: 3, Time: 100_000 },
    },
    IOOperations: {
      'MPI I/O': { Bytes: 4096, Count: 2, MetaOperationTime: 0, TransferOperationTime: 150_000 },
      'POSIX I/O': { Bytes: 4096, Count: 2, MetaOperationTime: 10_000, TransferOperationTime: 70_000 },
    },
    Files: [
      { FileName: '/s/a', IoParadigm: ['MPI I/O', 'POSIX I/O'], AccessModes: 'W', ParentFile: null },
      { FileName: '/s/a.raw', IoParadigm: ['POSIX I/O'], AccessModes: 'W', ParentFile: { FileName: '/s/a' } },
      { FileName: 'stdout', IoParadigm: ['POSIX I/O'], AccessModes: 'W', ParentFile: null },
    ],
  };
  const text = (value: object): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `@${each}@` : each)).replace(
      /"@(\d+)@"/g,
      '$1',
    );

  test('belong to the step whose trace they name; time of I/O is taken out of the functions that make it', async () => {
    const { jobs, files, notes } = await read(folderOf({ 'sacct.txt': ACCOUNTING, 'profile.json': text(profile) }));
    const { share, recording, recordingFormat } = jobs[0]!.steps[0]!;
    expect([recordingFormat, recording]).toEqual(['otf2-profile', []]);
    expect(share!.communication).toBeCloseTo(0.25, 9);
    expect(share!.computation).toBeCloseTo(0.52, 9);
    expect(share!.io).toBeCloseTo(0.23, 9);
    expect(files.map((file) => [file.path, file.parent])).toEqual([
      ['/s/a', null],
      ['/s/a.raw', 0],
    ]);
    expect(notes.some((note) => note.startsWith('profile.json: a profile of OTF2-Profile'))).toBe(true);
  });

  test('with hardware counters are no JSON, and read all the same', async () => {
    const broken = text(profile).replace('"Functions"', '"HardwareCounters":["PAPI_TOT_CYC":12],"Functions"');
    const { jobs } = await read(folderOf({ 'sacct.txt': ACCOUNTING, 'profile.json': broken }));
    expect(jobs[0]!.steps[0]!.share).not.toBeNull();
  });

  test('count less than the archive itself, which comes first', async () => {
    const folder = folderOf({ 'sacct.txt': ACCOUNTING, '42.0/profile.json': text(profile) });
    cpSync(archive, path.join(folder, '42.0'), { recursive: true });
    const { jobs } = await read(folder);
    expect(jobs[0]!.steps[0]).toMatchObject({
      recordingFormat: 'otf2',
      recording: [path.join(folder, '42.0/traces.otf2')],
    });
  });

  const real = corpus('otf2/hl_write_split');
  test.skipIf(real === undefined)(
    `of the profiler itself agree with the archive (${absent('otf2')} else)`,
    async () => {
      const folder = folderOf({ 'profile/otf2profile.json': readFileSync(path.join(real!, 'otf2profile.json')) });
      cpSync(real!, path.join(folder, 'archive'), { recursive: true });
      rmSync(path.join(folder, 'archive/otf2profile.json'), { force: true });
      const { jobs } = await read(folder);
      const share = (id: string): NonNullable<WorkflowStep['share']> => jobs.find((job) => job.id === id)!.share!;
      // One process: slowest and sum are the same, and nothing nests but HDF5 over POSIX, which the profile drops.
      expect(share('profile').communication).toBeCloseTo(share('archive').communication, 6);
      const lost = share('archive').byParadigm.find(({ paradigm }) => paradigm === 'HDF5')!.seconds;
      expect(share('archive').io - share('profile').io).toBeGreaterThan(0.9 * lost);
    },
  );
});

describe('Darshan logs', () => {
  const log = corpus('darshan/apmpi_apxc_mpi-io-test.darshan');

  test.skipIf(log === undefined)(`name their job, and divide its time (${absent('darshan')} else)`, async () => {
    const expected = JSON.parse(readFileSync(log!.replace('.darshan', '.expected.json'), 'utf8')) as {
      readonly header: { readonly jobid: number; readonly nprocs: number };
    };
    const { jobs, files } = await read(folderOf({ 'app.darshan': readFileSync(log!) }));
    expect(jobs[0]!.id).toBe(String(expected.header.jobid));
    const share = jobs[0]!.share!;
    const { elapsed } = jobs[0]!.steps[0]!;
    expect(share.computation + share.communication + share.io).toBeCloseTo(elapsed! * expected.header.nprocs, 6);
    // The log has the module that measures MPI.
    expect(share.communication).toBeGreaterThan(1);
    expect(files.map((file) => file.path)).toEqual(['/global/cscratch1/sd/ssnyder/tmp/mpi-io-test.tmp.dat']);
    expect(jobs[0]!.steps[0]!.files[0]).toMatchObject({
      mode: 'read-write',
      bytesRead: 67108864,
      paradigms: ['MPI-IO', 'POSIX'],
    });
  });
});
