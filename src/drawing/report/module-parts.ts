import { formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { formatSeconds } from '../charts/amounts.ts';
import { folded, numbers, tableOf, wide } from '../markup/tables.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import { accessSizeChart, operationChart } from './job-charts.ts';
import { moduleName, tiles, type Headline } from './job-parts.ts';
import { counterName, formatBandwidth, formatCounter, sizeText, type JobModule } from './job.ts';
import type { Medium } from './medium.ts';

/** What a module counted, without its records. */
export function modulePart<Part>(module: JobModule, medium: Medium<Part>): Markup<Part>[] {
  const charts = [accessSizeChart(module), operationChart(module)].filter((chart) => chart !== null);
  const tables = [categoryTable(module), commonTable(module), patternTable(module)].filter((each) => each !== null);
  return [
    branch('h2', {}, moduleName(module), ' ', branch('span', { class: 'soft' }, `version ${module.version}`)),
    tiles(moduleNumbers(module)),
    ...slowestText(module),
    branch('div', { class: 'grid' }, ...charts.map((chart) => medium.chart(chart))),
    branch('div', { class: 'grid' }, ...tables),
    branch('h3', {}, 'Counters'),
    counterTotals(module),
  ];
}

function moduleNumbers({ records, bytesRead, bytesWritten, time, performance }: JobModule): Headline[] {
  const shown: Headline[] = [
    ['Records', formatCount(records)],
    ['Read', formatBytes(bytesRead)],
    ['Written', formatBytes(bytesWritten)],
  ];
  if (time !== null) {
    shown.push(
      ['Read time', formatSeconds(time.readSeconds)],
      ['Write time', formatSeconds(time.writeSeconds)],
      ['Metadata time', formatSeconds(time.metadataSeconds)],
    );
    // Only PnetCDF counts it.
    if (time.waitSeconds > 0) shown.push(['Wait time', formatSeconds(time.waitSeconds)]);
  }
  if (performance !== null)
    shown.push(['Bandwidth', formatBandwidth(performance.mebibytesPerSecond), 'estimated from the slowest process']);
  return shown;
}

/** What the estimate of the bandwidth is made of. */
function slowestText({ performance }: JobModule): Branch[] {
  if (performance === null) return [];
  const { slowestRank, slowestRankSeconds, sharedFilesSeconds } = performance;
  const parts = [];
  if (slowestRankSeconds > 0)
    parts.push(
      `Rank ${slowestRank} spent most time in files that are not shared: ${formatSeconds(slowestRankSeconds)}.`,
    );
  if (sharedFilesSeconds > 0)
    parts.push(`The slowest processes of the shared files spent ${formatSeconds(sharedFilesSeconds)} in them.`);
  return parts.length === 0 ? [] : [branch('p', { class: 'soft' }, parts.join(' '))];
}

function titled(title: string, ...content: readonly Branch[]): Branch {
  return branch('section', { class: 'titled' }, branch('h3', {}, title), ...content);
}

function categoryTable({ categories }: JobModule): Branch | null {
  if (categories === null) return null;
  const names = [
    ['All', categories.total],
    ['Read only', categories.readOnly],
    ['Written only', categories.writeOnly],
    ['Read and written', categories.readWrite],
    ['Of one process', categories.unique],
    ['Of all processes', categories.shared],
    ['Of several processes', categories.partiallyShared],
  ] as const;
  // An offset is that of the last byte: the size is one more.
  const size = (files: number, offset: number): string => (files === 0 || offset < 0 ? '–' : formatBytes(offset + 1));
  const table = tableOf(
    [{ title: 'Kind' }, ...numbers('Files', 'Bytes', 'Largest size', 'Mean size')],
    names.map(([name, { files, bytes, maxOffset, meanOffset }]) => [
      name,
      formatCount(files),
      formatBytes(bytes),
      size(files, maxOffset),
      size(files, meanOffset),
    ]),
  );
  return titled('Files', wide(table));
}

function commonTable({ commonAccesses, commonStrides }: JobModule): Branch | null {
  if (commonAccesses.length === 0) return null;
  const table = (title: string, list: JobModule['commonAccesses']): Branch =>
    wide(
      tableOf(
        [{ title }, ...numbers('Count')],
        list.map(({ bytes, count }) => [sizeText(bytes), formatCount(count)]),
      ),
    );
  const strides =
    commonStrides.length === 0 ? [] : [branch('h3', {}, 'Common strides'), table('Distance', commonStrides)];
  return titled('Common access sizes', table('Size', commonAccesses), ...strides);
}

function patternTable({ pattern }: JobModule): Branch | null {
  if (pattern === null || pattern.read.total + pattern.write.total === 0) return null;
  const row = (name: string, { total, sequential, consecutive }: typeof pattern.read): string[] => [
    name,
    formatCount(total),
    partText(sequential, total),
    partText(consecutive, total),
  ];
  const table = tableOf(
    [
      { title: 'Kind' },
      { title: 'Accesses', isNumber: true },
      { title: 'Sequential', isNumber: true, hint: 'after the end of the previous access, or right at it' },
      { title: 'Of these consecutive', isNumber: true, hint: 'right at the end of the previous access' },
    ],
    [row('Reads', pattern.read), row('Writes', pattern.write)],
  );
  return titled('Order of accesses', wide(table));
}

/** `282 (82 %)` */
function partText(part: number, total: number): string {
  return total === 0 ? '–' : `${formatCount(part)} (${formatShare(part / total)})`;
}

function counterTotals({ module, totals, inexact = [], exact = {} }: JobModule): Branch {
  const counted = Object.entries(totals).filter(([, value]) => value !== 0);
  const zero = Object.keys(totals).length - counted.length;
  const rows = counted.map(([counter, value]) => [
    counterName(counter, module),
    exact[counter] === undefined
      ? `${inexact.includes(counter) ? '≈ ' : ''}${formatCounter(value)}`
      : BigInt(exact[counter]).toLocaleString('en-US'),
  ]);
  return folded(
    `Totals of ${formatCount(counted.length)} counters, ${formatCount(zero)} more are 0`,
    wide(tableOf([{ title: 'Counter' }, ...numbers('Total')], rows), 'totals'),
  );
}
