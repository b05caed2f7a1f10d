import { machine } from '#machine';
import { withLinkedLayers } from '../../analysis/layers/linked-trace.ts';
import { buildWorkflow } from '../../fleet/workflow/build-workflow.ts';
import { factsOfTrace } from '../../fleet/workflow/facts-of-trace.ts';
import type { RecordingFacts } from '../../fleet/workflow/recording-facts.ts';
import type { WorkflowDocument } from '../../fleet/workflow/workflow-document.ts';
import type { PathRule } from '../../symbols/symbol-files.ts';
import { messageOf } from '../../base/error-message.ts';
import { readRecording, type ReadingMeans } from '../reading/read-recording.ts';
import { recogniseRecording } from '../reading/recognise-recording.ts';
import { lookIntoFolder, type FoundRecording } from './workflow-folder.ts';

interface WorkflowReading {
  readonly means: ReadingMeans;
  /** Names of folders that are one folder: files of two jobs are the same when they are the same afterwards. */
  readonly pathRules: readonly PathRule[];
  /** Recordings that are done, and how many there are. */
  readonly progress?: ((done: number, all: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the folder of a workflow: tables of the batch system, recordings of job steps, profiles. Recordings are read one
 * after the other, and of each only what the workflow needs is kept.
 * @throws Error in words for the user when the folder cannot be read, or tells of no job.
 */
export async function readWorkflow(folder: string, reading: WorkflowReading): Promise<WorkflowDocument> {
  const root = machine.files.absolute(folder);
  const found = await lookIntoFolder(root, reading.signal);
  const notes = [...found.notes];
  const recordings: RecordingFacts[] = [...found.profiles];
  for (const [done, recording] of found.recordings.entries()) {
    reading.progress?.(done, found.recordings.length);
    try {
      recordings.push(await factsOfRecording(recording, reading));
    } catch (error) {
      reading.signal?.throwIfAborted();
      notes.push(`${recording.place}: ${messageOf(error)}`);
    }
  }
  const { accountings } = found;
  if (recordings.length === 0 && accountings.every(({ jobs }) => jobs.length === 0)) {
    const why = notes.length === 0 ? '' : ` (${notes.slice(0, 3).join('; ')})`;
    throw new Error(
      `${root}: nothing here tells of a job. Expected are tables of the batch system (sacct -P, sacct --json, scontrol ` +
        `show job, JobLog), recordings of job steps, or profiles; ${found.files} files were looked at${why}`,
    );
  }
  return buildWorkflow({ folder: root, accountings, recordings, pathRules: reading.pathRules, notes });
}

/** No stack is resolved: a workflow does not ask for lines. */
async function factsOfRecording({ paths, place }: FoundRecording, reading: WorkflowReading): Promise<RecordingFacts> {
  const { signal, means } = reading;
  const { format, files, damage } = await recogniseRecording(paths, signal);
  const read = await readRecording(
    files,
    [],
    async (chunkStore) => withLinkedLayers(await format.read(files, { chunkStore, ...(signal && { signal }) })),
    means,
    { signal },
  );
  try {
    return factsOfTrace({ ...read.trace, damage: [...damage, ...read.trace.damage] }, paths, place);
  } finally {
    await read.close();
  }
}
