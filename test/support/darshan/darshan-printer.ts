import { LAYERS, OPERATION } from '../../../src/trace/calls.ts';
import type { CounterLog, CounterTable, FileLayout, LayoutComponent } from '../../../src/trace/counters.ts';
import { NONE } from '../../../src/trace/events.ts';
import type { Trace } from '../../../src/trace/trace.ts';

/**
 * Prints what a trace holds of a Darshan log as `darshan-parser --base` of Darshan 3.5.0 does (darshan-util,
 * `darshan-parser.c` and `darshan-*-logutils.c`), because that tool is on few machines.
 * @param mostRecords of each module of counters.
 */
export function printCounters(trace: Trace, mostRecords = Infinity): string {
  const { counters } = trace;
  if (counters === undefined) throw new Error('no Darshan log');
  const pieces = [
    headerLines(counters),
    ['', '# description of columns:', '#   <module>: module responsible for this record.'],
  ];
  for (const { name, incomplete } of counters.regions) {
    const rows = rowsOf(trace, counters, name, mostRecords);
    if (rows.length === 0) continue;
    pieces.push(['', STARS, `# ${name} module data`, STARS]);
    if (incomplete) pieces.push(['', ...incompleteLines(name)]);
    pieces.push(['', `# description of ${name} counters:`, '#   A_B_*: what is counted.', '', COLUMNS], rows, ['']);
  }
  return pieces.flat().join('\n') + '\n';
}

/**
 * Prints the segments as `darshan-dxt-parser` of Darshan 3.5.0 does for a log without threads (`darshan-dxt-logutils.c`).
 */
export function printSegments(trace: Trace): string {
  const { counters, events, files, handles, streams } = trace;
  if (counters === undefined) throw new Error('no Darshan log');
  const pieces = [headerLines(counters)];
  let layer = '';
  for (const [handle, rows] of rowsByHandle(trace)) {
    const [first] = rows;
    const own = LAYERS[events.value('layer', first!)] === 'POSIX' ? 'POSIX' : 'MPIIO';
    if (own !== layer) pieces.push(['', STARS, `# DXT_${own} module data`, STARS]);
    layer = own;
    const { rank, host } = streams[handles.stream.at(handle)]!;
    const isWrite = (row: number): boolean => trace.calls.operation[events.value('call', row)] === OPERATION.write;
    const writes = rows.filter(isWrite).length;
    pieces.push([
      '',
      `# DXT, file_id: ${handle + 1}, file_name: ${files.at(handles.file.at(handle)).path}`,
      `# DXT, rank: ${rank!}, hostname: ${host}`,
      `# DXT, write_count: ${writes}, read_count: ${rows.length - writes}`,
      '# DXT, mnt_pt: UNKNOWN, fs_type: UNKNOWN',
      '# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)',
      ...rows.map((row, index) => {
        const [start, duration] = [events.value('start', row), events.value('duration', row)];
        const offset = events.value('offset', row);
        const columns: [value: string | number, width: number][] = [
          [`X_${own}`, 8],
          [rank!, 8],
          [isWrite(row) ? 'write' : 'read', 7],
          [index < writes ? index : index - writes, 9],
          [Number.isNaN(offset) ? -1 : offset, 16],
          [events.value('bytes', row), 16],
          [(start / 1e9).toFixed(4), 12],
          [((start + duration) / 1e9).toFixed(4), 12],
        ];
        return columns.map(([value, width]) => `${value}`.padStart(width)).join('');
      }),
    ]);
  }
  return pieces.flat().join('\n') + '\n';
}

/** Segments of each file and process, in the order of the log or text. */
export function rowsByHandle({ events }: Trace): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < events.length; row++) {
    const handle = events.value('handle', row);
    const own = rows.get(handle);
    if (own === undefined) rows.set(handle, [row]);
    else own.push(row);
  }
  for (const own of rows.values()) own.sort((a, b) => events.value('line', a) - events.value('line', b));
  return rows;
}

const STARS = '# *******************************************************';
const COLUMNS = '#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>';

/** The lines in front of the data, as both tools print them. */
export function headerLines({ job, regions }: CounterLog): string[] {
  const date = (seconds: number): string => new Date(seconds * 1000).toUTCString();
  return [
    `# darshan log version: ${job.logVersion}`,
    `# compression method: ${job.compression.toUpperCase()}`,
    `# exe: ${job.command}`,
    `# uid: ${job.userId}`,
    `# jobid: ${job.jobId}`,
    `# start_time: ${Math.floor(job.startTime)}`,
    `# start_time_asci: ${date(job.startTime)}`,
    `# end_time: ${Math.floor(job.endTime)}`,
    `# end_time_asci: ${date(job.endTime)}`,
    `# nprocs: ${job.processes}`,
    // A log of a program that was killed ends before it began.
    `# run time: ${(Number.isNaN(job.runTime) ? -job.startTime : job.runTime).toFixed(4)}`,
    ...job.metadata.map(([key, value]) => `# metadata: ${key} = ${value}`),
    '',
    '# log file regions',
    '# -------------------------------------------------------',
    '# header: 1328 bytes (uncompressed)',
    ...regions.map(({ name, bytes, version }) => {
      const isModule = !['job data', 'record table'].includes(name);
      return `# ${name}${isModule ? ' module' : ''}: ${bytes} bytes (compressed)${isModule ? `, ver=${version}` : ''}`;
    }),
    '',
    '# mounted file systems (mount point and fs type)',
    '# -------------------------------------------------------',
    ...[...job.mounts]
      .sort(([a], [b]) => b.length - a.length)
      .map(([point, type]) => `# mount entry:\t${point}\t${type}`),
  ];
}

