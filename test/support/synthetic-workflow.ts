/**
 * The synthetic workflow of Tschüter's dissertation (section 5.4.1, figure 5.18) made anew: jobs 42 to 46 with the structure
 * and shares that its text gives. The text names no seconds except by shares; those are ours. Its parts are an OTF2 archive for
 * each step and what `sacct -P` prints. `test/programs/workflow/write.mjs` writes it to test/data/workflow.
 */
import { ArchiveWriter, type EventWriter } from './otf2/otf2-writer.ts';

/** 2026-03-02 08:00:00 UTC. */
const BEGIN = 1_772_438_400;
const TICKS_PER_SECOND = 1e6;
const RANKS = 2;
const FOLDER = '/scratch/coupled';
const MIB = 1 << 20;

interface SyntheticStep {
  readonly name: string;
  readonly seconds: number;
  /** Share of its time in MPI. */
  readonly communication: number;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

interface SyntheticJob {
  readonly id: string;
  readonly name: string;
  /** Seconds from the beginning. */
  readonly submitted: number;
  readonly start: number;
  readonly command: string;
  readonly steps: readonly SyntheticStep[];
}

const step = (
  name: string,
  seconds: number,
  communication: number,
  reads: readonly string[],
  writes: readonly string[],
): SyntheticStep => ({ name, seconds, communication, reads, writes });

/** Each step appends to this one as well, and none reads it. */
const LOG = 'run.log';

export const SYNTHETIC_JOBS: readonly SyntheticJob[] = [
  {
    id: '42',
    name: 'prepare',
    submitted: -3,
    start: 0,
    command: 'sbatch --parsable prepare.sh',
    steps: [
      step('mesh', 15, 0.03, ['geometry.in'], ['mesh.bin']),
      step('partition', 15, 0.05, ['mesh.bin'], ['partition.bin']),
      // "Only Job Step 3 of Job 42 spends about half of its runtime in MPI functions."
      step('exchange', 20, 0.5, ['partition.bin'], ['halo.bin']),
      step('initialise', 10, 0.04, ['halo.bin', 'mesh.bin'], ['initial.dat']),
    ],
  },
  {
    id: '43',
    name: 'flow',
    submitted: -3,
    start: 62,
    command: 'sbatch --parsable -d afterok:42 flow.sh',
    steps: [
      step('spinup', 20, 0.06, ['initial.dat'], ['spinup.dat']),
      step('solve', 80, 0.42, ['spinup.dat'], ['flow.state']),
      step('average', 20, 0.05, ['flow.state'], ['field.dat']),
    ],
  },
  {
    id: '44',
    name: 'chemistry',
    submitted: -3,
    start: 62,
    command: 'sbatch --parsable --dependency=afterok:42 chemistry.sh',
    steps: [
      step('tables', 20, 0.04, ['initial.dat'], ['tables.dat']),
      step('react', 110, 0.4, ['tables.dat'], ['species.state']),
      step('reduce', 20, 0.05, ['species.state'], ['chemistry.dat']),
    ],
  },
  {
    // Submitted by hand when 43 was over: the scheduler knows of no dependency.
    id: '45',
    name: 'coupling',
    submitted: 182,
    start: 183,
    command: 'sbatch --parsable coupling.sh',
    steps: [
      step('regrid', 20, 0.05, ['field.dat'], ['regridded.dat']),
      // "Job Step 2 spends almost half of its runtime in MPI."
      step('couple', 85, 0.48, ['regridded.dat'], ['coupled.state']),
      step('check', 15, 0.03, ['coupled.state'], ['coupled.dat']),
    ],
  },
  {
    id: '46',
    name: 'forecast',
    submitted: -2,
    start: 305,
    command: 'sbatch --parsable -d afterok:44:45 forecast.sh',
    steps: [
      step('merge', 44, 0.05, ['chemistry.dat', 'coupled.dat'], ['merged.dat']),
      step('forecast', 220, 0.12, ['merged.dat'], ['forecast.nc']),
    ],
  },
];

/** All files of the workflow's folder by their names. */
export function syntheticWorkflow(): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>([['sacct.txt', new TextEncoder().encode(accounting())]]);
  for (const job of SYNTHETIC_JOBS) {
    let start = job.start;
    for (const [number, each] of job.steps.entries()) {
      for (const [name, bytes] of archiveOf(each, BEGIN + start)) files.set(`${job.id}.${number}/${name}`, bytes);
      start += each.seconds;
    }
  }
  return files;
}

const REGION = { main: 0, compute: 1, allreduce: 2, open: 3, read: 4, write: 5, close: 6 } as const;

