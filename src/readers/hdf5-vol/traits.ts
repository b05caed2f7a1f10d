import type { FormatTraits } from '../../trace/format-traits.ts';
import { RECORD_SMALL_CASE } from '../remedies.ts';

/** The VOL connector of HDF5 sees calls of HDF5 alone, without what they move. */
export const HDF5_VOL_TRAITS: FormatTraits = {
  endings: ['.drishti'],
  filesOfRun: 'a file for each process',
  tracerStopsProgram: false,
  durationsOption: '',
  lacksShowIn: 'capabilities',
  remedies: {
    stacks: RECORD_SMALL_CASE,
    paths: 'record the layers below too (Darshan with DXT, Recorder, OTF2), and open both together',
  },
  stacksByDefault: false,
  seesSharedLibrariesOnly: false,
  functionsAreWholeProgram: false,
  processesAreRanks: false,
  describesJob: false,
  canBeRedacted: false,
  knowledgeOfTime: 1,
};
