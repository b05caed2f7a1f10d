import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { calibrate } from '../../record/calibrate.ts';
import { messageOf } from '../../base/error-message.ts';
import { calibrationFile } from './read-calibration.ts';
import type { SessionResources } from '../session-resources.ts';

/**
 * Measures what calls cost here and keeps it beside a recording, instead of one that is there already.
 *
 * @param resources beside whose folder the C sources are.
 * @returns why it could not be done; '' when it was.
 */
export async function calibrateBeside(
  recording: string,
  { folder, read = readFile }: SessionResources,
): Promise<string> {
  const file = calibrationFile(recording);
  try {
    await rm(file, { force: true });
    const source = await read(path.join(folder, '../native/calibrate/calibrate.c'));
    const calibration = await calibrate(path.dirname(path.resolve(recording)), source);
    await writeFile(file, `${JSON.stringify(calibration, null, 1)}\n`);
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
