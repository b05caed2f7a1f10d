import type {
  AccessMode,
  FileUse,
  RuntimeShare,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowJob,
  WorkflowStep,
} from '../../../src/fleet/workflow/workflow-document.ts';

/** 2026-11-22, 08:00 UTC. */
export const BEGIN = 1_795_334_400;
const GIB = 2 ** 30;

interface StepPlan {
  readonly seconds: number;
  /** Shares of MPI and of I/O; the rest is computation. */
  readonly mpi: number;
  readonly io: number;
  readonly files: readonly (readonly [file: number, mode: AccessMode])[];
}

interface JobPlan {
  readonly id: string;
  readonly start: number;
  readonly queued: number;
  readonly declared: string | null;
  readonly steps: readonly StepPlan[];
}

const FILES = [
  '/work/sim/input.nc',
  '/work/sim/mesh.h5',
  '/work/sim/left.chk',
  '/work/sim/right.h5',
  '/work/sim/left.h5',
  '/work/sim/result.h5',
  '/work/sim/run.log',
];

/**
 * The dissertation's synthetic workflow (Tschüter, section 5.4.1, figures 5.18 and 5.19): 42, then 43 and 45 beside 44,
 * then 46, which takes 37 % of the jobs' run time. 45 reads what 43 wrote, and Slurm was not told. Step 2 of 43 to 45
 * spends almost half its time in MPI, step 3 of 42 half of it.
 */
const JOBS: readonly JobPlan[] = [
  {
    id: '42',
    start: 0,
    queued: 20,
    declared: null,
    steps: [
      { seconds: 40, mpi: 0.04, io: 0.05, files: [[0, 'read']] },
      { seconds: 30, mpi: 0.06, io: 0.02, files: [] },
      { seconds: 30, mpi: 0.5, io: 0.02, files: [] },
      { seconds: 20, mpi: 0.05, io: 0.2, files: [[1, 'write']] },
    ],
  },
  {
    id: '43',
    start: 125,
    queued: 125,
    declared: 'afterok:42',
    steps: [
      { seconds: 20, mpi: 0.03, io: 0.1, files: [[1, 'read']] },
      { seconds: 140, mpi: 0.47, io: 0.01, files: [[6, 'read-write']] },
      { seconds: 20, mpi: 0.02, io: 0.3, files: [[2, 'write']] },
    ],
  },
  {
    id: '44',
    start: 125,
    queued: 125,
    declared: 'afterok:42',
    steps: [
      { seconds: 20, mpi: 0.03, io: 0.1, files: [[1, 'read']] },
      { seconds: 190, mpi: 0.45, io: 0.01, files: [] },
      { seconds: 20, mpi: 0.02, io: 0.2, files: [[3, 'write']] },
    ],
  },
  {
    id: '45',
    start: 310,
    queued: 185,
    declared: 'afterok:42',
    steps: [
      { seconds: 20, mpi: 0.03, io: 0.3, files: [[2, 'read']] },
      { seconds: 150, mpi: 0.48, io: 0.01, files: [] },
      { seconds: 20, mpi: 0.02, io: 0.2, files: [[4, 'write']] },
    ],
  },
  {
    id: '46',
    start: 510,
    queued: 380,
    declared: 'afterok:44:45',
    steps: [
      {
        seconds: 40,
        mpi: 0.05,
        io: 0.25,
        files: [
          [3, 'read'],
          [4, 'read'],
        ],
      },
      { seconds: 383, mpi: 0.1, io: 0.04, files: [[5, 'write']] },
    ],
  },
];

const DEPENDENCIES: readonly WorkflowDependency[] = [
  ...[
    [0, 1],
    [0, 2],
    [2, 4],
    [3, 4],
  ].map(([from, to]): WorkflowDependency => dependency('declared', from!, to!, [], 'afterok')),
  dependency('data', 0, 1, [1]),
  dependency('data', 0, 2, [1]),
  dependency('data', 1, 3, [2]),
  dependency('data', 2, 4, [3]),
  dependency('data', 3, 4, [4]),
];

export function dependency(
  kind: WorkflowDependency['kind'],
  from: number,
  to: number,
  files: readonly number[] = [],
  type = '',
): WorkflowDependency {
  return { kind, from, to, fromStep: null, toStep: null, files, type };
}

