import type { FormatTraits } from '../../trace/format-traits.ts';
import { RECORD_SMALL_CASE } from '../remedies.ts';

/** An OTF2 archive holds all that a program did as functions. */
export const OTF2_TRAITS: FormatTraits = {
  endings: ['.otf2'],
  filesOfRun: 'one recording each',
  tracerStopsProgram: false,
  durationsOption: '',
  lacksShowIn: 'capabilities',
  remedies: {
    stacks: `record with calling contexts (Score-P: SCOREP_ENABLE_UNWINDING=true, in a build with libunwind), or ${RECORD_SMALL_CASE}`,
  },
  stacksByDefault: false,
  seesSharedLibrariesOnly: false,
  functionsAreWholeProgram: true,
  processesAreRanks: false,
  describesJob: false,
  canBeRedacted: false,
  knowledgeOfTime: 8,
};
