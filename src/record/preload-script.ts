import { passedOver } from './launchers.ts';
import { RANK_VARIABLES } from './strace-command.ts';
import type { PreloadSettings } from './preload-recorder.ts';

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A shell script that runs a program, or a rank of one, with the recorder library. It needs a POSIX shell on the compute
 * nodes, nothing else: the library was compiled where the script was made. Where a rank cannot be recorded it runs all the
 * same, and standard error says why.
 *
 * @param library absolute path; the nodes must see it there.
 * @param machine the processor that it was compiled for, as `uname -m` says it.
 * @param stacksRanks ranks with call stacks where IOLENS_STACKS_RANKS says nothing; all when they are not given.
 */
export function preloadScript(
  library: string,
  machine: string,
  settings: PreloadSettings,
  stacksRanks?: readonly string[],
): string {
  const { layers, stackDepth, sample, limit } = settings;
  // A batch script is no rank, although it has a SLURM_PROCID: only a step has tasks.
  const ofStep = '${SLURM_STEP_NUM_TASKS:+${SLURM_PROCID:-}}';
  const rank = RANK_VARIABLES.filter((name) => name !== 'SLURM_PROCID').reduceRight(
    (rest, name) => `\${${name}:-${rest}}`,
    ofStep,
  );
  const fixed = [
    `IOLENS_SKIP=${quoted(passedOver('').join(','))}`,
    ...(layers === undefined ? [] : [`IOLENS_LAYERS=${quoted(layers.join(','))}`]),
    ...(stackDepth === undefined ? [] : [`IOLENS_STACK_DEPTH=${String(stackDepth)}`]),
    ...(sample === undefined ? [] : [`IOLENS_STACK_SAMPLE=${String(sample)}`]),
    ...(limit === undefined ? [] : [`IOLENS_LIMIT=${String(limit)}`]),
  ];
  return `#!/bin/sh
# Records the I/O of each rank with the recorder library; made by "iolens record --script". In a job script:
#   #SBATCH --nodes=2 --ntasks=64
#   srun ./record.sh ./app arguments...
# or
#   #PBS -l select=2:ncpus=32:mpiprocs=32
#   cd "$PBS_O_WORKDIR" && mpirun ./record.sh ./app arguments...
# All ranks of a run write into one folder, PROGRAM-JOB.iolens. When they are done, on a node that has iolens:
#   iolens resolve PROGRAM-JOB.iolens    keeps functions and lines in it, for other machines and after the next build
#   iolens analyze PROGRAM-JOB.iolens
#   IOLENS_FOLDER        where that folder goes: a file system that the nodes share (the working folder)
#   IOLENS_STACKS_RANKS  ranks that are recorded with call stacks, such as 0,1, or "none"; when it is not set: ${stacksRanks?.join(',') ?? 'all'}
# Open MPI hands variables to other nodes only when it is told: mpirun -x IOLENS_FOLDER -x IOLENS_STACKS_RANKS ...
[ $# -gt 0 ] || { echo 'usage: record.sh program arguments...' >&2; exit 2; }
library=${quoted(library)}
rank=${rank}
unrecorded() {
  echo "iolens: rank \${rank:--} on $(uname -n) is not recorded: $1" >&2
}
[ "$(uname -m)" = ${quoted(machine)} ] ||
  { unrecorded 'this is another processor than ${machine}: make the script there'; exec "$@"; }
[ -r "$library" ] || { unrecorded "there is no $library"; exec "$@"; }
refused=$(env LD_PRELOAD="$library" IOLENS_RECORDING= true 2>&1)
[ -z "$refused" ] || { unrecorded "$refused"; exec "$@"; }
job=\${SLURM_JOB_ID:-\${PBS_JOBID:-\${LSB_JOBID:-}}}
step=\${SLURM_STEP_ID:-\${PMIX_NAMESPACE:-\${rank:+$PPID}}}
run=$(printf '%s' "\${job:+$job.}\${step:-$$}" | tr -c 'A-Za-z0-9_.' '-')
folder=\${IOLENS_FOLDER:-$PWD}/$(basename -- "$1")-$run.iolens
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
mkdir -p -- "$folder" 2>/dev/null
[ -w "$folder" ] || { unrecorded "$folder cannot be written"; exec "$@"; }
${fixed.join('\n')}
case ,\${IOLENS_STACKS_RANKS-${stacksRanks?.join(',') ?? '$rank'}}, in
  *,"$rank",*) ;;
  *) IOLENS_STACK_DEPTH=0 ;;
esac
export ${fixed.map((line) => line.slice(0, line.indexOf('='))).join(' ')}
[ -z "\${IOLENS_STACK_DEPTH:-}" ] || export IOLENS_STACK_DEPTH
IOLENS_RECORDING=$folder
LD_PRELOAD=$library\${LD_PRELOAD:+:$LD_PRELOAD}
export IOLENS_RECORDING LD_PRELOAD
exec "$@"
`;
}
