import { machine } from '#machine';
import { CalibrationError, parseCalibration, type Calibration } from '../../trace/calibration.ts';
import { messageOf } from '../../base/error-message.ts';
import { CALIBRATION_ENDING, companionNames } from './companions.ts';

/** What was measured on the machine of a recording, or why there is nothing. */
export interface FoundCalibration {
  readonly calibration?: Calibration;
  /** For the user; '' when nothing is wrong. */
  readonly note: string;
}

const LARGEST_FILE = 1 << 20;

/** Where the calibration of a recording is kept. */
export function calibrationFile(recording: string): string {
  return `${recording}${CALIBRATION_ENDING}`;
}

/** The calibration beside the first of a recording's files that has one. */
export async function readCalibration(recordings: readonly string[]): Promise<FoundCalibration> {
  const names = new Set(recordings.filter((name) => name !== '-').flatMap(companionNames));
  for (const file of [...names].map(calibrationFile)) {
    const status = await machine.files.status(file).catch(() => undefined);
    if (status === undefined) continue;
    try {
      if (status.kind !== 'file' || status.size > LARGEST_FILE) throw new CalibrationError('it is no small file');
      return { calibration: parseCalibration(await machine.files.text(file)), note: '' };
    } catch (error) {
      return { note: `${file} is not used: ${messageOf(error)}` };
    }
  }
  return { note: '' };
}
