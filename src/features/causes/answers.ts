import { directionCauses, type DirectionCauses, type RecordingCauses } from '../../export/fleet/causes-document.ts';
import { causeJob } from '../../fleet/causes/cause-job.ts';
import type { Direction } from '../../fleet/causes/causes.ts';
import { findCauses } from '../../fleet/causes/find-causes.ts';
import { jobRow } from '../../fleet/rows/job-row.ts';
import { factsOf } from '../../fleet/rows/recording-rows.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';

/** A recording by itself has no key and no scheduler job that anything would be joined by. */
const NO_KEY = { log: '', job_id: null, start_time: null };

/** What makes the reads and writes of a recording slow, from the same rows that a store would keep of it. */
export class CausesAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  // Not a plain function: what it throws is a rejection, as everywhere.
  /**
   * Critical path, contributing factors and verdicts, reads and writes apart.
   * @param mostFiles that are listed for each direction.
   */
  async find(id: number, mostFiles: number): Promise<RecordingCauses> {
    const { request, trace, ignored } = this.recordings.of(id);
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
