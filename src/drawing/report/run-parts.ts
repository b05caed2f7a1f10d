import { factList, numbers, tableOf, wide } from '../markup/tables.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import type { Medium } from './medium.ts';

/** The parts of a report that say what a run without a job's description did: its facts, lines and files. */

interface DrawnAmount {
  readonly calls: string;
  readonly cost: string;
  readonly recorded: string;
  readonly share: string;
}

interface DrawnPlace {
  readonly label: string;
  /** A place without a number cannot be opened. */
  readonly place?: number;
}

interface DrawnLine extends DrawnAmount {
  readonly place: DrawnPlace;
  readonly function: string;
  readonly what: string;
  readonly bytes: string;
}

interface DrawnFile extends DrawnAmount {
  readonly path: string;
  readonly read: string;
  readonly written: string;
  readonly places: readonly DrawnPlace[];
}

interface DrawnRun {
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Seconds since 1970; null when it is not known. */
  readonly startTime: number | null;
  readonly isTraced: boolean;
}

export function runFacts({ facts, startTime }: DrawnRun, { date }: Pick<Medium<never>, 'date'>): Branch {
  return factList([...facts, ['Start', startTime === null ? 'not known' : date(startTime)]]);
}

export function lineTable<Part>(
  { isTraced }: Pick<DrawnRun, 'isTraced'>,
  lines: readonly DrawnLine[],
  medium: Medium<Part>,
): Branch<Part> {
  const columns = [
    ...['Line', 'Function', 'Calls'].map((title) => ({ title })),
    ...numbers('Number', 'Bytes', ...times(isTraced)),
  ];
  const rows = lines.map((line): Markup<Part>[] => [
    placed(line.place, medium),
    branch('code', {}, line.function),
    line.what,
    line.calls,
    line.bytes,
    ...timeCells(line, isTraced),
  ]);
  return wide(tableOf(columns, rows), 'full');
}

export function usedFileTable<Part>(
  { isTraced }: Pick<DrawnRun, 'isTraced'>,
  files: readonly DrawnFile[],
  medium: Medium<Part>,
): Branch<Part> {
  const columns = [{ title: 'File' }, ...numbers('Calls', 'Read', 'Written', ...times(isTraced))];
  const rows = files.map((file): Markup<Part>[] => [
    fileCell(file, medium),
    file.calls,
    file.read,
    file.written,
    ...timeCells(file, isTraced),
  ]);
  return wide(tableOf(columns, rows), 'full');
}

function times(isTraced: boolean): string[] {
  return isTraced ? ['Cost', 'Recorded', 'Of the run'] : ['Time', 'Of the run'];
}

function timeCells({ cost, recorded, share }: DrawnAmount, isTraced: boolean): string[] {
  const known = share === '' ? '–' : share;
  return isTraced ? [cost, recorded === '' ? '–' : recorded, known] : [cost, known];
}

function placed<Part>({ label, place }: DrawnPlace, medium: Medium<Part>): Markup<Part> {
  return medium.pressed(label, { kind: 'place', place }) ?? label;
}

function fileCell<Part>({ path, places }: DrawnFile, medium: Medium<Part>): Branch<Part> {
  const links = places.map((place) => placed(place, medium));
  return branch(
    'div',
    { class: 'file' },
    medium.pressed(path, { kind: 'select', part: { kind: 'file', path }, name: path }) ?? path,
    links.length === 0 ? null : branch('span', { class: 'places' }, ...links),
  );
}
