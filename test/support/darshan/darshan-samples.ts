import { readDarshanText } from '../../../src/readers/darshan-text/text-reader.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { memoryFile } from '../memory-file.ts';

/** Pieces of text as darshan-parser and darshan-dxt-parser print them. */

/** What both tools print in front of the data. */
export const HEADER = `# darshan log version: 3.41
# compression method: BZIP2
# exe: ./sim -n 4
# uid: 1000
# jobid: 42
# start_time: 1700000000
# start_time_asci: Tue Nov 14 22:13:20 2023
# end_time: 1700000010
# end_time_asci: Tue Nov 14 22:13:30 2023
# nprocs: 4
# run time: 10.2500
# metadata: lib_ver = 3.4.4
# metadata: h = a=b;c=d

# log file regions
# -------------------------------------------------------
# header: 1328 bytes (uncompressed)
# job data: 100 bytes (compressed)
# record table: 60 bytes (compressed)
# POSIX module: 207 bytes (compressed), ver=4
# DXT_POSIX module: 300 bytes (compressed), ver=1
# <UNKNOWN> module (id 20): 9 bytes (compressed), ver=1

# mounted file systems (mount point and fs type)
# -------------------------------------------------------
# mount entry:\t/scratch\tlustre
# mount entry:\t/\text4
`;
export const COLUMNS = '#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>';
/** What stands above the segments of a module. */
export const SEGMENTS = '\n# ***\n# DXT_POSIX module data\n# ***\n';

/** Reads texts, each as a file of its own. */
export const read = (text: string, ...more: string[]): Promise<Trace> =>
  readDarshanText([text, ...more].map((content, index) => memoryFile(`t${index}.txt`, content)));

/** A row of counters. */
export function row(
  counter: string,
  value: string | number,
  { module = 'POSIX', rank = 0, id = '7', name = '/scratch/a' } = {},
) {
  return [module, rank, id, counter, value, name, '/scratch', 'lustre'].join('\t');
}

export const lines = (...all: string[]): string => all.join('\n') + '\n';

/** The row that ends a record of POSIX: a text that ends without it was cut. */
export const LAST_ROW = row('POSIX_F_VARIANCE_RANK_BYTES', '0.000000');
