import { formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { formatSeconds } from '../charts/amounts.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import type { JobFile } from './job.ts';
import type { Medium } from './medium.ts';

const number = (sort: string, title: string, hint = '') => ({ sort, title, isNumber: true, hint });

/** Columns of the table of files, with the names by which its rows are sorted. */
export const FILE_COLUMNS = [
  { sort: 'path', title: 'File', isNumber: false, hint: '' },
  { sort: 'module', title: 'Interface', isNumber: false, hint: '' },
  number('processes', 'Processes'),
  number('bytesRead', 'Read'),
  number('bytesWritten', 'Written'),
  number('reads', 'Reads'),
  number('writes', 'Writes'),
  number('opens', 'Opens'),
  number('seconds', 'Time', 'in reads, writes and metadata, of all processes together'),
  number('metadataSeconds', 'Metadata', 'time in opens, closes, stats and the like'),
  number('smallShare', 'Small', 'share of reads and writes up to 1 MiB'),
  number('misalignedShare', 'Misaligned', 'share of reads and writes that begin inside a block of the file system'),
  number('sequentialShare', 'Sequential', 'share of reads and writes after the end of the previous one'),
];

/** A file, with the source lines that access it where they are known. */
type DrawnFile = JobFile & {
  readonly places?: readonly { readonly label: string; readonly place: number }[];
};

export function fileRow<Part>(file: DrawnFile, medium: Medium<Part>): Markup<Part>[] {
  const share = (value: number | null): string => (value === null ? '–' : formatShare(value));
  return [
    fileCell(file, medium),
    file.module,
    file.rank === null ? formatCount(file.processes) : `rank ${file.rank}`,
    formatBytes(file.bytesRead),
    formatBytes(file.bytesWritten),
    formatCount(file.reads),
    formatCount(file.writes),
    formatCount(file.opens),
    formatSeconds(file.readSeconds + file.writeSeconds + file.metadataSeconds),
    formatSeconds(file.metadataSeconds),
    share(file.smallShare),
    share(file.misalignedShare),
    share(file.sequentialShare),
  ];
}

function fileCell<Part>(file: DrawnFile, medium: Medium<Part>): Branch<Part> {
  const { path, places = [] } = file;
  const notes = fileNotes(file).join('; ');
  const links = places.map(({ label, place }) => medium.pressed(label, { kind: 'place', place }));
  return branch(
    'div',
    { class: 'file' },
    medium.pressed(path || '(no name)', { kind: 'select', part: { kind: 'file', path }, name: path }),
    notes === '' ? null : branch('span', { class: 'soft small' }, notes),
    links.length === 0 ? null : branch('span', { class: 'places' }, ...links),
  );
}

function fileNotes({ mountPoint, fileSystem, stripes, fastest, slowest }: JobFile): string[] {
  const notes = [];
  if (mountPoint !== 'UNKNOWN') notes.push(`on ${mountPoint} (${fileSystem})`);
  if (stripes !== null) {
    const targets = `${formatCount(stripes.count)} × ${formatBytes(stripes.bytes)}`;
    notes.push(`Lustre stripes: ${targets}${stripes.components > 1 ? `, ${stripes.components} components` : ''}`);
  }
  if (fastest !== null && slowest !== null && slowest.seconds > 0)
    notes.push(
      `slowest: rank ${slowest.rank} (${formatSeconds(slowest.seconds)}), fastest: rank ${fastest.rank} (${formatSeconds(fastest.seconds)})`,
    );
  return notes;
}

/** What of the files is not in the table. */
export function leftOutNote({ rows, bytes }: { readonly rows: number; readonly bytes: number }): Branch[] {
  const text = `${formatCount(rows)} smaller ones, ${formatBytes(bytes)} in all, are not listed.`;
  return rows === 0 ? [] : [branch('p', { class: 'soft' }, text)];
}
