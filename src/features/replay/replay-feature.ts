import type { Contributions } from '../editor/contributions.ts';
import { recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';

/** Doing again what a recording shows. */
export class ReplayFeature {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('replayRecording', (row?: unknown) => this.replay(row));
  }

  /** @param row of a recording; without it the current one is meant. */
  private async replay(row?: unknown): Promise<void> {
    const { recordings, programs, dist } = this.services;
    const recording = recordingFor(row, recordings);
    if (recording !== undefined) await programs.replayRecording(recording, dist);
  }
}
