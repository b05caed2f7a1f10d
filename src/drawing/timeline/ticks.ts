import { counted, formatCount, formatRate } from '../../base/quantities.ts';
import { lengthOf, type Span } from './visible-span.ts';

export interface Tick {
  /** In the axis's own unit: nanoseconds, bytes per second, calls. */
  readonly at: number;
  readonly label: string;
}

/** Units of time and how many nanoseconds they have. */
const UNITS: readonly (readonly [unit: string, ns: number])[] = [
  ['h', 3_600e9],
  ['min', 60e9],
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
];

/** Steps of minutes and hours go by 60, those below by 10. */
const STEPS_OF_60 = [1, 2, 5, 10, 15, 30];

/** The smallest step that people count in (1, 2, 5 and their like) that is at least so long. */
export function niceStep(atLeastNs: number): number {
  for (const ns of [60e9, 3_600e9])
    if (atLeastNs > ns / 2 && atLeastNs <= 30 * ns) return ns * STEPS_OF_60.find((step) => step * ns >= atLeastNs)!;
  return roundStep(atLeastNs);
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return (STEPS_OF_10.find((step) => step * power >= atLeast * (1 - 1e-9)) ?? 10) * power;
}

const STEPS_OF_10 = [1, 2, 5, 10];

/** What an axis counts: nanoseconds, or calls where the recording has no clock. */
export type AxisUnit = 'time' | 'order';

/** Times so much larger than what shows of them are counted from a base. */
const FROM_BASE = 1e4;

/**
 * Far into a run the digits that differ would stand behind many that do not: the first tick says from where (`1.2 s + 10 µs`),
 * the others how much later they are (`+20 µs`).
 * @param spacing pixels that a label needs; the one with the base needs more.
 */
export function timeTicks(
  span: Span,
  width: number,
  unit: AxisUnit = 'time',
  spacing = span.toNs > FROM_BASE * lengthOf(span) ? 144 : 96,
): Tick[] {
  const atLeast = (lengthOf(span) / Math.max(1, width)) * spacing;
  // Nothing lies between two nanoseconds, nor between two calls.
  const step = unit === 'time' ? niceStep(Math.max(1, atLeast)) : Math.max(1, roundStep(atLeast));
  const first = Math.ceil(span.fromNs / step - 1e-9);
  const last = Math.floor(span.toNs / step + 1e-9);
  const baseNs = baseOf(span);
  const label = (at: number, isFirst: boolean): string => {
    if (baseNs === 0) return timeLabel(at, step);
    const later = timeLabel(at - baseNs, step);
    return isFirst ? `${baseLabel(baseNs)} + ${later}` : `+${later}`;
  };
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, number) => {
    const at = (first + number) * step;
    return { at, label: unit === 'time' ? label(at, number === 0) : formatCount(at) };
  });
}

/** A round time at or before the span, which labels count from; 0 where they are short without. */
function baseOf({ fromNs, toNs }: Span): number {
  const length = toNs - fromNs;
  if (toNs <= FROM_BASE * length || length <= 0) return 0;
  const step = 10 ** Math.ceil(Math.log10(length) - 1e-9);
  return Math.floor(fromNs / step + 1e-9) * step;
}

function baseLabel(ns: number): string {
  if (ns >= 60e9) return timeLabel(ns, 1);
  const [unit, size] = UNITS.find(([, each]) => ns >= each) ?? ['ns', 1];
  return `${(ns / size).toLocaleString('en-US', { maximumFractionDigits: 9 })} ${unit}`;
}

/** A point in time, exact to the step: `1.25 s`, `3 min 20 s`. The unit is one for all of an axis below a minute. */
export function timeLabel(atNs: number, stepNs: number): string {
  if (Math.abs(atNs) < stepNs / 1e6) return '0';
  if (atNs >= 60e9 && stepNs < 60e9) {
    const minutes = Math.floor(atNs / 60e9 + 1e-12);
    const rest = atNs - minutes * 60e9;
    return rest < stepNs / 2 ? `${minutes} min` : `${minutes} min ${inUnit(rest, stepNs, 1e9)} s`;
  }
  // Nanoseconds of the step decide whether `0.001 s` or `1 ms` reads better: at most three decimals.
  const [unit, ns] =
    UNITS.find(([, size]) => atNs >= size && stepNs >= size / 1e3) ?? UNITS.find(([, size]) => stepNs >= size)!;
  return `${inUnit(atNs, stepNs, ns)} ${unit}`;
}

function inUnit(valueNs: number, stepNs: number, unitNs: number): string {
  const decimals = Math.max(0, Math.ceil(-Math.log10(stepNs / unitNs) - 1e-9));
  return (valueNs / unitNs).toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: decimals });
}

/** An exact point or length of time for reading off, to the nanosecond where it is short. */
export function exactTime(ns: number): string {
  const [unit, size] = UNITS.slice(2).find(([, each]) => Math.abs(ns) >= each) ?? ['ns', 1];
  return `${(ns / size).toLocaleString('en-US', { maximumFractionDigits: unit === 'ns' ? 0 : unit === 's' ? 6 : 3 })} ${unit}`;
}

/** A point of an axis: `1.25 s`, or `call 1,234`. */
export function exactPoint(at: number, unit: AxisUnit): string {
  return unit === 'time' ? exactTime(at) : `call ${formatCount(at)}`;
}

/** A length on an axis: `1.25 s`, or `1,234 calls`. */
export function exactLength(length: number, unit: AxisUnit): string {
  return unit === 'time' ? exactTime(length) : counted(Math.round(length), 'call');
}

export type LaneUnit = 'bytes per second' | 'calls' | 'percent';

/** Of a lane: 0, the middle, and a round number that nothing is above. */
export function valueTicks(most: number, unit: LaneUnit): Tick[] {
  if (!(most > 0)) return [];
  if (unit === 'percent') return [0, 50, 100].map((at) => ({ at, label: at === 0 ? '0' : `${at} %` }));
  if (unit === 'calls') {
    const top = most <= 5 ? Math.ceil(most) : roundStep(most);
    const values = top % 2 === 0 ? [0, top / 2, top] : [0, top];
    return values.map((at) => ({ at, label: formatCount(at) }));
  }
  const top = roundStep(most);
  return [0, top / 2, top].map((at) => ({ at, label: at === 0 ? '0' : formatRate(at) }));
}
