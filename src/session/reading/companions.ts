/** Files that `iolens record` puts beside a recording: they belong to it and are no recordings themselves. */

/** What was checked out and which build ran (RecordingNote). */
export const NOTE_ENDING = '.iolens.json';
/** What calls cost on the machine (docs/gain.md). */
export const CALIBRATION_ENDING = '.calibration.json';
/** Functions and lines of its addresses, and lines of sources (docs/recording-format.md, "Places"). */
export const PLACES_ENDING = '.places.json';

const RECORDING_ENDING = '.strace';
const SAMPLE_ENDING = '.stacks.strace';
const COMPRESSION = /\.(gz|xz|bz2|zst)$/;
const PACKED = ['', '.gz', '.xz', '.bz2', '.zst'];

/** @param name name or path of a file. */
export function isCompanion(name: string): boolean {
  return [NOTE_ENDING, CALIBRATION_ENDING, PLACES_ENDING].some((ending) => name.endsWith(ending));
}

/**
 * The names that the companions of a recording's file begin with: its own, also as it was before it was packed. Those of a
 * folder of the recorder library lie in the folder, as `recording.iolens.json` and the like.
 */
export function companionNames(recording: string): string[] {
  if (recording.endsWith('.iorec')) return [recording.slice(0, recording.lastIndexOf('/') + 1) + 'recording'];
  return [...new Set([recording, withoutCompression(recording)])];
}

/** Where what belongs to recordings may lie, with the recording that it would belong to. @param ending one of those above. */
export function companionFiles(recordings: readonly string[], ending: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const recording of recordings.filter((name) => name !== '-'))
    for (const name of companionNames(recording))
      if (!files.has(`${name}${ending}`)) files.set(`${name}${ending}`, recording);
  return files;
}

/** The name of a recording before it was packed; companions keep that name. */
function withoutCompression(recording: string): string {
  return recording.replace(COMPRESSION, '');
}

/**
 * Where the call stacks of a recording stand that was made without: `NAME.strace` has them in `NAME.stacks.strace`, which a
 * second run of the same program made (`iolens record --two-pass`). '' for a recording that cannot have such a sample.
 */
export function stackSampleOf(recording: string): string {
  const plain = withoutCompression(recording);
  return plain.endsWith(RECORDING_ENDING) && !plain.endsWith(SAMPLE_ENDING)
    ? `${plain.slice(0, -RECORDING_ENDING.length)}${SAMPLE_ENDING}`
    : '';
}

/** The sample's names: either file may have been packed. */
export function stackSamplesOf(recording: string): string[] {
  const sample = stackSampleOf(recording);
  return sample === '' ? [] : PACKED.map((ending) => `${sample}${ending}`);
}

/** Takes those out of a list of recordings that only lend their stacks to another of the list. */
export function withoutStackSamples(recordings: readonly string[]): string[] {
  const samples = new Set(recordings.flatMap(stackSamplesOf));
  return recordings.filter((name) => !samples.has(name));
}
