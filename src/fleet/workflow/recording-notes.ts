import type { RecordingFacts } from './recording-facts.ts';

/** Places that a note names. */
const MOST_PLACES = 3;

/** What recordings lack, each lack once. */
export function recordingNotes(recordings: readonly RecordingFacts[]): string[] {
  const places = new Map<string, string[]>();
  for (const { place, notes } of recordings)
    for (const note of notes) places.set(note, [...(places.get(note) ?? []), place]);
  return [...places].map(([note, all]) => {
    const more = all.length - MOST_PLACES;
    return `${all.slice(0, MOST_PLACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${note}`;
  });
}