function archiveOf({ seconds, communication, reads, writes }: SyntheticStep, start: number): Map<string, Uint8Array> {
  const writer = new ArchiveWriter({
    ticksPerSecond: TICKS_PER_SECOND,
    realtime: BigInt(start) * 1_000_000_000n,
    chunkBytes: 1 << 18,
  });
  writer.processes(RANKS).paradigms();
  writer.region(REGION.main, 'main').region(REGION.compute, 'compute').region(REGION.allreduce, 'MPI_Allreduce', 25, 4);
  writer.region(REGION.open, 'open', 38, 0).region(REGION.close, 'close', 38, 0);
  writer.region(REGION.read, 'read', 27, 0).region(REGION.write, 'write', 27, 0);
  const names = [...reads, ...writes, LOG];
  names.forEach((name, id) => writer.file(id, `${FOLDER}/${name}`));
  for (let rank = 0; rank < RANKS; rank++) names.forEach((_, id) => writer.handle(rank * names.length + id, id, 0));
  for (let rank = 0; rank < RANKS; rank++)
    rankEvents(writer.location(BigInt(rank) << 32n, rank), rank, { seconds, communication, reads, writes, name: '' });
  return writer.finish();
}

/** Reads, then computes and exchanges in turns, then writes (the first rank), all within the seconds of the step. */
function rankEvents(events: EventWriter, rank: number, { seconds, communication, reads, writes }: SyntheticStep): void {
  const all = reads.length + writes.length + 1;
  // An I/O call of a file takes half a percent of the step: little, and more than a rounding error.
  const ioSeconds = seconds * 0.005;
  const turns = 5;
  let now = 0;
  const at = (): EventWriter => events.time(Math.round(now * TICKS_PER_SECOND));
  const during = (length: number): EventWriter => {
    now += length;
    return at();
  };
  const transfer = (file: number, mode: 'read' | 'write', bytes: number): void => {
    const handle = rank * all + file;
    const appends = file === all - 1;
    at()
      .enter(REGION.open)
      .create(handle, mode === 'read' ? 0 : 1, mode === 'read' ? 0 : appends ? 1 : 3, appends ? 2 : 0);
    during(ioSeconds / 10).leave(REGION.open);
    at().enter(REGION[mode]).begin(handle, mode, 0, bytes, handle);
    during(ioSeconds).complete(handle, bytes, handle).leave(REGION[mode]);
    at().enter(REGION.close).destroy(handle);
    during(ioSeconds / 10).leave(REGION.close);
  };
  at().enter(REGION.main);
  reads.forEach((_, file) => transfer(file, 'read', 4 * MIB));
  const files = rank === 0 ? writes.length + 1 : 0;
  const rest = seconds - now - files * ioSeconds * 1.2;
  for (let turn = 0; turn < turns; turn++) {
    at().enter(REGION.compute);
    during((rest - seconds * communication) / turns).leave(REGION.compute);
    at().enter(REGION.allreduce);
    during((seconds * communication) / turns).leave(REGION.allreduce);
  }
  if (rank === 0) {
    writes.forEach((_, index) => transfer(reads.length + index, 'write', 8 * MIB));
    transfer(all - 1, 'write', 200);
  }
  events.time(Math.round(seconds * TICKS_PER_SECOND)).leave(REGION.main);
}

const FIELDS = [
  'JobID',
  'JobIDRaw',
  'JobName',
  'State',
  'ExitCode',
  'Submit',
  'Eligible',
  'Start',
  'End',
  'ElapsedRaw',
  'NNodes',
  'NTasks',
  'NCPUS',
  'NodeList',
  'WorkDir',
  'SubmitLine',
];

/** What `SLURM_TIME_FORMAT=%s sacct -P` says of the jobs. */
function accounting(): string {
  const row = (
    id: string,
    name: string,
    times: readonly number[],
    tasks: string,
    line: string,
    folder: string,
  ): string => {
    const [submit, start, end] = times.map((time) => String(BEGIN + time)) as [string, string, string];
    const elapsed = String(times[2]! - times[1]!);
    const cells = [id, id, name, 'COMPLETED', '0:0', submit, submit, start, end, elapsed];
    return [...cells, '1', tasks, String(RANKS), 'n0001', folder, line].join('|');
  };
  const rows = SYNTHETIC_JOBS.flatMap(({ id, name, submitted, start, command, steps }) => {
    const seconds = steps.reduce((sum, each) => sum + each.seconds, 0);
    let begun = start;
    const ofSteps = steps.map((each, number) => {
      const times = [begun, begun, begun + each.seconds];
      begun += each.seconds;
      return row(`${id}.${number}`, each.name, times, String(RANKS), `srun -n ${RANKS} ./${each.name}`, '');
    });
    const batch = row(`${id}.batch`, 'batch', [start, start, start + seconds], '1', '', '');
    return [row(id, name, [submitted, start, start + seconds], '', command, FOLDER), batch, ...ofSteps];
  });
  return `${[FIELDS.join('|'), ...rows].join('\n')}\n`;
}
