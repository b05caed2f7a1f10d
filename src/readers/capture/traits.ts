import type { FormatTraits } from '../../trace/format-traits.ts';

/** Recordings of the recorder library: it stands in front of libraries' functions within the program. */
export const CAPTURE_TRAITS: FormatTraits = {
  endings: ['.iorec'],
  filesOfRun: 'a file for each process',
  tracerStopsProgram: false,
  durationsOption: '',
  lacksShowIn: 'capabilities',
  remedies: {
    stacks:
      'record without --no-stacks and with a --stack-depth above 0 (setting iolens.record.stackDepth), as "iolens record" does when nothing is said',
  },
  stacksByDefault: true,
  seesSharedLibrariesOnly: true,
  functionsAreWholeProgram: false,
  processesAreRanks: false,
  describesJob: false,
  canBeRedacted: false,
  knowledgeOfTime: 6,
};
