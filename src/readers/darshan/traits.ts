import type { FormatTraits } from '../../trace/format-traits.ts';

/** Darshan counts within the program, and traces some of the calls: its counters decide. */
export const DARSHAN_TRAITS: FormatTraits = {
  endings: ['.darshan'],
  filesOfRun: 'one recording each',
  tracerStopsProgram: false,
  durationsOption: '',
  lacksShowIn: 'counters',
  remedies: {},
  stacksByDefault: false,
  seesSharedLibrariesOnly: false,
  functionsAreWholeProgram: false,
  processesAreRanks: true,
  describesJob: true,
  canBeRedacted: false,
  knowledgeOfTime: 5,
};
