/** The door to recording for the command line and the editor. */
export { calibrateBeside } from './calibration-file.ts';
export { parseWindow, recordWindows, sampleWindows, type Window } from '../record/attached-recorder.ts';
export { chooseRecorder, recorderFor, RECORDERS, straceInstead, type RecorderName } from '../record/choose-recorder.ts';
export { localFileSystem, nodesOf, passVariables, runName } from '../record/launchers.ts';
export { measurePreload, recordingTime, UNKNOWN_COST, type PreloadCost } from '../record/preload-cost.ts';
export {
  MOST_STACK_DEPTH,
  PRELOAD_LAYERS,
  preloadVariables,
  recordWithPreload,
  type PreloadRecording,
  type PreloadSettings,
  type PreloadVariables,
} from '../record/preload-recorder.ts';
export { preloadScript } from '../record/preload-script.ts';
export {
  companionBase,
  folderOfRun,
  freeFolder,
  joinFolder,
  makeFolder,
  recordedFiles,
} from '../record/recording-folder.ts';
export { meantProgram } from '../record/recordable-program.ts';
export type { RecorderLibrary } from '../record/recorder-library.ts';
export { compiledFrom, libraryFrom } from './recorder-source.ts';
export { countCalls, measureCost, tracingTime, type CostPerCall } from '../record/recording-cost.ts';
export { rankFileName, rankOf, recordScript, straceOptions } from '../record/strace-command.ts';
export {
  checkCalls,
  checkCommand,
  checkOutput,
  checkTracing,
  freeOutput,
  installedStrace,
  recordWithStrace,
  RecordError,
  recordingComplete,
  type Ended,
  type MadeRecording,
  type StraceRun,
} from '../record/strace-recorder.ts';
export { Git } from './git.ts';
export type { RecordingNote } from './recording-note.ts';
export { noteFor, writeNote } from './write-note.ts';
export { pathsToTrace } from '../record/traced-paths.ts';
export { chooseStackTargets } from './stack-targets.ts';
export { stackSampleOf } from './companions.ts';
export { removeCompanions } from './remove-companions.ts';
