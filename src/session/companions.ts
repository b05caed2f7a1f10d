/** Files that `iolens record` puts beside a recording: they belong to it and are no recordings themselves. */

/** What was checked out and which build ran (RecordingNote). */
export const NOTE_ENDING = '.iolens.json';
/** What calls cost on the machine (docs/gain.md). */
export const CALIBRATION_ENDING = '.calibration.json';

/** @param name name or path of a file. */
export function isCompanion(name: string): boolean {
  return name.endsWith(NOTE_ENDING) || name.endsWith(CALIBRATION_ENDING);
}

/** The name of a recording before it was packed; companions keep that name. */
export function withoutCompression(recording: string): string {
  return recording.replace(/\.(gz|xz|bz2|zst)$/, '');
}
