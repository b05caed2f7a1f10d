import type { CounterLog } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Lack } from './lacks.ts';
import { counted } from '../../base/quantities.ts';

/** What a user of today can do to see lines. */
const RECORD_SMALL =
  'record a small case of the program with "iolens record" (strace -k; every call, no Darshan needed)';

/**
 * The branch `stack_addresses` of the repository hammad45/darshan (pull request 966 of darshan-hpc/darshan, not merged):
 * its stack mode fails for position-independent programs, and its segments of 520 bytes fill the memory 16 times faster.
 */
const STACK_BRANCH =
  'or build Darshan from the branch stack_addresses of github.com/hammad45/darshan, compile the program with -g -no-pie (the branch fails otherwise) and set DXT_ENABLE_IO_TRACE=1 and DXT_ENABLE_STACK_TRACE=1 (it keeps some 4,000 segments of each process unless MAX_RECORDS is raised)';

const SEE_LINES = `${RECORD_SMALL}, ${STACK_BRANCH}`;

/** An advice for findings that stay at their files; the whole of it stands among what the recording lacks. */
export const HOW_TO_SEE_LINES =
  'To see on which lines: record a small case with "iolens record", or the job with a Darshan that keeps call stacks (what this recording lacks says how).';
/** The same where Darshan only counts. */
export const HOW_TO_SEE_UNTRACED_LINES = 'To see on which lines: record a small case with "iolens record".';

/** What a Darshan log does not tell, and how to get it. */
export function counterLacks(trace: Trace): Lack[] {
  const { counters } = trace;
  if (counters === undefined) return [];
  return [...segmentLacks(trace, counters), ...incompleteLacks(counters), ...stdioLacks(trace, counters)];
}

function segmentLacks({ events, capabilities }: Trace, { modules, regions }: CounterLog): Lack[] {
  if (events.length === 0) {
    // A job without any file has nothing to be traced.
    if (!modules.some(({ module, length }) => /^(POSIX|MPI-IO)$/.test(module) && length > 0)) return [];
    const lost = regions.some(({ name, incomplete }) => name.startsWith('DXT_') && incomplete);
    return [
      {
        name: 'segments',
        what: lost ? 'no traced segments (DXT) that could be kept' : 'no traced segments (DXT)',
        consequence:
          'findings name files, but neither lines nor moments, and nothing is known of the order of accesses',
        remedy: `set DXT_ENABLE_IO_TRACE=1 in the job; for lines ${SEE_LINES}`,
      },
    ];
  }
  if (capabilities.stacks) return [];
  return [
    {
      name: 'stacks',
      what: 'no call stacks',
      consequence: 'findings have no source lines, only files',
      remedy: SEE_LINES,
    },
  ];
}

/** darshan-runtime: `MAX_RECORDS` counts records, for DXT blocks of 1,024 bytes; what is packed must fit `MODMEM` MiB. */
function incompleteLacks({ regions }: CounterLog): Lack[] {
  const names = regions.filter(({ incomplete }) => incomplete).map(({ name }) => name);
  if (names.length === 0) return [];
  const traced = names.filter((name) => name.startsWith('DXT_'));
  const listed = names.filter((name) => !name.startsWith('DXT_'));
  const lines = [
    ...(listed.length > 0 ? [`MAX_RECORDS 16384 ${listed.join(',')}`] : []),
    ...(traced.length > 0 ? [`MAX_RECORDS 65536 ${traced.join(',')}`] : []),
  ];
  return [
    {
      name: 'records',
      what: `records for which Darshan had no memory, of ${counted(names.length, 'module')}: ${names.join(', ')}`,
      consequence:
        'what these modules show is a part of what happened: numbers are too low, files and lines are missing',
      remedy: `give Darshan more memory: write "${lines.join('" and "')}" into a file, name it in DARSHAN_CONFIG_PATH, and set DARSHAN_MODMEM=64 (MiB for each process) in the job`,
    },
  ];
}

function stdioLacks(trace: Trace, { modules }: CounterLog): Lack[] {
  const table = modules.find(({ module }) => module === 'STDIO');
  if (table === undefined) return [];
  const files = new Set<number>();
  for (let record = 0; record < table.length; record++) {
    const bytes = table.get(record, 'STDIO_BYTES_READ') + table.get(record, 'STDIO_BYTES_WRITTEN');
    const file = table.file(record);
    if (bytes > 0 && file !== NONE && trace.files.at(file).path.startsWith('/')) files.add(file);
  }
  if (files.size === 0) return [];
  return [
    {
      name: 'stdio-segments',
      what: `stdio calls one by one (${counted(files.size, 'file')}): Darshan only counts them`,
      consequence: 'findings on fopen, fread, fprintf and C++ streams have no source lines',
      remedy: RECORD_SMALL,
    },
  ];
}