export function incompleteLines(module: string): string[] {
  return [
    `# *WARNING*: The ${module} module contains incomplete data!`,
    '#            This happens when a module runs out of',
    '#            memory to store new record data.',
    '',
    '# To avoid this error, consult the darshan-runtime',
    '# documentation and consider setting the',
    '# DARSHAN_EXCLUDE_DIRS environment variable to prevent',
    '# Darshan from instrumenting unecessary files.',
  ];
}

function rowsOf(trace: Trace, counters: CounterLog, module: string, mostRecords: number): string[] {
  const mounts = [...counters.job.mounts].sort(([a], [b]) => b.length - a.length);
  const place = (file: number): string => (file === NONE ? '\t\t' : placeOf(trace.files.at(file).path, mounts));
  if (module === 'LUSTRE') {
    return counters.layouts.flatMap((layout) =>
      layoutValues(layout).map((row) => [module, layout.rank, layout.recordId, row, place(layout.file)].join('\t')),
    );
  }
  if (module === 'HEATMAP') {
    const apis = [...new Set(counters.heatmaps.map(({ api }) => api))];
    return counters.heatmaps.flatMap(({ api, rank, binWidth, read, written }) => {
      const bins = (kind: string, values: Float64Array): string[] =>
        Array.from(values, (bytes, bin) => `HEATMAP_${kind}_BIN_${bin}\t${bytes}`);
      const rows = [
        `HEATMAP_F_BIN_WIDTH_SECONDS\t${float(binWidth)}`,
        ...bins('READ', read),
        ...bins('WRITE', written),
      ];
      const id = 1000 + apis.indexOf(api);
      return rows.map((row) => [module, rank, id, row, `heatmap:${api}\tUNKNOWN\tUNKNOWN`].join('\t'));
    });
  }
  return counters.modules
    .filter((table) => table.module === module)
    .flatMap((table) =>
      Array.from({ length: Math.min(mostRecords, table.length) }, (_, record) =>
        recordRows(table, record, place(table.file(record))),
      ).flat(),
    );
}

function recordRows(table: CounterTable, record: number, place: string): string[] {
  const owner = `${table.module}\t${table.rank(record)}\t${table.recordId(record)}`;
  const rows: string[] = [];
  table.counters.forEach((name, column) => {
    const value = table.value(record, column);
    // Records of one module that differ in kind (APMPI) lack counters of the others.
    if (Number.isNaN(value)) return;
    rows.push(`${owner}\t${name}\t${isFloat(name) ? float(value) : BigInt(value)}\t${place}`);
  });
  return rows;
}

/** Whether a counter is a floating-point number: APMPI has names of its own. */
export function isFloat(counter: string): boolean {
  return counter.includes('_F_') || /^MPI_.*(?:_TIME|_VARIANCE)$/.test(counter);
}

function float(value: number): string {
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`;
}

/** `name<tab>mount point<tab>type`: the longest mount point that the name begins with. */
function placeOf(name: string, longestFirst: CounterLog['job']['mounts']): string {
  const [point, type] = longestFirst.find(([mountPoint]) => name.startsWith(mountPoint)) ?? ['UNKNOWN', 'UNKNOWN'];
  return [name, point, type].join('\t');
}

const PATTERNS_ABSENT = 'N/A';
const FLAGS = 'stale prefrd prefwr offline init nosync extension parity compress partial nocompr neg'.split(' ');

function layoutValues({ components }: FileLayout): string[] {
  const stripes = components.reduce((sum, { targets }) => sum + targets.length, 0);
  return [
    `LUSTRE_NUM_COMPONENTS\t${components.length}`,
    `LUSTRE_NUM_STRIPES\t${stripes}`,
    ...components.flatMap((component, index) =>
      componentValues(component).map(([name, value]) => `LUSTRE_COMP${index + 1}_${name}\t${value}`),
    ),
  ];
}

function componentValues(component: LayoutComponent): [name: string, value: string | number][] {
  const names = FLAGS.filter((_, bit) => (component.flags & (1 << bit)) !== 0).join(',');
  return [
    ['STRIPE_SIZE', component.stripeSize],
    ['STRIPE_COUNT', component.stripeCount],
    ['STRIPE_PATTERN', component.pattern === '' ? PATTERNS_ABSENT : component.pattern],
    ['FLAGS', component.flags === -1 ? PATTERNS_ABSENT : names === '' ? '0' : names],
    ['EXT_START', component.extentStart],
    ['EXT_END', component.extentEnd],
    ['MIRROR_ID', component.mirror],
    ['POOL_NAME', component.pool === '' ? PATTERNS_ABSENT : component.pool],
    ...component.targets.map((target, index): [string, number] => [`OST_ID_${index}`, target]),
  ];
}
