import { FORMAT_TRAITS } from '../../readers/format-traits.ts';
import type { InfoDocument } from './documents.ts';

/** Whether a report of the job as a whole can be made of a recording. */
export function describesJob({ format }: InfoDocument): boolean {
  return FORMAT_TRAITS[format].describesJob;
}
