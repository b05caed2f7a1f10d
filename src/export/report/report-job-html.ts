/** The part of the HTML report that a Darshan log has more than other recordings: what PyDarshan's job summary shows. */
import { counted, formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { barChart, columnChart, heatmapChart, shareChart, type Bars, type Series } from './chart-svg.ts';
import type { JobCategories, JobDocument, JobFile, JobModule, JobRanks } from './job-document.ts';
import { element, escapeMarkup } from '../../base/markup.ts';
import { limited, section, table } from './report-html-parts.ts';
import { bandwidth, jobFacts, MODULE_HEAD, moduleRows, seconds } from './report-job-text.ts';
import { SIZE_BIN_NAMES } from '../analysis/size-bins.ts';

/** The job, its log, and the figures of its modules. */
export function jobHtml(document: JobDocument): string {
  return [
    section(`Job ${document.job.jobId}`, header(document)),
    document.modules.length === 0 ? '' : section('Interfaces compared', comparison(document)),
    document.heatmaps.length === 0 ? '' : section('Bytes over time', heatmaps(document)),
    document.ranks.length === 0 ? '' : section('Processes', ranks(document)),
    ...document.modules.map((module) => moduleSection(module)),
    document.files.rows.length === 0 ? '' : section('Files by bytes', files(document)),
  ].join('\n');
}

function escaped(cells: readonly string[]): string[] {
  return cells.map((cell) => escapeMarkup(cell));
}

function header(document: JobDocument): string {
  const { job, regions } = document;
  const facts = [
    ...jobFacts(document),
    ['user', job.userId],
    ...job.metadata.map(([key, value]) => [key, value]),
  ].filter(([, value]) => value !== '');
  const rows = facts.map(([name, value]) => [escapeMarkup(name!), element('code', {}, escapeMarkup(value!))]);
  const pieces = regions.map(({ name, bytes, version, incomplete, known }) => {
    const state = incomplete ? 'incomplete: the recorder had no room for all records' : known ? '' : 'not read';
    return escaped([name, version === 0 ? '' : String(version), formatBytes(bytes), state]);
  });
  const mounts = job.mounts.map(([mountPoint, fileSystem]) => [
    element('code', {}, escapeMarkup(mountPoint)),
    escapeMarkup(fileSystem),
  ]);
  return [
    table(['', ''], rows, []),
    folded('Pieces of the log', table(['piece', 'version', 'stored', ''], pieces, [1, 2])),
    mounts.length === 0 ? '' : folded('Mounted file systems', limited(['mount point', 'file system'], mounts, [])),
  ].join('\n');
}

function folded(title: string, content: string): string {
  return element('details', {}, element('summary', {}, escapeMarkup(title)), content);
}

/** What belongs to which colour, in words beside a sign. */
function key(series: readonly (readonly [series: Series, name: string])[]): string {
  const signs = series.map(
    ([name, word]) =>
      `<svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="${name}" width="10" height="10"/></svg>${escapeMarkup(word)}`,
  );
  return element('p', { class: 'dim' }, ...signs);
}

const READ_WRITE = [
  ['read', 'read'],
  ['write', 'write'],
] as const;
const TIMES = [...READ_WRITE, ['meta', 'metadata'], ['wait', 'wait']] as const;

function comparison(document: JobDocument): string {
  const cost = document.modules.flatMap(({ module, time }): Bars[] => {
    const run = time?.shareOfRun;
    if (run === null || run === undefined) return [];
    const values = [
      { series: 'read', value: run.read, text: '' },
      { series: 'write', value: run.write, text: '' },
      { series: 'meta', value: run.metadata, text: '' },
      { series: 'wait', value: run.wait, text: formatShare(run.read + run.write + run.metadata + run.wait) },
    ] as const;
    return [{ label: module, values: values.map((each) => ({ ...each })) }];
  });
  const places = document.fileSystems.map(({ name, fileSystem, bytesRead, bytesWritten, filesRead, filesWritten }) => [
    element('code', {}, escapeMarkup(name)),
    ...escaped([
      fileSystem,
      formatBytes(bytesRead),
      formatCount(filesRead),
      formatBytes(bytesWritten),
      formatCount(filesWritten),
    ]),
  ]);
  const placeHead = ['place', 'file system', 'read', 'of files', 'written', 'to files'];
  return [
    table(MODULE_HEAD, moduleRows(document).map(escaped), [1, 2, 3, 4, 5, 6, 7, 8]),
    '<p class="dim">Bandwidth: Darshan’s estimate, all bytes over the time of the slowest process.</p>',
    cost.length === 0
      ? ''
      : `<h3>Time in I/O, as a share of the run, mean over the processes</h3>${key(TIMES)}${shareChart('Time in I/O by interface', cost, 1)}`,
    places.length === 0 ? '' : `<h3>Where the data lay</h3>${limited(placeHead, places, [2, 3, 4, 5])}`,
  ].join('\n');
}

function heatmaps(document: JobDocument): string {
  const drawn = document.heatmaps.map((heatmap) => {
    const source = heatmap.source === 'segments' ? ', from the traced accesses' : '';
    const rows = heatmap.ranksPerRow === 1 ? '' : ` A row is ${formatCount(heatmap.ranksPerRow)} processes.`;
    return `<h3>${escapeMarkup(`${heatmap.module}${source}`)}</h3>${heatmapChart(`Bytes over time through ${heatmap.module}`, heatmap, document.job.processes)}<p class="dim">A column is ${escapeMarkup(seconds(heatmap.binSeconds))}.${rows} Right: bytes of each row.</p>`;
  });
  return `${key(READ_WRITE)}${drawn.join('\n')}`;
}

const SOURCES: Readonly<Record<JobRanks['source'], string>> = {
  segments: 'every traced access',
  heatmap: 'the heatmap: times are unknown',
  records: 'records of single processes: what was done to shared files is not in it',
};

function ranks(document: JobDocument): string {
  const rows = document.ranks.flatMap(({ module, source, active, exemplars }) =>
    exemplars.map(({ role, rank, bytes, seconds: time }) =>
      escaped([
        module,
        role,
        String(rank),
        formatBytes(bytes),
        time === null ? '' : seconds(time),
        formatCount(active),
        SOURCES[source],
      ]),
    ),
  );
  const head = ['interface', 'which', 'rank', 'bytes', 'time', 'active processes', 'from'];
  const charts = document.ranks
    .filter(({ active }) => active > 1)
    .map((each) => rankCharts(each, document.job.processes));
  return `${table(head, rows, [2, 3, 4, 5])}${charts.length === 0 ? '' : key(TIMES.slice(0, 3))}${charts.join('\n')}`;
}

/** Bytes of each process, and its time where that is known. */
function rankCharts(figures: JobRanks, processes: number): string {
  const { module, ranksPerRow, bytesRead, bytesWritten, readSeconds, writeSeconds, metadataSeconds } = figures;
  const ends = ['rank 0', `rank ${Math.max(processes, bytesRead.length) - 1}`] as const;
  const each = ranksPerRow === 1 ? 'by process' : `in columns of ${formatCount(ranksPerRow)} processes`;
  const bytes = columnChart(
    `Bytes by process through ${module}`,
    [
      { series: 'read', values: bytesRead },
      { series: 'write', values: bytesWritten },
    ],
    formatBytes,
    ends,
  );
  const drawn = `<h3>${escapeMarkup(`${module}: bytes ${each}`)}</h3>${bytes}`;
  if (readSeconds.length === 0) return drawn;
  const time = columnChart(
    `Time by process through ${module}`,
    [
      { series: 'read', values: readSeconds },
      { series: 'write', values: writeSeconds },
      { series: 'meta', values: metadataSeconds },
    ],
    seconds,
    ends,
  );
  return `${drawn}<h3>${escapeMarkup(`${module}: time ${each}`)}</h3>${time}`;
}

function moduleSection(module: JobModule): string {
  const parts = [categories(module), sizes(module), operations(module), times(module), commonValues(module)].filter(
    (part) => part !== '',
  );
  if (parts.length === 0) return '';
  const facts = [
    counted(module.records, 'record'),
    ...(module.performance === null || module.performance.mebibytesPerSecond === 0
      ? []
      : [`about ${bandwidth(module.performance.mebibytesPerSecond)}`]),
    ...(module.incomplete ? ['incomplete: the recorder had no room for all records'] : []),
  ];
  const blocks = parts.map((part) => element('div', {}, part));
  return section(
    module.module,
    `<p class="dim">${escapeMarkup(facts.join(' · '))}</p><div class="pair">${blocks.join('\n')}</div>`,
  );
}

const CATEGORY_NAMES: readonly (readonly [keyof JobCategories, string])[] = [
  ['total', 'all'],
  ['readOnly', 'read only'],
  ['writeOnly', 'written only'],
  ['readWrite', 'read and written'],
  ['unique', 'of one process'],
  ['partiallyShared', 'of several processes'],
  ['shared', 'of all processes'],
];

function categories({ categories: found }: JobModule): string {
  if (found === null || found.total.files === 0) return '';
  // An offset is that of the last byte: the size is one more.
  const size = (offset: number): string => (offset < 0 ? '' : formatBytes(offset + 1));
  const used = CATEGORY_NAMES.filter(([name]) => found[name].files > 0);
  const rows = used.map(([name, words]) => {
    const { files: count, bytes, meanOffset, maxOffset } = found[name];
    return escaped([words, formatCount(count), formatBytes(bytes), size(meanOffset), size(maxOffset)]);
  });
  return `<h3>Files</h3>${table(['files', 'number', 'bytes moved', 'mean size', 'largest'], rows, [1, 2, 3, 4])}`;
}

function sizes({ accessSizes: found, module }: JobModule): string {
  if (found === null) return '';
  const bars = SIZE_BIN_NAMES.map((label, i): Bars => {
    const value = (series: Series, count: number): Bars['values'][number] => ({
      series,
      value: count,
      text: count === 0 ? '' : formatCount(count),
    });
    return { label, values: [value('read', found.read[i] ?? 0), value('write', found.write[i] ?? 0)] };
  });
  return `<h3>Sizes of accesses</h3>${key(READ_WRITE)}${barChart(`Sizes of accesses through ${module}`, bars)}`;
}

function seriesOf(operation: string): Series {
  if (/\b(read|fetch|get)$/.test(operation)) return 'read';
  return /\b(write|update|put)$/.test(operation) ? 'write' : 'meta';
}

function operations({ operations: counts, module, pattern }: JobModule): string {
  if (!counts.some(({ count }) => count > 0)) return '';
  const bars = counts.map(({ operation, count }): Bars => {
    return { label: operation, values: [{ series: seriesOf(operation), value: count, text: formatCount(count) }] };
  });
  const drawn = `<h3>Operations</h3>${barChart(`Operations through ${module}`, bars)}`;
  if (pattern === null) return drawn;
  const rows = (['read', 'write'] as const).map((name) => {
    const { total, sequential, consecutive } = pattern[name];
    const share = (part: number): string =>
      total === 0 ? formatCount(part) : `${formatCount(part)} (${formatShare(part / total)})`;
    return escaped([name, formatCount(total), share(sequential), share(consecutive)]);
  });
  return `${drawn}<h3>Pattern</h3>${table(['', 'all', 'sequential', 'of these consecutive'], rows, [1, 2, 3])}`;
}

function times({ time, module }: JobModule): string {
  if (time === null) return '';
  const entries = [
    ['read', 'reads', time.readSeconds],
    ['write', 'writes', time.writeSeconds],
    ['meta', 'metadata', time.metadataSeconds],
    ['wait', 'waits', time.waitSeconds],
  ] as const;
  const bars = entries
    .filter(([series, , value]) => series !== 'wait' || value > 0)
    .map(([series, label, value]): Bars => ({ label, values: [{ series, value, text: seconds(value) }] }));
  return `<h3>Time of all processes together</h3>${barChart(`Time through ${module}`, bars)}`;
}

function commonValues({ commonAccesses, commonStrides }: JobModule): string {
  const rows = (values: JobModule['commonAccesses']): string[][] =>
    values.map(({ bytes, count }) => escaped([formatCount(bytes), formatCount(count)]));
  const one = (title: string, values: JobModule['commonAccesses']): string =>
    values.length === 0 ? '' : `<h3>${title}</h3>${table(['bytes', 'times'], rows(values), [0, 1])}`;
  return one('Commonest sizes', commonAccesses) + one('Commonest strides', commonStrides);
}

function files({ files: { rows, leftOut } }: JobDocument): string {
  const head = [
    'file',
    'module',
    'on',
    'processes',
    'read',
    'written',
    'time',
    'reads',
    'writes',
    'small',
    'misaligned',
    'sequential',
    'stripes',
  ];
  const rest =
    leftOut.rows === 0
      ? ''
      : `<p class="dim">Left out: ${formatCount(leftOut.rows)} rows with ${formatBytes(leftOut.bytes)} together.</p>`;
  return limited(head, rows.map(fileRow), [3, 4, 5, 6, 7, 8, 9, 10, 11]) + rest;
}

function fileRow(file: JobFile): string[] {
  const share = (value: number | null): string => (value === null ? '' : formatShare(value));
  const place = file.mountPoint === 'UNKNOWN' ? '' : `${file.mountPoint} (${file.fileSystem})`;
  const stripes =
    file.stripes === null ? '' : `${formatCount(file.stripes.count)} × ${formatBytes(file.stripes.bytes)}`;
  return [
    element('code', {}, escapeMarkup(file.path || '(no name)')),
    ...escaped([
      file.module,
      place,
      formatCount(file.processes),
      formatBytes(file.bytesRead),
      formatBytes(file.bytesWritten),
      seconds(file.readSeconds + file.writeSeconds + file.metadataSeconds),
      formatCount(file.reads),
      formatCount(file.writes),
      share(file.smallShare),
      share(file.misalignedShare),
      share(file.sequentialShare),
      stripes,
    ]),
  ];
}
