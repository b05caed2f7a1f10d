import { open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { calibrate } from '../record/calibrate.ts';
import { CalibrationError, parseCalibration, type Calibration } from '../trace/calibration.ts';
import type { SessionResources } from './session.ts';
import { CALIBRATION_ENDING, withoutCompression } from './companions.ts';

/** What was measured on the machine of a recording, or why there is nothing. */
export interface FoundCalibration {
  readonly calibration?: Calibration;
  /** For the user; '' when nothing is wrong. */
  readonly note: string;
}

const LARGEST_FILE = 1 << 20;

/** Where the calibration of a recording is kept. */
function calibrationFile(recording: string): string {
  return `${recording}${CALIBRATION_ENDING}`;
}

/**
 * Measures what calls cost here and keeps it beside a recording, instead of one that is there already.
 *
 * @param resources where calibrate.c is.
 * @returns why it could not be done; '' when it was.
 */
export async function calibrateBeside(
  recording: string,
  { folder, read = readFile }: SessionResources,
): Promise<string> {
  const file = calibrationFile(recording);
  try {
    await rm(file, { force: true });
    const source = await read(path.join(folder, 'calibrate.c'));
    const calibration = await calibrate(path.dirname(path.resolve(recording)), source);
    await writeFile(file, `${JSON.stringify(calibration, null, 1)}\n`);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A recording may have been packed after it was made. */
function calibrationFiles(recording: string): string[] {
  return [...new Set([recording, withoutCompression(recording)])].map(calibrationFile);
}

/** The calibration beside the first of a recording's files that has one. */
export async function readCalibration(recordings: readonly string[]): Promise<FoundCalibration> {
  for (const file of recordings.filter((name) => name !== '-').flatMap(calibrationFiles)) {
    const handle = await open(file).catch(() => undefined);
    if (handle === undefined) continue;
    try {
      const status = await handle.stat();
      if (!status.isFile() || status.size > LARGEST_FILE) throw new CalibrationError('it is no small file');
      return { calibration: parseCalibration(await handle.readFile('utf8')), note: '' };
    } catch (error) {
      return { note: `${file} is not used: ${error instanceof Error ? error.message : String(error)}` };
    } finally {
      await handle.close();
    }
  }
  return { note: '' };
}
