import type { OffsetArea } from '../../analysis/offsets/offsets.ts';

/** The part of the plane that is seen, and the transforms between it and pixels. Low offsets are at the bottom. */
export interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function xOfPosition(position: number, { from, to }: OffsetArea, { left, width }: PlotBox): number {
  return left + ((position - from) / (to - from)) * width;
}

export function yOfByte(byte: number, { fromByte, toByte }: OffsetArea, { top, height }: PlotBox): number {
  return top + (1 - (byte - fromByte) / (toByte - fromByte)) * height;
}

export function positionAt(x: number, { from, to }: OffsetArea, { left, width }: PlotBox): number {
  return from + ((x - left) / width) * (to - from);
}

export function byteAt(y: number, { fromByte, toByte }: OffsetArea, { top, height }: PlotBox): number {
  return fromByte + (1 - (y - top) / height) * (toByte - fromByte);
}

/** Nothing shorter can be told apart: nanoseconds or accesses, and bytes. */
const SHORTEST = { time: 100, order: 4 };
const LOWEST = 16;

/** Inside of what there is, and neither smaller than can be told apart nor larger than the whole. */
export function clampedArea(area: OffsetArea, extent: OffsetArea, axis: 'time' | 'order'): OffsetArea {
  const [from, to] = clampedSpan(area.from, area.to, extent.from, extent.to, SHORTEST[axis]);
  const [fromByte, toByte] = clampedSpan(area.fromByte, area.toByte, extent.fromByte, extent.toByte, LOWEST);
  return { from, to, fromByte, toByte };
}

function clampedSpan(from: number, to: number, first: number, last: number, least: number): [number, number] {
  const whole = last - first;
  const length = Math.min(whole, Math.max(Math.min(least, whole), to - from));
  const begin = Math.min(last - length, Math.max(first, from));
  return [begin, begin + length];
}

/** Shows `alongFactor` and `acrossFactor` times as much detail; a point stays where it is on the screen. */
export function zoomedArea(
  area: OffsetArea,
  alongFactor: number,
  acrossFactor: number,
  position: number,
  byte: number,
): OffsetArea {
  const scale = (end: number, around: number, factor: number): number => around + (end - around) / factor;
  return {
    from: scale(area.from, position, alongFactor),
    to: scale(area.to, position, alongFactor),
    fromByte: scale(area.fromByte, byte, acrossFactor),
    toByte: scale(area.toByte, byte, acrossFactor),
  };
}

/** @param along, across shares of what is seen. */
export function movedArea(area: OffsetArea, along: number, across: number): OffsetArea {
  const by = (area.to - area.from) * along;
  const byBytes = (area.toByte - area.fromByte) * across;
  return {
    from: area.from + by,
    to: area.to + by,
    fromByte: area.fromByte + byBytes,
    toByte: area.toByte + byBytes,
  };
}

/** Multiples of a power of two that are at least `spacing` pixels apart: how people and file systems count bytes. */
export function byteTicks({ fromByte, toByte }: OffsetArea, height: number, spacing: number): number[] {
  const step = Math.max(1, 2 ** Math.ceil(Math.log2(((toByte - fromByte) / Math.max(1, height)) * spacing)));
  const ticks: number[] = [];
  for (let tick = Math.ceil(fromByte / step) * step; tick <= toByte; tick += step) ticks.push(tick);
  return ticks;
}
