import type { FormatTraits } from '../../trace/format-traits.ts';
import { RECORD_SMALL_CASE } from '../remedies.ts';

/** Recorder keeps the calls of all I/O layers and of MPI. */
export const RECORDER_TRAITS: FormatTraits = {
  endings: ['recorder.mt'],
  filesOfRun: 'one recording each',
  tracerStopsProgram: false,
  durationsOption: '',
  lacksShowIn: 'capabilities',
  remedies: { stacks: RECORD_SMALL_CASE },
  stacksByDefault: false,
  seesSharedLibrariesOnly: false,
  functionsAreWholeProgram: false,
  processesAreRanks: false,
  describesJob: false,
  canBeRedacted: false,
  knowledgeOfTime: 7,
};
