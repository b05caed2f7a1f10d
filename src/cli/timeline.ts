import { writeFileSync } from 'node:fs';
import { Option, InvalidArgumentError, type Command } from 'commander';
import { messageOf } from '../base/error-message.ts';
import { formatDuration } from '../base/quantities.ts';
import { drawnOffsets, drawnRows, OFFSET_CELLS, type DrawnFacet } from '../export/timeline/drawn-timeline.ts';
import {
  FACETS,
  isRowFacet,
  PLOT_WIDTH,
  ROW_FACETS,
  type Facet,
  type RowFacet,
} from '../export/timeline/timeline-facets.ts';
import { timelineDrawing, timelineHtml, type TimelineMaterial } from '../export/timeline/timeline-page.ts';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { secondsFromStart, UsageError, wholeNumber, withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';
import { VERSION } from './version.ts';

interface TimelineOptions extends OpenOptions {
  output: string;
  facets: readonly Facet[];
  from?: number;
  to?: number;
  rows: number;
}

/** Files whose offsets are drawn: those with most bytes. */
const OFFSET_FILES = 3;

export function addTimeline(program: Command): void {
  withOpenOptions(
    program
      .command('timeline')
      .description('draws who called what when: layers, operations, sizes, files, offsets, bytes by rank')
      .argument('<recording...>'),
  )
    .requiredOption('-o, --output <file>', 'a page (.html) or one picture (.svg)')
    .addOption(
      new Option('--facets <list>', `which, with commas: ${FACETS.join(', ')}`)
        .argParser(facetList)
        .default(FACETS, 'all'),
    )
    .option('--from <seconds>', 'begins here, not at the start of the recording', secondsFromStart)
    .option('--to <seconds>', 'ends here', secondsFromStart)
    .option('--rows <number>', 'rows of a facet; beyond that, like rows are drawn as one', wholeNumber, 200)
    .action(async (recordings: string[], options: TimelineOptions) => {
      const { output } = options;
      const form = /\.(html?|svg)$/i.exec(output)?.[1]?.toLowerCase();
      if (form === undefined) throw new UsageError(`-o ${output}: a file that ends in .html or .svg is expected`);
      const paths = (await groupRecordings(recordings)).flat();
      checkOutput(output, paths);
      const session = localSession(resources);
      const [opened] = await openAll(session, [paths], options);
      if (!opened!.info.capabilities.time && (options.from ?? options.to) !== undefined)
        throw new UsageError(`--from and --to: ${opened!.info.recording} holds no times`);
      const material = await gathered(session, opened!, options);
      if (material.facets.length + material.heatmaps.length === 0)
        throw new UsageError(`${opened!.info.recording}: nothing in it can be drawn over time: it holds no such calls`);
      const origin = `Made by I/O Lens ${VERSION} on ${new Date().toISOString().slice(0, 10)}.`;
      write(output, form === 'svg' ? timelineDrawing(material) : await timelineHtml(material, origin));
    });
}

type Opened = Pick<Awaited<ReturnType<typeof openAll>>[number], 'id' | 'info'>;

async function gathered(session: Session, { id, info }: Opened, options: TimelineOptions): Promise<TimelineMaterial> {
  const rows = options.facets.filter(isRowFacet);
  const drawn: DrawnFacet[] = [];
  for (const facet of rows) drawn.push(...(await rowsOf(session, id, facet, options)));
  if (options.facets.includes('offsets')) drawn.push(...(await offsetsOf(session, { id, info }, options)));
  const { heatmaps, processes } = options.facets.includes('heatmap')
    ? await session.report.heatmaps(id)
    : { heatmaps: [], processes: 0 };
  const started = info.startTime === null ? '' : ` · ${new Date(info.startTime * 1000).toISOString()}`;
  return {
    title: info.program || info.recording,
    from: `${info.recording} · ${info.format} ${info.version}`.trim() + started,
    facets: drawn,
    heatmaps: heatmaps.map((heatmap) => ({ heatmap, processes })),
  };
}

/** None where there is nothing to show. */
async function rowsOf(session: Session, id: number, facet: RowFacet, options: TimelineOptions): Promise<DrawnFacet[]> {
  const request = {
    ...ROW_FACETS[facet].request,
    order: 'recorded',
    exemplars: false,
    rowFilter: '',
    ownFilesOnly: true,
    selection: [],
    onlySelected: false,
  } as const;
  const ask = (more: { exemplars: boolean }): ReturnType<Session['timeline']['rows']> =>
    session.timeline.rows([id], { ...request, ...more });
  let answer = await ask({ exemplars: false });
  if (answer.rows.length > options.rows) answer = await ask({ exemplars: true });
  if (answer.rows.length === 0) return [];
  const visible = spanOf(answer.durationNs, options);
  const shown = [...answer.rows.keys()].slice(0, options.rows);
  const window = await session.timeline.window(answer.token, { ...visible, bins: PLOT_WIDTH, rows: shown });
  return [drawnRows(facet, answer, window)];
}

function spanOf(durationNs: number, { from, to }: TimelineOptions): { fromNs: number; toNs: number } {
  const end = Math.max(1, durationNs);
  const fromNs = Math.min((from ?? 0) * 1e9, end);
  const toNs = Math.min((to ?? Infinity) * 1e9, end);
  if (toNs <= fromNs)
    throw new UsageError(`--from and --to: nothing lies between them; the recording lasts ${formatDuration(end)}`);
  return { fromNs, toNs };
}

async function offsetsOf(session: Session, { id, info }: Opened, options: TimelineOptions): Promise<DrawnFacet[]> {
  const { files } = await session.offsets.files(id, '', OFFSET_FILES);
  const drawn: DrawnFacet[] = [];
  for (const { host, path, ignored, accesses } of files) {
    const file = { host, path };
    const facts = ignored || accesses < 2 ? undefined : await session.offsets.facts(id, file);
    if (facts === undefined) continue;
    const axis = facts.hasTimes ? ('time' as const) : ('order' as const);
    const choices = { layer: '', directions: 'both', axis, colourBy: 'direction', only: '' } as const;
    const whole = await session.offsets.window(id, { file, choices, area: null, ...OFFSET_CELLS, selection: [] });
    const { fromByte, toByte } = whole.extent;
    // On the axis of the other pictures; the file may be used in a part of that time.
    const span = axis === 'time' ? spanOf(Math.max(info.durationNs, whole.extent.to), options) : undefined;
    const area = span && { from: span.fromNs, to: span.toNs, fromByte, toByte };
    const window =
      area === undefined
        ? whole
        : await session.offsets.window(id, { file, choices, area, ...OFFSET_CELLS, selection: [] });
    drawn.push(drawnOffsets(drawn.length, facts, window));
  }
  return drawn;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`-o ${file}: ${messageOf(error)}`);
  }
}

function facetList(text: string): readonly Facet[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !FACETS.includes(name as Facet));
  if (wrong !== undefined) throw new InvalidArgumentError(`there is no facet ${wrong}: ${FACETS.join(', ')}`);
  return FACETS.filter((facet) => names.includes(facet));
}
