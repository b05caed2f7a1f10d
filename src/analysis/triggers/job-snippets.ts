import type { Snippet } from './insight.ts';
import { shellQuoted } from './shell-quoting.ts';

/** Lines for a job script. Paths come from recordings: each goes through `shellQuoted`, and none into a comment. */

/** A folder and how its new files are to lie on Lustre. */
export interface StripedFolder {
  readonly folder: string;
  /** Bytes; a multiple of 64 KiB. */
  readonly stripeSize: number;
  readonly stripeCount: number;
  /** Storage targets of its largest file so far; undefined when the recording does not say. */
  readonly countBefore?: number;
}

/** New files of folders over more storage targets. */
export function stripedFolders(folders: readonly StripedFolder[]): Snippet {
  const lines = folders.map(({ folder, stripeSize, stripeCount, countBefore }) => {
    const before = countBefore === undefined ? '' : `  # was: ${countBefore}`;
    return `lfs setstripe -S ${stripeText(stripeSize)} -c ${stripeCount} ${shellQuoted(folder)}${before}`;
  });
  return {
    language: 'shell',
    title: 'Stripes of new files (Lustre)',
    code: `# Before the program starts. A file keeps the stripes that it was made with: remove or copy old ones.
${lines.join('\n')}
`,
  };
}

/** The same where the folder is not known. */
export function stripedOutput(): Snippet {
  return {
    language: 'shell',
    title: 'Stripes of new files (Lustre)',
    code: `# Before the program starts. A file keeps the stripes that it was made with: remove or copy old ones.
lfs setstripe -S 4M -c 8 "$OUTPUT_FOLDER"
`,
  };
}

/** `4M` where it is a whole number of them, as lfs takes it. */
function stripeText(bytes: number): string {
  return bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)}M` : `${bytes / 1024}k`;
}

/**
 * Hints of MPI-IO for one aggregator on each compute node.
 *
 * @param nodes of the job; undefined: as many as the batch system gives.
 */
export function aggregatorHints(nodes: number | undefined, collective: readonly ('read' | 'write')[]): Snippet {
  const cray = collective.map((direction) => `:romio_cb_${direction}=enable`).join('');
  const romio = collective.map((direction) => `romio_cb_${direction} enable\n`).join('');
  return {
    language: 'shell',
    title: 'MPI-IO: one aggregator on each compute node',
    code: `nodes=${nodes ?? '${SLURM_JOB_NUM_NODES:-1}  # number of compute nodes: Slurm says it, else put it in'}
cat > "$PWD/romio-hints" <<END
cb_nodes $nodes
${romio}END
export ROMIO_HINTS="$PWD/romio-hints"                  # MPICH, Intel MPI, Open MPI with ROMIO
export MPICH_MPIIO_HINTS="*:cb_nodes=$nodes${cray}"  # Cray MPICH
export OMPI_MCA_io_ompio_num_aggregators=$nodes        # Open MPI with OMPIO
`,
  };
}

/** Loads the connector that makes HDF5's calls asynchronous. */
export function hdf5AsyncConnector(): Snippet {
  return {
    language: 'shell',
    title: 'HDF5: load the asynchronous connector (vol-async)',
    code: `VOL_ASYNC=\${VOL_ASYNC:-/path/to/vol-async}   # where it is installed
if [ -d "$VOL_ASYNC/lib" ]; then
  export HDF5_PLUGIN_PATH="$VOL_ASYNC/lib"
  export HDF5_VOL_CONNECTOR="async under_vol=0;under_info={}"
  export MPICH_MAX_THREAD_SAFETY=multiple   # it has a thread of its own: MPI_Init_thread with MPI_THREAD_MULTIPLE
fi
`,
  };
}
