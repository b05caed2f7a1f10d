/** The door to replays for the command line and the editor. */
export { BACKEND_NAMES } from '../replay/backends/catalogue.ts';
export { readDiosFile } from './replay/dios-file.ts';
export { runProgram, ReplayError, type ReplayOptions, type ReplayReport } from './replay/run-program.ts';
export {
  compareReplays,
  runReplay,
  writeDot,
  writeFio,
  writeXml,
  type ComparedReplays,
  type WrittenReplay,
} from './replay/recorded-replays.ts';
export { runSweep, type SweepPoint } from './replay/sweep.ts';
export { advised, type Advice } from '../replay/advice/advice.ts';
export { REPLAYED_LAYERS, type ReplayedCalls } from '../replay/from-recording/choose-calls.ts';
export { parseByteSize } from './memory-budget.ts';
export { CancelledError } from './worker-protocol.ts';
