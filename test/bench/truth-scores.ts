import type { Named, Recorder } from '../support/truth/truth-findings.ts';
import type { Checked } from '../support/truth/truth-slots.ts';
import type { Planted } from '../support/truth/truth-programs.ts';
import { median, type Measured } from './truth-times.ts';

/** Share of the run from which a place has to be named loudly. */
const MATTERS = 0.02;

/** A planted place: what its repair saves, and what was said of it. */
export interface PlantedRow {
  readonly source: string;
  readonly planted: Planted;
  readonly saving: Measured;
  /** Of the run as a whole, without a tracer: measured, and what the command takes it for. */
  readonly runMs: number;
  readonly said: number;
  readonly found: Named;
}

interface EstimateRow {
  readonly source: string;
  readonly error: number;
  readonly inside: boolean;
  /** The interval of the estimate and that of the measurement have something in common. */
  readonly agrees: boolean;
  /** Half of the interval's width, as a share of the estimate. */
  readonly width: number;
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const of = (part: number, all: number): string => `${part} of ${all}${all > 0 ? ` (${percent(part / all)})` : ''}`;

/** Counts what came true with one recorder. */
export class Scores {
  private readonly misses: string[] = [];
  private readonly estimates: EstimateRow[] = [];
  private bounds = 0;
  private boundsKept = 0;
  private dear = 0;
  private dearNamed = 0;
  private little = 0;
  private littleQuiet = 0;
  private firsts = 0;
  private first = 0;
  private cleanPrograms = 0;
  private falseAlarms = 0;
  private readonly lengths: number[] = [];
  private checked = 0;
  private falseSlots = 0;
  private readonly unchecked = new Map<string, number>();

  constructor(private readonly recorder: Recorder) {}

  private miss(source: string, what: string): void {
    this.misses.push(
      `${source}: ${what}\n      npm run bench -- truth --recorder ${this.recorder} ${source.replace(/:.*/, '')}`,
    );
  }

  /** @returns a line of the table. */
  planted(row: PlantedRow, isDearest: boolean): string {
    const { source, planted, saving, runMs, said, found } = row;
    if (isDearest) this.lengths.push(said / runMs);
    const place = `${source}:${planted.line}`;
    const what = `saves ${ms(saving.ms)} of ${ms(runMs)} ms, ${described(found)}`;
    // Neither is asked where the measurement does not tell.
    if (saving.low / runMs >= MATTERS) {
      this.dear++;
      if (found.isLoud) this.dearNamed++;
      else this.miss(place, `not named as ${planted.codes.join(' or ')}: ${what}`);
      if (isDearest) {
        this.firsts++;
        if (found.rank === 1) this.first++;
        else this.miss(place, `the dearest place has rank ${found.rank}: ${what}`);
      }
      this.estimated(place, row);
    } else if (saving.high / runMs < MATTERS) {
      this.little++;
      if (!found.isAnyLoud) this.littleQuiet++;
      else this.miss(place, `loud although it hardly matters: ${what}`);
    }
    return this.line(place, row);
  }

  private estimated(place: string, { saving, found }: PlantedRow): void {
    const estimate = estimateOf(found);
    if (estimate === undefined) {
      this.bounded(place, saving, found);
      return;
    }
    const { saved, low, high } = estimate;
    const inside = low <= saving.ms && saving.ms <= high;
    const error = Math.abs(saved / saving.ms - 1);
    const agrees = low <= saving.high && saving.low <= high;
    this.estimates.push({ source: place, error, inside, agrees, width: (high - low) / 2 / saved });
    if (!inside)
      this.miss(place, `saves ${ms(saving.ms)} ms, estimated ${ms(saved)} (${ms(low)}–${ms(high)}): outside`);
  }

  /** Where no estimate is given, what is said to be saved at most. */
  private bounded(place: string, saving: Measured, { finding }: Named): void {
    const highNs = finding?.gain.highNs ?? null;
    if (highNs === null) return;
    this.bounds++;
    if (saving.low <= highNs / 1e6) this.boundsKept++;
    else this.miss(place, `saves ${ms(saving.ms)} ms, said to be ${ms(highNs / 1e6)} at most`);
  }

