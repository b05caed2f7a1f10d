import type { FixRequest } from './fix.ts';

/** Who else has to do with the files of a finding, by the recording, in a few words; undefined where nobody was seen. */
export function touchesElsewhere({ threaded, touchedAt, place }: FixRequest): string | undefined {
  if (threaded) return 'several threads write here';
  return touchedAt.every(({ file }) => file === place.file) ? undefined : 'other code reads or writes the file, too';
}
