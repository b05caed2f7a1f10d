import { formatCount, formatRate } from '../../src/base/quantities.ts';
import { cssColour } from '../../src/drawing/timeline/category-colours.ts';
import { lanePixels, largest, stepLine } from '../../src/drawing/timeline/lane-shapes.ts';
import { timeTicks, valueTicks, type Tick } from '../../src/drawing/timeline/ticks.ts';
import { xOf } from '../../src/drawing/timeline/visible-span.ts';
import { timelineLanes } from '../../src/drawing/timeline/timeline-lanes.ts';
import type { PictureLane } from '../../src/drawing/timeline/timeline-svg.ts';
import { SharpCanvas } from '../kit/sharp-canvas.ts';
import type { TimelineModel } from './model.ts';

/** Heights, in pixels. */
export const AXIS_HEIGHT = 26;
const LANE_GAP = 8;

/** Lanes there are before the first answer, too: what lies below them stays where it is. */
const USUAL_LANES = 2;

/** Pixels of the axis and the lanes. */
export function headHeight(model: TimelineModel): number {
  const count = laneCount(model);
  return AXIS_HEIGHT + count * (laneHeight(count) + LANE_GAP);
}

function laneCount(model: TimelineModel): number {
  return Math.max(USUAL_LANES, lanesOf(model).length);
}

/** Where there are more they are lower: the rows are what the view is for. */
function laneHeight(count: number): number {
  return count > USUAL_LANES ? 34 : 46;
}

/** The lanes with their values, for the screen and for pictures; none before the first answer. */
export function lanesOf({ cells, appearance }: TimelineModel): PictureLane[] {
  return cells.lanes === undefined ? [] : timelineLanes(cells.lanes.columns, cells.lanes.over, appearance.theme);
}

/** Pixels that a lane's name and its values need side by side. */
const ROOM_FOR_VALUES = 190;

/** Where a lane is drawn, pixels. */
interface LanePlace {
  readonly top: number;
  readonly height: number;
}

/** The axis of time and the lanes below it, with their labels. */
export class HeadCanvas {
  private readonly canvas: SharpCanvas;

  constructor(element: HTMLCanvasElement) {
    this.canvas = new SharpCanvas(element);
  }

  /** @returns what the lanes say, in words. */
  draw(model: TimelineModel): string {
    const { plotWidth, labelWidth, appearance, visible } = model;
    const height = headHeight(model);
    const context = this.canvas.begin(labelWidth + plotWidth, height);
    if (plotWidth === 0) return '';
    context.font = `11px ${appearance.font}`;
    context.textBaseline = 'middle';
    this.axis(context, model, timeTicks(visible, plotWidth, model.axis));
    const laneSpace = laneHeight(laneCount(model));
    const said = lanesOf(model).map((lane, number) => {
      const top = AXIS_HEIGHT + LANE_GAP + number * (laneSpace + LANE_GAP);
      return this.lane(context, model, lane, { top, height: laneSpace });
    });
    return said.join('. ');
  }

  private axis(context: CanvasRenderingContext2D, model: TimelineModel, ticks: readonly Tick[]): void {
    const { plotWidth, labelWidth, appearance, visible } = model;
    const minor = ticks.length > 1 ? (ticks[1]!.at - ticks[0]!.at) / 5 : 0;
    context.fillStyle = appearance.rule;
    context.fillRect(0, AXIS_HEIGHT - 1, labelWidth + plotWidth, 1);
    context.save();
    context.beginPath();
    const height = headHeight(model);
    context.rect(labelWidth, 0, plotWidth, height);
    context.clip();
    for (const { at, label } of ticks) {
      const x = labelWidth + xOf(at, visible, plotWidth);
      context.fillStyle = appearance.softText;
      context.fillRect(this.canvas.crisp(x) - 0.5, AXIS_HEIGHT - 9, 1, 9);
      context.fillText(label, x + 4, AXIS_HEIGHT / 2 - 1);
      context.fillStyle = appearance.faintRule;
      context.fillRect(this.canvas.crisp(x) - 0.5, AXIS_HEIGHT, 1, height - AXIS_HEIGHT);
      for (let part = 1; minor > 0 && part < 5; part++) {
        const between = labelWidth + xOf(at + part * minor, visible, plotWidth);
        context.fillStyle = appearance.rule;
        context.fillRect(this.canvas.crisp(between) - 0.5, AXIS_HEIGHT - 4, 1, 4);
      }
    }
    context.restore();
  }

  private lane(context: CanvasRenderingContext2D, model: TimelineModel, lane: PictureLane, place: LanePlace): string {
    const { top, height } = place;
    const { plotWidth, labelWidth, appearance, visible } = model;
    const columns = Math.max(1, Math.round(plotWidth * this.canvas.ratio));
    const pixels = lane.series.map(({ values }) => lanePixels(values, visible, columns));
    const ticks = valueTicks(Math.max(...pixels.map(largest)), lane.unit);
    const most = ticks.at(-1)?.at ?? 0;
    this.laneLabels(context, model, lane, ticks, place);
    context.save();
    context.translate(labelWidth, top);
    context.scale(plotWidth / columns, 1);
    lane.series.forEach(({ colour }, number) => {
      context.beginPath();
      for (const [x, y] of stepLine(pixels[number]!, most, height)) context.lineTo(x, y);
      context.fillStyle = cssColour(colour);
      context.globalAlpha = 0.38;
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = cssColour(colour);
      context.lineWidth = 1;
      context.stroke();
    });
    context.restore();
    context.fillStyle = appearance.rule;
    context.fillRect(labelWidth, top + height, plotWidth, 1);
    const most1 = lane.series.map(({ label }, number) => `${label} ${valueText(largest(pixels[number]!), lane.unit)}`);
    return `${lane.label}: at most ${most1.join(', ')}`;
  }

  private laneLabels(
    context: CanvasRenderingContext2D,
    model: TimelineModel,
    lane: PictureLane,
    ticks: readonly Tick[],
    { top, height }: LanePlace,
  ): void {
    const { labelWidth, appearance, plotWidth } = model;
    const most = ticks.at(-1)?.at ?? 1;
    context.fillStyle = appearance.text;
    context.fillText(lane.label, 10, top + 9);
    if (lane.series.length > 1) {
      let x = 10;
      for (const { label, colour } of lane.series) {
        context.fillStyle = cssColour(colour);
        context.fillRect(x, top + 23, 9, 9);
        context.fillStyle = appearance.softText;
        context.fillText(label, x + 13, top + 28);
        x += 22 + context.measureText(label).width;
      }
    }
    const isNarrow = labelWidth < ROOM_FOR_VALUES;
    context.textAlign = isNarrow ? 'left' : 'right';
    for (const { at, label } of ticks) {
      const y = top + height - (at / most) * height;
      context.fillStyle = appearance.softText;
      const shown = Math.min(top + height - 4, Math.max(top + 5, y));
      // Beside the lane's name where there is room, else at the begin of its drawing.
      context.fillText(label, isNarrow ? labelWidth + 4 : labelWidth - 8, shown);
      context.fillStyle = appearance.faintRule;
      if (at > 0) context.fillRect(labelWidth, this.canvas.crisp(y) - 0.5, plotWidth, 1);
    }
    context.textAlign = 'left';
  }
}

function valueText(value: number, unit: PictureLane['unit']): string {
  if (unit === 'bytes per second') return formatRate(value);
  return unit === 'calls' ? formatCount(value) : `${Math.round(value)} %`;
}
