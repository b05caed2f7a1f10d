import type { FixRequest } from './fix.ts';

/**
 * Who else has to do with the files of a finding, by the recording, in a few words; undefined where nobody was seen.
 * @param sources those of the program, which are looked at
 */
export function touchesElsewhere(
  { threaded, touchedAt }: FixRequest,
  sources: readonly { readonly file: string }[],
): string | undefined {
  if (threaded) return 'several threads write here';
  const known = new Set(sources.map(({ file }) => file));
  return touchedAt.every(({ file }) => known.has(file)) ? undefined : 'other code reads or writes the file, too';
}
