import { instant, integer, number, text, texts } from './table.ts';

/** What Slurm's accounting says of a whole job or of a step. */
const accounting = {
  log: text('Key of the file that it comes from.'),
  cluster: text('Name of the cluster; null when the source does not say.'),
  job_id: text('Number of the job (`JobIDRaw`), as text: of an array task its own number.'),
};

const resources = {
  nodes: integer('Allocated nodes.'),
  cpus: integer('Allocated CPUs.'),
  tasks: integer('Tasks; null when the source does not say.'),
  node_list: texts('Names of the nodes.'),
  state: text(
    '`COMPLETED`, `FAILED`, `CANCELLED`, `TIMEOUT`, `RUNNING`, `PENDING`, …; without what follows the first word.',
  ),
  exit_code: integer('Exit status.'),
  exit_signal: integer('Signal that ended it; 0: none.'),
  start_time: instant('When it started.'),
  end_time: instant('When it ended.'),
  elapsed_seconds: number('Seconds that it ran.'),
};

export const SCHEDULER_JOB = {
  about:
    'One row for each job that the batch system knows (Slurm: `sacct`, `scontrol`, JobLog; Table 4.1 of the dissertation).',
  monthOf: 'start_time',
  columns: {
    ...accounting,
    array_job_id: text('Number of the array that it is a task of.'),
    array_task_id: integer('Number of the task in its array.'),
    name: text('Name of the job.'),
    user: text('User.'),
    account: text('Account that it is charged to.'),
    partition: text('Partition.'),
    submit_time: instant('When it was submitted.'),
    eligible_time: instant('When it could have started.'),
    ...resources,
    dependency: text('As the user gave it, such as `afterok:22`; null when none is known.'),
    submit_line: text('Command that submitted it.'),
    work_directory: text('Working directory.'),
  },
} as const;

export const JOB_STEP = {
  about:
    'One row for each step of a job (`srun`; Table 4.2 of the dissertation), without batch, extern and interactive.',
  monthOf: 'start_time',
  columns: {
    ...accounting,
    step: text('Number of the step within its job, as text.'),
    name: text('Name of the step: the executable, unless it was given one.'),
    ...resources,
  },
} as const;

export const SERVER_LOAD = {
  about:
    "What a storage server did between two samples: differences of its cumulative counters (Lustre Monitoring Tool, Lustre's jobstats, Prometheus).",
  monthOf: 'end_time',
  columns: {
    log: text('Key of the dump that it comes from.'),
    file_system: text('Name of the file system.'),
    server: text('Host of the target (OSS, MDS, NFS server).'),
    target: text('Name of the target (`OST0004`; of a disk its device; `nfsd`).'),
    target_kind: text('`OST` or `MDT` of Lustre, `NFS` (a server as a whole) or `disk`.'),
    target_index: integer('Number of the target: what `job.osts` and `file.osts` hold.'),
    start_time: instant('Moment of the sample before.'),
    end_time: instant('Moment of the sample.'),
    seconds: number('Seconds between them.'),
    bytes_read: integer('Bytes; null for metadata targets.'),
    bytes_written: integer('Bytes; null for metadata targets.'),
    operations: integer('Metadata operations; null for storage targets and disks.'),
    cpu_percent: number('Load of the server, 0 to 100.'),
    bytes_used: integer('Bytes that are stored, at the end; null where the source does not say.'),
    opens: integer('Of the operations: opens; null where the source does not tell kinds apart, here and below.'),
    closes: integer('Closes.'),
    creates: integer('Files, directories, nodes and (NFS) symbolic links that were made.'),
    removes: integer('Unlinks and removed directories.'),
    renames: integer('Renames.'),
    getattrs: integer('Reads of attributes.'),
    setattrs: integer('Changes of attributes.'),
  },
} as const;
