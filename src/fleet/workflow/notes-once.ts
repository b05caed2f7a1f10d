/** Places that a note names. */
const MOST_PLACES = 3;

interface PlacedNote {
  /** Name of the file that it is of; '' when it names none. */
  readonly place: string;
  readonly note: string;
}

/** Takes a note apart that begins with the file that it is of. */
export function placed(text: string): PlacedNote {
  const at = text.indexOf(': ');
  return at < 0 ? { place: '', note: text } : { place: text.slice(0, at), note: text.slice(at + 2) };
}

/** What is the same of many files is said once. */
export function notesOnce(notes: readonly PlacedNote[]): string[] {
  const places = new Map<string, string[]>();
  for (const { place, note } of notes) places.set(note, [...(places.get(note) ?? []), place]);
  return [...places].map(([note, all]) => {
    const more = all.length - MOST_PLACES;
    const named = `${all.slice(0, MOST_PLACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return named === '' ? note : `${named}: ${note}`;
  });
}
