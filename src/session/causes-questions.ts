import { directionCauses, type DirectionCauses, type RecordingCauses } from '../export/causes-document.ts';
import { causeJob } from '../fleet/causes/cause-job.ts';
import type { Direction } from '../fleet/causes/causes.ts';
import { findCauses } from '../fleet/causes/find-causes.ts';
import { jobRow } from '../fleet/rows/job-row.ts';
import { factsOf } from '../fleet/rows/recording-rows.ts';
import type { CausesMethods } from './causes-methods.ts';
import type { OpenedRecording } from './opened-recording.ts';

/** A recording by itself has no key and no scheduler job that anything would be joined by. */
const NO_KEY = { log: '', job_id: null, start_time: null };

/** Answers from the same rows that a store would keep of the recording. */
export class CausesQuestions implements CausesMethods {
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  find(id: number, mostFiles: number): Promise<RecordingCauses> {
    const { request, trace, ignored } = this.recording(id);
    const recording = request.paths.join(' ');
    const facts = factsOf(trace, ignored);
    const row = jobRow(NO_KEY, recording, trace, facts);
    const direction = (name: Direction): DirectionCauses => {
      const job = causeJob(row, facts.files, name);
      return directionCauses(job, findCauses(job, name), mostFiles);
    };
    return Promise.resolve({
      recording,
      application: row.application,
      processes: row.processes ?? 1,
      nodes: row.nodes,
      read: direction('read'),
      write: direction('write'),
    });
  }
}
