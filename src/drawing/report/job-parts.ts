import { formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { formatSeconds } from '../charts/amounts.ts';
import { factList, folded, numbers, tableOf, wide } from '../markup/tables.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import { costChart, fileSystemChart, rankBytesChart, rankTimeChart } from './job-charts.ts';
import { bytesMoved, formatBandwidth, ioShare, rankSource, shareOfRun, type Job, type JobModule } from './job.ts';
import type { Medium } from './medium.ts';

/** The parts of a report that say what a Darshan log tells of its job. */

/** A number that is seen at a glance. */
export type Headline = readonly [label: string, value: string, note?: string];

/** The few numbers that stand at the top. */
export function headlines(job: Job): Headline[] {
  const { read, written } = bytesMoved(job);
  const { processes, hosts, runSeconds, wasKilled } = job.job;
  const cost = ioShare(job);
  const onHosts = hosts === 1 ? 'on 1 host' : `on ${formatCount(hosts)} hosts`;
  return [
    ['Processes', processes === 0 ? '–' : formatCount(processes), hosts > 0 ? onHosts : ''],
    ['Run time', runSeconds === null ? '–' : formatSeconds(runSeconds), wasKilled ? 'the program was killed' : ''],
    cost === null
      ? ['In I/O calls', '–', 'not known']
      : ['In I/O calls', formatShare(cost), 'of the run time, on average'],
    ['Read', formatBytes(read)],
    ['Written', formatBytes(written)],
    ['Files', formatCount(job.usedFiles.files)],
  ];
}

export function tiles(shown: readonly Headline[]): Branch {
  const tile = ([label, value, note = '']: Headline): Branch =>
    branch(
      'div',
      { class: 'tile' },
      branch('span', { class: 'label' }, label),
      branch('span', { class: 'value' }, value),
      note === '' ? null : branch('span', { class: 'soft' }, note),
    );
  return branch('div', { class: 'tiles' }, ...shown.map(tile));
}

/** What makes the numbers below it less than the whole truth. */
export function incompleteText({ regions }: Job): string {
  const incomplete = regions.filter((region) => region.incomplete).map(({ name }) => name);
  return incomplete.length === 0
    ? ''
    : `Darshan ran out of memory: records are missing from ${incomplete.join(', ')}. Numbers are lower bounds.`;
}

export function warning(text: string): Branch {
  return branch('p', { class: 'warning', role: 'note' }, text);
}

export function jobFacts({ job, usedFiles }: Job, { date }: Pick<Medium<never>, 'date'>): Branch {
  const byModule = usedFiles.byModule.map(({ module, files }) => `${module} ${formatCount(files)}`).join(', ');
  const unended = `not known${job.wasKilled ? ': the program was killed' : ''}`;
  const rows: [string, Markup][] = [
    ['Job', `${job.jobId} of user ${job.userId}`],
    ['Start', job.startTime === null ? 'not known' : date(job.startTime)],
    ['End', job.endTime === null ? unended : date(job.endTime)],
    ['Run time', job.runSeconds === null ? 'not known' : formatSeconds(job.runSeconds)],
    ['Files', byModule === '' ? formatCount(usedFiles.files) : `${formatCount(usedFiles.files)} (${byModule})`],
    ['Darshan', [job.libraryVersion, `log format ${job.logVersion}`].filter((part) => part !== '').join(', ')],
  ];
  const hints = job.hints.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join(' ');
  if (hints !== '') rows.push(['MPI-IO hints', branch('code', {}, hints)]);
  return factList(rows);
}

const INTERFACE_COLUMNS = [
  { title: 'Interface' },
  ...numbers('Files', 'Read', 'Written', 'Read time', 'Write time', 'Metadata time', 'Of the run', 'Bandwidth'),
];
const INTERFACE_NOTE =
  'Times are those of all processes together, their share of the run that of an average process. The bandwidth is Darshan’s estimate: all bytes over the time of the slowest process.';

/** File systems that stand at once; a node can have hundreds mounted. */
const FIRST_FILE_SYSTEMS = 10;

/** A row for each interface (PyDarshan's module overviews side by side), and where the time and the bytes went. */
export function interfaces<Part>(job: Job, medium: Medium<Part>): Markup<Part>[] {
  const charts = [costChart(job), fileSystemChart(job)].filter((chart) => chart !== null);
  const { fileSystems } = job;
  const isShort = fileSystems.length <= FIRST_FILE_SYSTEMS;
  return [
    wide(tableOf(INTERFACE_COLUMNS, job.modules.map(interfaceRow)), 'full'),
    branch('p', { class: 'soft' }, INTERFACE_NOTE),
    branch('div', { class: 'grid' }, ...charts.map((chart) => medium.chart(chart))),
    ...(fileSystems.length === 0 ? [] : [folded('Where the data lay', wide(fileSystemTable(job)), isShort)]),
  ];
}

function interfaceRow(module: JobModule): Markup[] {
  const { time, categories, performance } = module;
  const share = shareOfRun(module);
  const seconds = (value: number | undefined): string => (value === undefined ? '–' : formatSeconds(value));
  return [
    moduleName(module),
    categories === null ? '–' : formatCount(categories.total.files),
    formatBytes(module.bytesRead),
    formatBytes(module.bytesWritten),
    seconds(time?.readSeconds),
    seconds(time?.writeSeconds),
    seconds(time?.metadataSeconds),
    share === null ? '–' : formatShare(share),
    performance === null ? '–' : formatBandwidth(performance.mebibytesPerSecond),
  ];
}

/** With a word where records are missing. */
export function moduleName({ module, incomplete }: JobModule): Markup {
  if (!incomplete) return module;
  const title = 'Darshan ran out of memory for this module: records are missing';
  return branch('span', {}, module, ' ', branch('span', { class: 'flag', title }, 'incomplete'));
}

function fileSystemTable({ fileSystems }: Job): Branch {
  return tableOf(
    [{ title: 'Place' }, { title: 'File system' }, ...numbers('Read', 'Of files', 'Written', 'To files')],
    fileSystems.map(({ name, fileSystem, bytesRead, filesRead, bytesWritten, filesWritten }) => [
      branch('code', {}, name),
      fileSystem,
      formatBytes(bytesRead),
      formatCount(filesRead),
      formatBytes(bytesWritten),
      formatCount(filesWritten),
    ]),
  );
}

/** What each process did, and which of them stand out. */
export function ranks<Part>({ job, ranks: all }: Job, medium: Medium<Part>): Markup<Part>[] {
  if (all.length === 0) {
    const text = 'The log does not tell what each process did: all its files were used by all of them together.';
    return [branch('p', { class: 'nothing' }, text)];
  }
  return all.flatMap((each): Markup<Part>[] => {
    const charts = [rankBytesChart(each, job.processes), rankTimeChart(each, job.processes)];
    const active = `${formatCount(each.active)} of ${formatCount(job.processes)} processes used it.`;
    return [
      branch('h2', {}, `Ranks of ${each.module}`),
      branch('p', { class: 'soft' }, `${active} ${rankSource(each)}`),
      branch('div', { class: 'grid' }, ...charts.filter((chart) => chart !== null).map((chart) => medium.chart(chart))),
      ...(each.exemplars.length > 1 ? [wide(exemplarTable(each, medium), 'exemplars')] : []),
    ];
  });
}

function exemplarTable<Part>({ exemplars }: Job['ranks'][number], medium: Medium<Part>): Branch<Part> {
  return tableOf(
    [{ title: 'Which' }, ...numbers('Rank', 'Bytes', 'Time')],
    exemplars.map(({ role, rank, bytes, seconds }): Markup<Part>[] => [
      role,
      medium.pressed(String(rank), { kind: 'select', part: { kind: 'rank', rank }, name: `rank ${rank}` }) ?? '',
      formatBytes(bytes),
      seconds === null ? '–' : formatSeconds(seconds),
    ]),
  );
}
