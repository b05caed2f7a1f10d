import { CallLabels } from './call-labels.ts';
import type { CallSequence } from './call-sequence.ts';
import { LoopChooser, type Parts } from './choose-loops.ts';
import { CommonExtension } from './common-extension.ts';
import { findRuns, Runs } from './runs.ts';

/** Makes what stands for a call, and for a loop, in the outline. */
export interface OutlineMaker<Line> {
  call(at: number, count: number): Line;
  loop(count: number, body: Line[]): Line;
}

/** Up to this length there is nothing to fold but equal calls behind each other. */
const SHORTEST = 2;

/**
 * Finds the loops of a sequence of calls, outermost first (docs/decisions/0097): all repetitions of the sequence are
 * found at once, those are chosen that make the outline shortest, and the same is done with the first iteration of each.
 * A body is at most half of its loop, so all bodies together are no longer than the sequence.
 */
export class CallFolder<Line> {
  private readonly labels: CallLabels;
  private readonly common = new CommonExtension();
  private readonly chooser = new LoopChooser();
  private readonly runs = new Runs();
  private symbols = new Int32Array(0);
  private words = new Int32Array(0);
  private changes = new Int32Array(0);

  constructor(
    private readonly calls: CallSequence,
    private readonly maker: OutlineMaker<Line>,
    /** Whether numbers may count with the iterations (figure 8), or loops are of equal calls only (figure 7). */
    private readonly loopVariables: boolean,
  ) {
    this.labels = new CallLabels(calls);
  }

  /** The outline of the calls from one place to before another. */
  fold(from: number, to: number): Line[] {
    if (to - from < SHORTEST) return this.callsOneByOne(from, to);
    const parts = this.choose(from, to);
    const lines: Line[] = [];
    for (let i = 0; i < parts.length; i++) {
      const start = from + parts.start.at(i);
      const period = parts.period.at(i);
      const count = parts.count.at(i);
      if (count === 1) lines.push(this.maker.call(start, 1));
      else if (this.isLoop(start, period, count)) lines.push(this.foldLoop(start, period, count));
      else lines.push(...this.callsOneByOne(start, start + period * count));
    }
    return lines;
  }

  private callsOneByOne(from: number, to: number): Line[] {
    return Array.from({ length: to - from }, (_, i) => this.maker.call(from + i, 1));
  }

  private foldLoop(start: number, period: number, count: number): Line {
    const { calls } = this;
    const body = calls.length;
    let line: Line;
    if (period === 1 && calls.hasSameNumbers(start, start + 1)) {
      calls.addRepeated(start, count);
      line = this.maker.call(body, count);
    } else {
      for (let i = 0; i < period; i++) calls.addIterations(start + i, period, count);
      line = this.maker.loop(count, this.fold(body, body + period));
    }
    calls.cut(body);
    return line;
  }

  private choose(from: number, to: number): Parts {
    const length = to - from;
    if (this.symbols.length < length) {
      this.symbols = new Int32Array(length);
      this.words = new Int32Array(length);
      this.changes = new Int32Array(length);
    }
    this.runs.clear();
    this.labels.labelCalls(from, to, this.symbols);
    this.countChanges(length);
    this.common.use(this.symbols, length);
    findRuns(this.symbols, length, this.common, this.words, this.runs);
    const exact = this.runs.length;
    if (this.loopVariables) this.findCounting(from, to, exact);
    return this.chooser.choose(length, this.runs, exact, this.changes);
  }

  private countChanges(length: number): void {
    const { symbols, changes } = this;
    for (let at = 0, count = 0; at < length; at++) {
      if (at === 0 || symbols[at] !== symbols[at - 1]) count++;
      changes[at] = count;
    }
  }

  private findCounting(from: number, to: number, exact: number): void {
    const length = to - from;
    this.labels.labelGrowth(from, to, this.symbols);
    this.common.use(this.symbols, length);
    findRuns(this.symbols, length, this.common, this.words, this.runs);
    const { runs } = this;
    let kept = exact;
    for (let run = exact; run < runs.length; run++) {
      const period = runs.period.at(run);
      const end = runs.end.at(run);
      const start = this.beforeRun(from + runs.start.at(run), period, from) - from;
      // The growth before the run's first iterations was another: the first of all is found by its shapes.
      if (end - start < 3 * period) continue;
      runs.start.values[kept] = start;
      runs.end.values[kept] = end;
      runs.period.values[kept++] = period;
    }
    for (const column of [runs.start, runs.end, runs.period]) column.length = kept;
  }

  /** How far to the left the calls of a run of growth count as they do in it. */
  private beforeRun(start: number, period: number, from: number): number {
    const { calls } = this;
    const shapes = calls.shape.values;
    let at = start;
    while (
      at > from &&
      shapes[at - 1] === shapes[at - 1 + period] &&
      calls.growsAlike(at - 1, at - 1 + period, at - 1 + 2 * period)
    ) {
      at--;
    }
    return at;
  }

  /** Whether these calls are what was found: remainders agree by accident now and then, and sums are not always exact. */
  private isLoop(start: number, period: number, count: number): boolean {
    const { calls } = this;
    const shapes = calls.shape.values;
    for (let i = 0; i < period; i++) {
      for (let turn = 1; turn < count; turn++) {
        if (shapes[start + i + turn * period] !== shapes[start + i]) return false;
        for (const { values } of calls.numbers) {
          const base = values[start + i]!;
          const step = values[start + i + period]! - base;
          if (base + step * turn !== values[start + i + turn * period]) return false;
        }
      }
    }
    return true;
  }
}
