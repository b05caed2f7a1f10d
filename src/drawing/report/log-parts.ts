import { formatBytes, formatCount } from '../../base/quantities.ts';
import { folded, numbers, tableOf, wide } from '../markup/tables.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import type { Job } from './job.ts';

/** The pieces of the log, and the accesses that were recorded one by one. */
export function logPieces({ regions, segments }: Job): Branch[] {
  const pieces = [branch('h2', {}, 'Modules in the log'), wide(regionTable(regions))];
  return segments.length === 0
    ? pieces
    : [...pieces, branch('h2', {}, 'Recorded accesses (DXT)'), wide(segmentTable(segments))];
}

/** What the log says of its machine. */
export function logTexts({ job }: Job): Branch[] {
  return [
    ...pairs('MPI-IO hints', ['Hint', 'Value'], job.hints),
    ...pairs('Metadata', ['Key', 'Value'], job.metadata),
    ...pairs('Mounted file systems', ['Mount point', 'File system'], job.mounts),
  ];
}

function regionTable(regions: Job['regions']): Branch {
  const state = ({ incomplete, known }: (typeof regions)[number]): Markup => {
    if (incomplete) return branch('span', { class: 'flag' }, 'incomplete: Darshan ran out of memory for it');
    return known ? 'read' : 'skipped: this version of I/O Lens does not know its records';
  };
  return tableOf(
    [{ title: 'Name' }, ...numbers('Version', 'Stored'), { title: 'State' }],
    regions.map((region) => [
      region.name,
      region.version === 0 ? '' : String(region.version),
      formatBytes(region.bytes),
      state(region),
    ]),
  );
}

function segmentTable(segments: Job['segments']): Branch {
  return tableOf(
    [{ title: 'Module' }, ...numbers('Reads', 'Read', 'Writes', 'Written')],
    segments.map(({ module, read, write }) => [
      module,
      formatCount(read.count),
      formatBytes(read.bytes),
      formatCount(write.count),
      formatBytes(write.bytes),
    ]),
  );
}

function pairs(
  title: string,
  heads: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): Branch[] {
  if (rows.length === 0) return [];
  const columns = heads.map((head) => ({ title: head }));
  return [folded(`${title} (${formatCount(rows.length)})`, wide(tableOf(columns, rows)))];
}
