import { rm } from 'node:fs/promises';
import { messageOf } from '../../base/error-message.ts';
import { CALIBRATION_ENDING, NOTE_ENDING, PLACES_ENDING, stackSampleOf } from './companions.ts';

/**
 * Removes what lies beside a recording that is about to be made anew: it belongs to the one before.
 * @throws Error in words for the user when it cannot be removed: it would be joined to the new recording.
 */
export async function removeCompanions(recording: string): Promise<void> {
  const endings = [NOTE_ENDING, CALIBRATION_ENDING, PLACES_ENDING];
  const beside = [...endings.map((ending) => `${recording}${ending}`), stackSampleOf(recording)];
  for (const file of beside.filter((name) => name !== '')) {
    await rm(file, { force: true }).catch((error: unknown) => {
      const why = messageOf(error);
      throw new Error(`${file} is of the recording before and cannot be removed: ${why}`, { cause: error });
    });
  }
}
