import type { RecordingCauses } from '../export/causes-document.ts';

/** Questions about what makes the reads and writes of a recording slow. */
export interface CausesMethods {
  /**
   * Critical path, contributing factors and verdicts, reads and writes apart.
   * @param mostFiles that are listed for each direction.
   */
  find(id: number, mostFiles: number): Promise<RecordingCauses>;
}

/** As `remoteTopic` wants them. */
export const CAUSES_METHODS = ['find'] as const;
