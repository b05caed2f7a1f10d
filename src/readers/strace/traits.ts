import type { FormatTraits } from '../../trace/format-traits.ts';

const LET_CHOOSE = 'or let "iolens record" choose the options';

/** Text that strace prints, one call a line: what its options left out shows in the calls. */
export const STRACE_TRAITS: FormatTraits = {
  endings: ['.st', '.strace'],
  filesOfRun: 'named alike',
  tracerStopsProgram: true,
  durationsOption: 'strace -T',
  lacksShowIn: 'calls',
  remedies: {
    stacks: `record with strace -k (its build must have it: "strace -V" names stack-trace), ${LET_CHOOSE}`,
    durations: `record with strace -T, ${LET_CHOOSE}`,
    paths: `record with strace -y, ${LET_CHOOSE}`,
    times: `record with strace -ttt, ${LET_CHOOSE}`,
    dates: `record with strace -ttt in place of -t, -tt or -r, ${LET_CHOOSE}`,
    children: `record with strace -f (or open all files of strace -ff together), ${LET_CHOOSE}`,
    callers: 'link the program dynamically, or use a strace that was built with libdw ("strace -V" says so)',
    opens: `trace open, openat, lseek, dup and close too (strace -e trace=...), from the start of the program, ${LET_CHOOSE}`,
    calls: `trace all calls on files (strace -e trace=%file,%desc), ${LET_CHOOSE}`,
    successes: 'record without -Z and -e status=failed',
  },
  stacksByDefault: false,
  seesSharedLibrariesOnly: false,
  functionsAreWholeProgram: false,
  processesAreRanks: false,
  describesJob: false,
  canBeRedacted: true,
  knowledgeOfTime: 3,
};
