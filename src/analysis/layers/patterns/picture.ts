/**
 * The picture of a finding as plain data: lanes of bars over one axis, of time or of places in a file. Bounded, so that it
 * can be part of a document; `src/drawing/patterns/pattern-picture.ts` draws it.
 */

/**
 * What a bar stands for: a call of the program; a read, write or other call at the lowest layer; bytes that nobody asked
 * for; time spent waiting; a lock held.
 */
export type PictureKind = 'call' | 'read' | 'write' | 'other' | 'hole' | 'waiting' | 'held';

/** From where to where on the axis. */
export interface PictureBar {
  readonly from: number;
  readonly to: number;
  readonly kind: PictureKind;
}

export interface PictureLane {
  /** Who or what: `rank 3`, `pwrite`. */
  readonly label: string;
  /** What it amounts to: `4 × 1 MiB`; '' when there is nothing to say. */
  readonly amount: string;
  readonly bars: readonly PictureBar[];
}

export interface PatternPicture {
  readonly title: string;
  /** What is to be seen, for those who cannot see it. */
  readonly description: string;
  /** What the axis measures: nanoseconds from the trace's origin, or bytes from the beginning of the file. */
  readonly axis: 'time' | 'offset';
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly PictureLane[];
  /** Lanes that there was no room for. */
  readonly lanesLeftOut: number;
}

const MOST_LANES = 16;
const MOST_BARS = 160;
/** Bars whose ends are nearer than this share of the axis are drawn as one. */
const TOO_NEAR = 1 / 500;

/**
 * A picture of these lanes, as many as there is room for; the axis ends where the bars end. Neighbours of one kind that
 * nobody could tell apart become one bar.
 *
 * @returns undefined when there is nothing to be seen.
 */
export function pictureOf(
  head: Pick<PatternPicture, 'title' | 'description' | 'axis'>,
  lanes: readonly PictureLane[],
): PatternPicture | undefined {
  const shown = lanes.slice(0, MOST_LANES);
  let from = Infinity;
  let to = -Infinity;
  for (const { bars } of shown) {
    for (const bar of bars) {
      if (bar.from < from) from = bar.from;
      if (bar.to > to) to = bar.to;
    }
  }
  if (!(to > from)) return undefined;
  const room = Math.floor(MOST_BARS / shown.length);
  const joined = shown.map((lane) => ({ ...lane, bars: joinBars(lane.bars, from, to, room) }));
  return { ...head, from, to, lanes: joined, lanesLeftOut: lanes.length - shown.length };
}

function joinBars(bars: readonly PictureBar[], from: number, to: number, room: number): PictureBar[] {
  const sorted = bars.filter((bar) => bar.to >= bar.from).sort((a, b) => a.from - b.from);
  let joined: PictureBar[] = sorted;
  for (let near = (to - from) * TOO_NEAR; joined.length > room || joined === sorted; near *= 2) {
    joined = [];
    for (const bar of sorted) {
      const last = joined.at(-1);
      const isOne =
        last?.kind === bar.kind && bar.from - last.to < near && isShort(bar, near) && isShort(last, near * 8);
      if (isOne) joined[joined.length - 1] = { ...last, to: Math.max(last.to, bar.to) };
      else joined.push(bar);
    }
    // Kinds that alternate cannot be joined: what is too much is left out then.
    if (near > to - from) return joined.slice(0, room);
  }
  return joined;
}

function isShort({ from, to }: PictureBar, near: number): boolean {
  return to - from < near;
}
