import type { FormatTraits } from '../../trace/format-traits.ts';
import { RECORD_SMALL_CASE } from '../remedies.ts';

/** DFTracer writes down calls and regions of the application. */
export const DFTRACER_TRAITS: FormatTraits = {
  endings: ['.pfw'],
  filesOfRun: 'a file for each process',
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
  knowledgeOfTime: 2,
};
