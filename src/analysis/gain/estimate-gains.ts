import type { Calibration } from '../../trace/calibration.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { processNoun, type ProcessNoun } from '../metrics/process-noun.ts';
import type { CallSites } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';
import { scaled, sumOf, type Estimate } from './estimate.ts';
import type { EstimatedInsight, Gain } from './gain.ts';
import { GAIN_MODELS, type GainCell } from './gain-models.ts';
import { cellKey, observeCalls, type ObservedCalls } from './observed-calls.ts';
import { UntracedCosts, type Basis } from './untraced-costs.ts';

/** What gains are estimated from. */
interface GainInputs {
  readonly trace: Trace;
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  /** 1 for files that do not count, as for the metrics. */
  readonly ignored: Uint8Array;
  /** What calls cost on the machine of the recording, where that was measured. */
  readonly calibration?: Calibration;
}

/** Half of the width of an interval that holds 90 % of a normal distribution, in deviations. */
const NINETY_PERCENT = 1.645;

const BASES: Readonly<Record<Basis, string>> = {
  recording: "their cost is the recording's own, less the tracer's part",
  measured: 'their cost was measured without a tracer beside the recording',
  usual: 'their cost is that on usual machines, for the recording was made without a calibration',
};

/** Recorders within the program (Darshan) add nothing worth a word to the times that they measure. */
const MEASURED_WITHIN = 'their cost is that which the recorder measured, without a tracer';

/** Adds to each insight what following its advice would save in a run without a tracer (docs/gain.md). */
export function estimateGains(inputs: GainInputs, insights: readonly Insight[]): EstimatedInsight[] {
  if (insights.length === 0) return [];
  const { trace, callSites, metrics, ignored, calibration } = inputs;
  if (trace.events.length === 0) {
    const method = 'a recording of counters has no calls whose cost could be told';
    return insights.map((insight) => ({ ...insight, gain: noGain(null, method) }));
  }
  const isWritten = (file: FileIndex): boolean => (metrics.fileUse.get(file)?.writers.size ?? 0) > 0;
  const observed = observeCalls(trace, callSites, ignored, isWritten, metrics.roles);
  const costs = new UntracedCosts(trace, observed, calibration);
  const whole = costs.isUntraced ? timeOfCells(metrics) : timeOfAll(observed, costs);
  return insights.map((insight) => {
    if (insight.severity === 'ok') return { ...insight, gain: noGain(whole, 'nothing has to be changed here') };
    const model = GAIN_MODELS[insight.trigger];
    if (model === undefined) return { ...insight, gain: noGain(whole, 'there is no model of what this advice saves') };
    const saving = model({
      insight,
      cells: cellsOf(insight, metrics, observed),
      costs,
      readExtents: observed.readExtents,
      callName: (call) => trace.calls.names[call]!,
    });
    const basisOf = (basis: Basis): string =>
      basis === 'recording' && costs.isUntraced ? MEASURED_WITHIN : BASES[basis];
    const gain =
      typeof saving === 'string'
        ? noGain(whole, saving)
        : gainOf(
            saving.ns,
            costs.isUntraced ? saving.recordedNs : Infinity,
            whole,
            `${saving.how}; ${basisOf(saving.basis)}${parallel(insight, processNoun(trace))}${tracedPart(trace)}`,
          );
    return { ...insight, gain };
  });
}

/** Times of processes that run at the same time are added up; a run is not shorter by their sum. */
function parallel({ sites }: Insight, { many }: ProcessNoun): string {
  const streams = Math.max(0, ...sites.map((site) => site.streams));
  return streams > 1 ? `; added up over ${streams} ${many === 'ranks' ? many : 'processes or threads'}` : '';
}

/** Darshan may have had no room for all segments: what it left out would be saved besides. */
function tracedPart({ counters }: Trace): string {
  const isPart = counters?.regions.some(({ name, incomplete }) => incomplete && name.startsWith('DXT_')) === true;
  return isPart ? '; of the traced calls alone, for the recorder had no room for all' : '';
}

/** @param most nanoseconds that the calls take of which some are saved, where that is known. */
function gainOf(ns: Estimate, most: number, ofNs: number | null, method: string): Gain {
  const half = NINETY_PERCENT * ns.deviation;
  // No more can be saved than there is.
  const within = (value: number): number => Math.min(Math.max(0, value), ofNs ?? Infinity, most);
  return {
    savedNs: within(ns.value),
    lowNs: within(ns.value - half),
    highNs: Math.max(within(ns.value), Math.min(ns.value + half, most)),
    ofNs,
    method,
  };
}

function noGain(ofNs: number | null, method: string): Gain {
  return { savedNs: null, lowNs: null, highNs: null, ofNs, method };
}

/** Nanoseconds that the program spends in I/O, measured without a tracer. */
function timeOfCells({ cells }: Metrics): number {
  let time = 0;
  for (let cell = 0; cell < cells.length; cell++) time += cells.get(cell, 'time');
  return time;
}

/** Nanoseconds of all calls that count; null when a kind is among them whose cost is not known. */
function timeOfAll(observed: ObservedCalls, costs: UntracedCosts): number | null {
  const parts: Estimate[] = [];
  for (const groups of observed.groups.values()) {
    for (const { of, events, bytes } of groups) {
      const cost = costs.of(of);
      if (cost === undefined) return null;
      parts.push(scaled(cost.fixed, events), scaled(cost.perByte, bytes));
    }
  }
  return sumOf(parts).value;
}

/** The cells that an insight is about: those of its sites, and where stacks lead nowhere those of its files. */
function cellsOf(insight: Insight, metrics: Metrics, observed: ObservedCalls): GainCell[] {
  const cells = insight.sites.flatMap((site) => [...site.cells]);
  const placed = insight.sites.reduce((sum, { events }) => sum + events, 0);
  if (placed < (insight.evidence['count'] ?? 0)) {
    const files = new Set(insight.files.map(({ file }) => file));
    for (let cell = 0; cell < metrics.cells.length; cell++)
      if (metrics.siteOfCell[cell] === NONE && files.has(metrics.fileOfCell[cell]!)) cells.push(cell);
  }
  return cells.map((cell) => {
    const file = metrics.fileOfCell[cell]!;
    return {
      file,
      get: (metric) => metrics.cells.get(cell, metric),
      groups: observed.groups.get(cellKey(metrics.siteOfCell[cell]!, file)) ?? [],
    };
  });
}
