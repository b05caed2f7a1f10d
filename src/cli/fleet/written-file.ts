import { writeFileSync } from 'node:fs';
import { messageOf } from '../../base/error-message.ts';
import { UsageError } from '../arguments.ts';

/** Writes a text into a file that an option names. @throws UsageError when it cannot be written. */
export function writeNamed(option: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${option} ${file}: ${messageOf(error)}`);
  }
}