  private line(place: string, { saving, runMs, said, found }: PlantedRow): string {
    const estimated = estimateOf(found);
    const estimate =
      estimated === undefined ? atMost(found) : `${ms(estimated.saved)} (${ms(estimated.low)}–${ms(estimated.high)})`;
    const measured = `${ms(saving.ms)} (${ms(saving.low)}–${ms(saving.high)})`;
    const ratio = estimated === undefined ? '' : (estimated.saved / saving.ms).toFixed(2);
    const cells = [
      this.recorder.padEnd(7),
      place.padEnd(28),
      described(found).padEnd(16),
      `saves ${estimate}`.padEnd(32),
      `measured ${measured}`.padEnd(32),
      ratio.padEnd(6),
      `run ${ms(said)}, measured ${ms(runMs)}`,
    ];
    return cells.join(' ');
  }

  clean(source: string, alarms: readonly string[]): void {
    this.cleanPrograms++;
    if (alarms.length > 0) this.falseAlarms++;
    for (const alarm of alarms) this.miss(source, `false alarm: ${alarm}`);
  }

  /** Loud findings beside the planted places: most of them are about the same calls, and each has to be looked at. */
  elsewhere(source: string, others: readonly string[]): void {
    for (const other of others) this.miss(source, `loud beside the planted places: ${other}`);
  }

  slots(source: string, { slots, unknown, wrong }: Checked, text: string): void {
    this.checked += slots;
    this.falseSlots += wrong.length;
    for (const slot of unknown) this.unchecked.set(slot, (this.unchecked.get(slot) ?? 0) + 1);
    if (wrong.length > 0) this.miss(source, `the raw recording holds other numbers (${wrong.join('; ')}): ${text}`);
  }

  summary(): string {
    const inside = this.estimates.filter((each) => each.inside).length;
    const agrees = this.estimates.filter((each) => each.agrees).length;
    const rows: (readonly [string, string, string])[] = [
      ['planted places that matter named', of(this.dearNamed, this.dear), '100 %'],
      ['planted places that do not, quiet', of(this.littleQuiet, this.little), '100 %'],
      ['the dearest place first', of(this.first, this.firsts), '95 %'],
      ['clean programs with a false alarm', of(this.falseAlarms, this.cleanPrograms), '0'],
    ];
    if (this.estimates.length > 0) {
      const error = median(this.estimates.map((each) => each.error));
      const width = median(this.estimates.map((each) => each.width));
      rows.push(
        ['median error of estimates', `${percent(error)} over ${this.estimates.length}`, '< 30 %'],
        ['measured saving inside the interval', of(inside, this.estimates.length), '90 %'],
        ['intervals of both agree', of(agrees, this.estimates.length), ''],
        ['median half width of the interval', `±${percent(width)}`, '±50 %'],
      );
    }
    if (this.bounds > 0) rows.push(['"at most" that holds', of(this.boundsKept, this.bounds), '100 %']);
    if (this.lengths.length > 0) {
      const sorted = this.lengths.toSorted((a, b) => a - b).map((each) => each.toFixed(2));
      rows.push([
        'length of the run, said over measured',
        `${median(this.lengths).toFixed(2)} (${sorted[0]}–${sorted.at(-1)})`,
        '1',
      ]);
    }
    if (this.checked > 0) {
      const unchecked = [...this.unchecked].map(([slot, times]) => `${slot} (${times})`).join(', ');
      rows.push(['slots that the raw text contradicts', of(this.falseSlots, this.checked), '0']);
      if (unchecked !== '') rows.push(['slots that nothing counts again', unchecked, '']);
    }
    const table = rows.map((cells) => `  ${cells[0].padEnd(44)}${cells[1].padEnd(26)}${cells[2]}`);
    const misses = this.misses.map((miss) => `    ${miss}`);
    return [`\n${this.recorder}${' '.repeat(37)}found${' '.repeat(21)}goal`, ...table, ...misses].join('\n');
  }
}

/** What a finding promises, in milliseconds. */
function estimateOf({ finding }: Named): { saved: number; low: number; high: number } | undefined {
  const { savedNs = null, lowNs, highNs } = finding?.gain ?? {};
  return savedNs === null ? undefined : { saved: savedNs / 1e6, low: lowNs! / 1e6, high: highNs! / 1e6 };
}

function atMost({ finding }: Named): string {
  const highNs = finding?.gain.highNs ?? null;
  return highNs === null ? 'no estimate' : `at most ${ms(highNs / 1e6)}`;
}

function described({ finding, isLoud, rank }: Named): string {
  if (finding === undefined) return rank === Infinity ? 'silent' : `other, #${rank}`;
  return `${finding.code} ${isLoud ? finding.severity : 'info'} #${rank}`;
}
