import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import type { Calibration, MeasuredCall } from '../../src/trace/calibration.ts';
import { measure } from '../../src/analysis/metrics/access-metrics.ts';
import { ignoredFiles } from '../../src/analysis/metrics/ignored-files.ts';
import type { CallSites } from '../../src/analysis/sites/call-sites.ts';
import { findInsights } from '../../src/analysis/triggers/evaluate.ts';
import type { Insight } from '../../src/analysis/triggers/insight.ts';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';
import { estimateGains } from '../../src/analysis/gain/estimate-gains.ts';
import type { Gain } from '../../src/analysis/gain/gain.ts';
import { FORMAT_TRAITS } from '../../src/readers/format-traits.ts';
import { memoryFile } from './memory-file.ts';

export const NO_SITES: CallSites = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };

export const exactly = (call: MeasuredCall['call'], bytes: number, ns: number): MeasuredCall => ({
  call,
  bytes,
  ns,
  lowNs: ns,
  highNs: ns,
});

/** A machine with round figures: a write takes 600 ns and 0.3 ns a byte, a read 400 ns and 0.1 ns a byte. */
export const CALIBRATION: Calibration = {
  schema: 'iolens/calibration@1',
  folder: '/w',
  mounts: [
    { path: '/', type: 'ext4' },
    { path: '/scratch', type: 'lustre' },
  ],
  calls: [
    exactly('call', 0, 100),
    exactly('seek', 0, 120),
    exactly('stat', 0, 1000),
    exactly('missing-open', 0, 1000),
    exactly('open-close', 0, 1800),
    exactly('dup-close', 0, 400),
    exactly('read', 100, 410),
    exactly('read', 100_000, 10_400),
    exactly('reread', 100_000, 5400),
    exactly('write', 100, 630),
    exactly('write', 100_000, 30_600),
    exactly('open-write-close', 100, 3030),
  ],
};

/** What strace adds in these recordings, nanoseconds. */
export const TRACER = 6000;

export type Line = readonly [call: string, untracedNs: number];

export function traced(lines: readonly Line[]): string {
  return lines
    .map(
      ([call, ns], i) => `7 1795252180.${String(i).padStart(6, '0')} ${call} <${((ns + TRACER) / 1e9).toFixed(9)}>\n`,
    )
    .join('');
}

export async function gains(
  text: string,
  calibration?: Calibration,
  extra: readonly Insight[] = [],
): Promise<Record<string, Gain>> {
  const trace = await readStrace([memoryFile('t', text)]);
  const ignored = ignoredFiles(trace.files);
  const metrics = measure(trace, NO_SITES, ignored);
  const insights = [...findInsights(trace, metrics, DEFAULT_THRESHOLDS, NO_SITES), ...extra];
  const inputs = { trace, callSites: NO_SITES, metrics, ignored, ...(calibration && { calibration }) };
  return Object.fromEntries(estimateGains(inputs, insights).insights.map(({ trigger, gain }) => [trigger, gain]));
}

export function times<Item>(count: number, make: (i: number) => readonly Item[]): Item[] {
  return Array.from({ length: count }, (_, i) => make(i)).flat();
}

/** The same calls recorded by something that adds nothing to their durations. */
export async function untracedGains(lines: readonly Line[]): Promise<Record<string, Gain>> {
  const trace = await readStrace([memoryFile('t', traced(lines.map(([call, ns]) => [call, ns - TRACER])))]);
  const ignored = ignoredFiles(trace.files);
  const metrics = measure(trace, NO_SITES, ignored);
  const insights = findInsights(trace, metrics, DEFAULT_THRESHOLDS, NO_SITES);
  const inputs = { trace: { ...trace, form: FORMAT_TRAITS.darshan }, callSites: NO_SITES, metrics, ignored };
  return Object.fromEntries(estimateGains(inputs, insights).insights.map(({ trigger, gain }) => [trigger, gain]));
}
