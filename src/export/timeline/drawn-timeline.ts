import type { OffsetFileFacts, OffsetWindow } from '../../analysis/offsets/offsets.ts';
import type { TimelineRows, TimelineWindow } from '../../analysis/timeline/timeline.ts';
import { formatCount } from '../../base/quantities.ts';
import { drawOffsets } from '../../drawing/offsets/offset-picture.ts';
import { SvgSurface } from '../../drawing/offsets/surface.ts';
import { slotOf } from '../../drawing/palette.ts';
import { CategoryColours, colourOf, type ColourTheme } from '../../drawing/timeline/category-colours.ts';
import type { Bins } from '../../drawing/timeline/buffered-bins.ts';
import { timelineLanes } from '../../drawing/timeline/timeline-lanes.ts';
import { timelineSvg, type TimelinePicture } from '../../drawing/timeline/timeline-svg.ts';
import { LABEL_WIDTH, PAPER_COLOURS, PLOT_WIDTH, ROW_FACETS, type RowFacet } from './timeline-facets.ts';

/** A picture of a facet, with what is to be said of it. */
export interface DrawnFacet {
  readonly title: string;
  readonly about: string;
  /** What cannot be shown, and what is left out. */
  readonly notes: readonly string[];
  readonly svg: string;
}

const THEME: ColourTheme = { isDark: false, isHighContrast: false, background: PAPER_COLOURS.background };

/** Rows share so many pixels; many get thin, and few are not high. */
const MOST_HEIGHT = 900;
const [LOWEST_ROW, HIGHEST_ROW] = [4, 18];

/** @param rows of the answer that `window` has the cells of. */
export function drawnRows(facet: RowFacet, answer: TimelineRows, window: TimelineWindow): DrawnFacet {
  const { title, about, request } = ROW_FACETS[facet];
  const { fromNs, toNs, bins } = window;
  const over: Bins = { fromNs, toNs, bins, binNs: (toNs - fromNs) / bins };
  const shown = window.rows.map((index) => answer.rows[index]!);
  const slots = new CategoryColours(request.colourBy).slotsOf(answer.categories.map(({ label }) => label));
  const whole = answer.categories.reduce((sum, { timeNs }) => sum + timeNs, 0);
  const calls = answer.categories.reduce((sum, { events }) => sum + events, 0);
  const picture: TimelinePicture = {
    title,
    width: PLOT_WIDTH,
    labelWidth: LABEL_WIDTH,
    rowHeight: Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW, Math.floor(MOST_HEIGHT / Math.max(1, shown.length)))),
    visible: { fromNs, toNs },
    axis: answer.axis,
    rows: shown.map(({ label, depth, isGroup, standsFor }, at) => ({
      label: standsFor > 1 ? `${label} (${standsFor} alike)` : label,
      depth,
      isGroup,
      cells: {
        over,
        category: window.category.subarray(at * bins, (at + 1) * bins),
        busy: window.busy.subarray(at * bins, (at + 1) * bins),
      },
    })),
    lanes: facet === 'operations' ? timelineLanes(window, over, THEME) : [],
    categories: answer.categories.map(({ label, timeNs, events }, at) => ({
      label,
      colour: colourOf(slots[at]!, THEME),
      share: whole > 0 ? timeNs / whole : events / Math.max(1, calls),
    })),
    theme: THEME,
    text: PAPER_COLOURS.text,
  };
  const left = answer.rows.length - shown.length;
  const cut = left > 0 ? [`${formatCount(left)} more rows are left out.`] : [];
  return { title, about, notes: [...answer.notes, ...cut], svg: timelineSvg(picture) };
}

const OFFSETS_HEIGHT = 380;
/** Cells of the plane of time and offsets. */
export const OFFSET_CELLS = { columns: 430, rows: 110 };
/** What is read and written in one cell has a colour of its own, behind those of the categories. */
const BOTH = slotOf('sync');

/**
 * Who touches which bytes of a file when: reads and writes over time.
 * @param number of the picture on its page.
 */
export function drawnOffsets(number: number, facts: OffsetFileFacts, window: OffsetWindow): DrawnFacet {
  const colours = [slotOf('read'), slotOf('write'), BOTH].map((slot) => colourOf(slot, THEME));
  const width = LABEL_WIDTH + PLOT_WIDTH;
  const surface = new SvgSurface(`offsets${number}`);
  const { path } = facts.file;
  drawOffsets(surface, {
    title: path,
    width,
    height: OFFSETS_HEIGHT,
    area: window.area,
    axis: facts.hasTimes ? 'time' : 'order',
    window,
    facts,
    colours,
    readColour: colours[0]!,
    writeColour: colours[1]!,
    ...PAPER_COLOURS,
  });
  return {
    title: `Offsets of ${path}`,
    about: 'Which bytes of the file are read and written when; low offsets are at the bottom.',
    notes: facts.notes,
    svg: surface.document(`Offsets of ${path}`, width, OFFSETS_HEIGHT, PAPER_COLOURS.background),
  };
}