function share({ seconds, mpi, io }: StepPlan): RuntimeShare {
  const all = seconds * 8;
  return {
    computation: all * (1 - mpi - io),
    communication: all * mpi,
    io: all * io,
    byParadigm: [
      { group: 'computation', paradigm: 'user code', seconds: all * (1 - mpi - io), calls: 800, bytes: null },
      { group: 'communication', paradigm: 'MPI', seconds: all * mpi, calls: 16_000, bytes: 3 * GIB },
      { group: 'io', paradigm: 'MPI-IO', seconds: all * io * 0.25, calls: 64, bytes: GIB },
      { group: 'io', paradigm: 'POSIX', seconds: all * io * 0.75, calls: 512, bytes: GIB },
    ],
  };
}

function fileUse(file: number, mode: AccessMode, from: number, to: number): FileUse {
  const reads = mode !== 'write';
  const writes = mode !== 'read';
  return {
    file,
    mode,
    paradigms: ['POSIX', 'MPI-IO'],
    bytesRead: reads ? GIB : 0,
    bytesWritten: writes ? GIB : 0,
    from,
    to,
  };
}

export function madeUpJob({ id, start, queued, declared, steps }: JobPlan): WorkflowJob {
  let at = BEGIN + start;
  const made = steps.map((plan, i): WorkflowStep => {
    const begin = at;
    at += plan.seconds;
    return {
      id: `${id}.${i}`,
      step: String(i),
      name: `solve_${i + 1}`,
      state: 'COMPLETED',
      exitCode: 0,
      start: begin,
      end: at,
      elapsed: plan.seconds,
      nodes: 2,
      cpus: 8,
      tasks: 8,
      nodeList: ['n1', 'n2'],
      share: share(plan),
      files: plan.files.map(([file, mode]) => fileUse(file, mode, begin, at)),
      recording: [`/work/sim/${id}.${i}/traces.otf2`],
      recordingFormat: 'OTF2',
    };
  });
  const elapsed = at - BEGIN - start;
  return {
    id,
    name: `stage ${id}`,
    state: 'COMPLETED',
    exitCode: 0,
    submit: BEGIN + start - queued,
    start: BEGIN + start,
    end: at,
    elapsed,
    queued,
    nodes: 2,
    cpus: 8,
    tasks: 8,
    nodeList: ['n1', 'n2'],
    declared,
    steps: made,
    share: sumOf(made),
  };
}

function sumOf(parts: readonly { readonly share: RuntimeShare | null }[]): RuntimeShare {
  const all = parts.flatMap(({ share: each }) => (each === null ? [] : [each]));
  const sum = (group: 'computation' | 'communication' | 'io'): number =>
    all.reduce((total, each) => total + each[group], 0);
  return {
    computation: sum('computation'),
    communication: sum('communication'),
    io: sum('io'),
    byParadigm: all.flatMap(({ byParadigm }) => byParadigm).slice(0, 4),
  };
}

export function madeUpWorkflow(): WorkflowDocument {
  const jobs = JOBS.map(madeUpJob);
  const users = (file: number): WorkflowDocument['files'][number]['users'] =>
    jobs.flatMap(({ steps }, job) =>
      steps.flatMap(({ files }, step) =>
        files.flatMap((use) => (use.file === file ? [{ job, step, mode: use.mode }] : [])),
      ),
    );
  return {
    schema: 'iolens/workflow@1',
    folder: '/work/sim',
    jobs,
    files: FILES.map((path, file) => ({ path, parent: null, users: users(file) })),
    dependencies: DEPENDENCIES,
    criticalChain: [0, 1, 3, 4],
    start: BEGIN,
    end: jobs.at(-1)!.end,
    share: sumOf(jobs),
    insights: [
      {
        kind: 'undeclared-dependency',
        severity: 'warn',
        title: 'Job 45 reads what job 43 wrote, and the scheduler does not know',
        message: '/work/sim/left.chk is written by 43.2 and read by 45.0. Only luck keeps their order.',
        recommendation: 'Submit job 45 with --dependency=afterok:43.',
        jobs: [1, 3],
        seconds: null,
      },
      {
        kind: 'critical-chain',
        severity: 'info',
        title: '42, 43, 45 and 46 decide how long the workflow takes',
        message: 'These four jobs make 933 s.',
        recommendation: 'Make these faster first.',
        jobs: [0, 1, 3, 4],
        seconds: 933,
      },
    ],
    notes: ['No recording of step 42.9: its share is unknown.'],
  };
}
