/** What starts the ranks of a parallel program, and what it tells them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Programs that start another program's processes on this and other nodes. */
const MPI_LAUNCHERS = ['mpirun', 'mpiexec', 'orterun', 'prterun', 'mpiexec.hydra', 'srun', 'aprun', 'jsrun', 'ibrun'];
/** Programs that only start another one. */
const STARTERS = ['env', 'nice', 'nohup', 'time', 'timeout', 'numactl', 'taskset', 'stdbuf', 'setsid'];

/** Processes of launchers. */
const LAUNCHER_PROCESSES = [
  ...MPI_LAUNCHERS,
  'mpirun.openmpi',
  'mpiexec.openmpi',
  'mpirun.mpich',
  'mpiexec.mpich',
  'orted',
  'prted',
  'prte',
  'hydra_pmi_proxy',
  'hydra_bstrap_proxy',
  'slurmstepd',
  'ssh',
  'rsh',
];

/** Names of processes whose I/O is none of the program: the launcher's own; of an `ssh` that is recorded itself it is. */
export function passedOver(program: string): string[] {
  const name = path.basename(program);
  return LAUNCHER_PROCESSES.filter((other) => other !== name || isMpiLauncher(program));
}

/** Whether a program starts another one that its command line names. */
export function isLauncher(program: string): boolean {
  return STARTERS.includes(path.basename(program)) || isMpiLauncher(program);
}

function isMpiLauncher(program: string): boolean {
  const name = path.basename(program).replace(/\.(openmpi|mpich)$/, '');
  return MPI_LAUNCHERS.includes(name);
}

/** A command whose processes on other nodes get the variables as well, and what the user should know about it. */
interface PassedOn {
  readonly command: readonly string[];
  /** In words for the user; '' when all is well. */
  readonly problem: string;
}

/**
 * Lets variables reach all ranks: Open MPI passes them on to other nodes only when it is told (`-x`); MPICH and srun pass
 * on everything, unless they are told not to.
 */
export function passVariables(
  command: readonly string[],
  names: readonly string[],
  environment: Environment,
): PassedOn {
  const [launcher = '', ...rest] = command;
  if (!isMpiLauncher(launcher)) return { command, problem: '' };
  const kept = keptFromRanks(command, environment);
  if (kept !== '')
    return {
      command,
      problem: `${kept} keeps the recorder’s variables from the ranks: let it pass on ${names.join(', ')}`,
    };
  if (!isOpenMpi(launcher)) return { command, problem: '' };
  // Open MPI refuses -x beside it.
  if (environment['OMPI_MCA_mca_base_env_list'] !== undefined)
    return {
      command,
      problem: `OMPI_MCA_mca_base_env_list is set: add ${names.join(', ')} to it, or ranks on other nodes are not recorded`,
    };
  return { command: [launcher, ...names.flatMap((name) => ['-x', name]), ...rest], problem: '' };
}

/** The option or variable that keeps the environment from the ranks; '' when there is none. */
function keptFromRanks([launcher = '', ...options]: readonly string[], environment: Environment): string {
  if (path.basename(launcher) !== 'srun')
    return options.find((option) => ['-genvnone', '-envnone'].includes(option)) ?? '';
  const option = options.find((word) => word.startsWith('--export=') && !/[=,]ALL(,|$)/.test(word));
  const variable = environment['SLURM_EXPORT_ENV'] ?? 'ALL';
  return option ?? (/^NONE|^NIL/.test(variable) ? `SLURM_EXPORT_ENV=${variable}` : '');
}

function isOpenMpi(launcher: string): boolean {
  const { stdout } = spawnSync(launcher, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return typeof stdout === 'string' && /open ?mpi|openrte|prrte/i.test(stdout);
}

/**
 * What is the same for all ranks of a run, and for no other run: the job and its step, else the launcher's own name for the
 * run, else the process that started the ranks of this node.
 */
export function runName(environment: Environment, parent: number): string {
  const { SLURM_JOB_ID: job, SLURM_STEP_ID: step } = environment;
  if (job !== undefined && step !== undefined) return `${job}.${step}`;
  const batch = job ?? environment['PBS_JOBID'] ?? environment['LSB_JOBID'] ?? '';
  const run = environment['PMIX_NAMESPACE'] ?? String(parent);
  return [batch, run]
    .map((part) => part.replaceAll(/[^\w.]+/g, '-'))
    .filter((part) => part !== '')
    .join('.');
}

/** How many nodes a job has, as far as the batch system or the command line says it; 1 when nobody does. */
export function nodesOf(command: readonly string[], environment: Environment): number {
  const slurm = Number(environment['SLURM_JOB_NUM_NODES'] ?? environment['SLURM_NNODES'] ?? 1);
  if (slurm > 1) return slurm;
  const files = [environment['PBS_NODEFILE'], environment['LSB_DJOB_HOSTFILE'], ...valuesOf(command, HOST_FILES)];
  const hosts = files.map((file) => new Set(file === undefined ? [] : hostsIn(file)).size);
  const listed = valuesOf(command, HOST_LISTS).map((list) => new Set(list.split(',').map(hostName)).size);
  return Math.max(1, ...hosts, ...listed);
}

const HOST_FILES = ['--hostfile', '-hostfile', '--machinefile', '-machinefile', '-f'];
const HOST_LISTS = ['-H', '-host', '--host', '-hosts'];

/** Values of a launcher's options. */
function valuesOf([launcher = '', ...words]: readonly string[], options: readonly string[]): string[] {
  if (!isMpiLauncher(launcher)) return [];
  return words.flatMap((word, i) => (options.includes(word) && words[i + 1] !== undefined ? [words[i + 1]!] : []));
}

function hostName(entry: string): string {
  return entry.trim().split(/[\s:]/)[0]!;
}

function hostsIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(hostName)
      .filter((name) => name !== '' && !name.startsWith('#'));
  } catch {
    return [];
  }
}

/** File systems of one machine, by the numbers of statfs(2). */
const LOCAL_FILE_SYSTEMS = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0xef53, 'ext'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlay'],
  [0x2fc12fc1, 'zfs'],
]);

/** The file system of a folder when other nodes do not see it; '' when they may. */
export function localFileSystem(folder: string): string {
  try {
    return LOCAL_FILE_SYSTEMS.get(statfsSync(folder).type) ?? '';
  } catch {
    return '';
  }
}
