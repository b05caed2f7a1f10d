import { whyNotLoaded } from './recordable-program.ts';
import type { RecorderLibrary } from './library-file.ts';
import type { StraceAbilities } from './strace-command.ts';
import { installedStrace, RecordError } from './strace-recorder.ts';

export const RECORDERS = ['auto', 'preload', 'strace'] as const;
export type RecorderName = (typeof RECORDERS)[number];

/** Names of files of text: who gives one wants a text. */
const TEXT_NAME = /\.(strace|st|txt|log)$/;

/** The recorder that is wanted, where the recording's name may say it. */
export function recorderFor(wanted: RecorderName, output: string | undefined): RecorderName {
  return wanted === 'auto' && output !== undefined && TEXT_NAME.test(output) ? 'strace' : wanted;
}

/** What records a program. */
type ChosenRecorder =
  | { readonly tool: 'preload'; readonly library: RecorderLibrary }
  /** `why`: what the library cannot do here, in words for the user; '' when nobody asked for it. */
  | { readonly tool: 'strace'; readonly why: string };

/**
 * The recorder library where it can be had and the program will load it, else strace.
 * @param library compiles it where it must.
 * @throws RecordError when the library is wanted and cannot be had.
 */
export async function chooseRecorder(
  wanted: RecorderName,
  command: readonly string[],
  workingFolder: string,
  library: () => Promise<RecorderLibrary>,
): Promise<ChosenRecorder> {
  if (wanted === 'strace') return { tool: 'strace', why: '' };
  const not = whyNotLoaded(command, workingFolder);
  try {
    if (not !== '') throw new RecordError(not);
    return { tool: 'preload', library: await library() };
  } catch (error) {
    if (wanted === 'preload' || !(error instanceof RecordError)) throw error;
    return { tool: 'strace', why: error.message };
  }
}

/**
 * What the installed strace can do, where it stands in for the library.
 * @param why it does; '' when it was asked for.
 * @throws RecordError when neither recorder can be had.
 */
export function straceInstead(why: string): StraceAbilities {
  try {
    return installedStrace();
  } catch (error) {
    if (why === '' || !(error instanceof RecordError)) throw error;
    throw new RecordError(`${why}; and ${error.message}`);
  }
}
