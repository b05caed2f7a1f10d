import { element, escapeMarkup } from '../../base/markup.ts';
import { branch, printed, type Branch } from '../../drawing/markup/tree.ts';
import {
  heatmapDrawing,
  heatmapLegend,
  heatmapNote,
  heatmapNumbers,
  heatmapTitle,
} from '../../drawing/report/heatmap.ts';
import type { JobHeatmap } from '../../drawing/report/job.ts';
import { limited, section } from '../report/report-html-parts.ts';
import { htmlPage } from '../report/html-page.ts';
import { REPORT_STYLE } from '../report/report-html-style.ts';
import { JOB_STYLE, PAPER_JOB_STYLE } from '../report/report-job-style.ts';
import type { DrawnFacet } from './drawn-timeline.ts';
import { LABEL_WIDTH, PLOT_WIDTH } from './timeline-facets.ts';

/** A heat map with how many processes its rows stand for. */
interface FacetHeatmap {
  readonly heatmap: JobHeatmap;
  readonly processes: number;
}

export interface TimelineMaterial {
  /** Program, or the recording's name. */
  readonly title: string;
  /** What was recorded, and how. */
  readonly from: string;
  readonly facets: readonly DrawnFacet[];
  readonly heatmaps: readonly FacetHeatmap[];
}

/** One page that reads whole without a script: each facet as a picture, with what it does not show. */
export function timelineHtml({ title, from, facets, heatmaps }: TimelineMaterial, origin: string): Promise<string> {
  const parts = [
    branch('header', {}, branch('h1', {}, 'I/O of ', branch('code', {}, title)), branch('p', { class: 'soft' }, from)),
    branch('footer', {}, origin),
  ].map((part) => printed(part));
  const body = [
    parts[0]!,
    ...facets.map(facetSection),
    ...heatmaps.map((heatmap) => printed(heatmapSection(heatmap))),
    parts[1]!,
  ];
  return htmlPage(`I/O of ${title} over time`, `${REPORT_STYLE}${JOB_STYLE}`, body);
}

function facetSection({ title, about, notes, svg }: DrawnFacet): string {
  const words = [about, ...notes].map((text) => printed(branch('p', { class: 'soft' }, text)));
  const figure = element('figure', { class: 'picture' }, svg);
  return element('section', {}, printed(branch('h2', {}, title)), ...words, figure);
}

function heatmapSection({ heatmap, processes }: FacetHeatmap): Branch {
  const title = heatmapTitle(heatmap);
  const { byRank } = heatmapNumbers(heatmap, processes);
  return section(
    title,
    branch('p', { class: 'soft' }, `Bytes of each rank over time ${heatmapNote(heatmap)}.`),
    branch('figure', {}, heatmapLegend(heatmap), heatmapDrawing(heatmap, processes, LABEL_WIDTH + PLOT_WIDTH, title)),
    branch(
      'details',
      {},
      branch('summary', {}, 'The same by rank'),
      ...limited([{ title: 'Rank' }, { title: 'Bytes', isNumber: true }], byRank),
    ),
  );
}

const GAP = 16;
const NOTE = 16;

/** All of it as one picture: the facets below each other. */
export function timelineDrawing({ title, from, facets, heatmaps }: TimelineMaterial): string {
  const width = LABEL_WIDTH + PLOT_WIDTH + 12;
  const texts = (words: readonly string[], top: number): string =>
    words
      .map((line, at) => element('text', { x: 8, y: top + (at + 1) * NOTE - 4, fill: '#59636e' }, escapeMarkup(line)))
      .join('');
  let top = 0;
  const parts: string[] = [];
  const put = (words: readonly string[], svg: string): void => {
    parts.push(texts(words, top));
    top += words.length * NOTE;
    parts.push(svg.replace('<svg ', `<svg y="${top}" `));
    top += Number(/ height="([\d.]+)"/.exec(svg)![1]) + GAP;
  };
  const origin = [title, from];
  facets.forEach(({ about, notes, svg }, at) => put([...(at === 0 ? origin : []), about, ...notes], svg));
  heatmaps.forEach(({ heatmap, processes }, at) => {
    const words = `${heatmapTitle(heatmap)} ${heatmapNote(heatmap)}`;
    const drawing = printed(heatmapDrawing(heatmap, processes, width, heatmapTitle(heatmap)));
    put([...(at === 0 && facets.length === 0 ? origin : []), words], drawing);
  });
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height: top,
      viewBox: `0 0 ${width} ${top}`,
      'font-family': 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif',
      'font-size': 11,
      role: 'img',
    },
    element('title', {}, escapeMarkup(`I/O of ${title} over time`)),
    element('style', {}, PAPER_JOB_STYLE),
    element('rect', { width, height: top, fill: '#ffffff' }),
    ...parts,
  );
}
