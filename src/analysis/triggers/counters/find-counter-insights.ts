import type { CounterLog } from '../../../trace/counters.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Insight } from '../insight.ts';
import { joined, say, type Message, type Sentence } from '../message.ts';
import { ThresholdWatch } from './threshold-watch.ts';
import type { Thresholds } from '../thresholds.ts';
import { aggregatorNote } from './aggregators.ts';
import { COUNTER_CATALOGUE, OWN_COUNTER_TRIGGERS } from './counter-catalogue.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import { CounterView } from './counter-view.ts';
import { withExtremeRanks } from './extreme-ranks.ts';
import { floorOf, isTrifle } from './floor.ts';
import { leftOutNote } from './left-out-note.ts';

/**
 * Evaluates the triggers over what a Darshan log counts, as Drishti does: over all of it, and however little it is. Findings
 * name files; lines come from events, where the log has them.
 *
 * @returns in the order of the catalogue, which is Drishti's order of evaluation; behind them what is ours.
 */
export function findCounterInsights(trace: Trace, counters: CounterLog, thresholds: Thresholds): Insight[] {
  return found(new CounterView(trace, counters, thresholds), thresholds);
}

/**
 * Those that a report has: of the program's own files, and of more than trifles.
 * @param ignored 1 for files that do not count.
 */
export function reportedCounterInsights(
  trace: Trace,
  counters: CounterLog,
  thresholds: Thresholds,
  ignored: Uint8Array,
): Insight[] {
  const floor = floorOf(thresholds, counters.job.runTime * 1e9);
  const view = new CounterView(trace, counters, { nodes: thresholds.nodes, ignored, floor });
  return found(view, thresholds).map((insight) => withExtremeRanks(insight, trace, counters));
}

function found(view: CounterView, thresholds: Thresholds): Insight[] {
  const watch = new ThresholdWatch(thresholds);
  return [...COUNTER_CATALOGUE, ...OWN_COUNTER_TRIGGERS].flatMap(
    (trigger) => watch.during(() => examine(trigger, view, watch.thresholds)) ?? [],
  );
}

/** What the triggers over counters could not say of a log, and why; in words for the user. */
export function counterNotes(trace: Trace, counters: CounterLog, { nodes }: Thresholds, ignored: Uint8Array): string[] {
  const notes = [aggregatorNote(new CounterView(trace, counters, { nodes })), leftOutNote(trace, counters, ignored)];
  return notes.filter((note) => note !== undefined);
}

/** @returns undefined when the trigger finds nothing, or the log lacks its module. */
export function examine(
  trigger: CounterTrigger<Message>,
  view: CounterView,
  thresholds: Thresholds,
): Insight | undefined {
  const { code, name, title, module } = trigger;
  if (module !== undefined && !view.has(module)) return undefined;
  const found = trigger.examine(view, thresholds);
  if (found === undefined) return undefined;
  const { severity = trigger.severity, evidence, files, amount, recommendations = [] } = found;
  if (amount !== undefined && isTrifle(amount, view.floor, view.hasTimes)) return undefined;
  const note = incompleteness(module, view);
  const message = note.length === 0 ? found.message : joined(found.message, say` ${note}`);
  return { code, trigger: name, title, severity, message, evidence, files, sites: [], recommendations };
}

/** What the reader has to know where records are missing. */
function incompleteness(name: string | undefined, view: CounterView): Sentence {
  if (name === undefined || view.module(name)?.incomplete !== true) return [];
  return say`Darshan ran out of memory for its ${name} module: files are missing, and the numbers are too low.`;
}
