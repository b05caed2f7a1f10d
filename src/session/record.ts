/** The door to recording for the command line and the editor. */
export { recordScript, straceOptions, type StraceAbilities } from '../record/strace-command.ts';
export {
  freeOutput,
  installedStrace,
  recordWithStrace,
  RecordError,
  type MadeRecording,
} from '../record/strace-recorder.ts';
