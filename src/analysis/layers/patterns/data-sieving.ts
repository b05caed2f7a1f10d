import { LAYERS } from '../../../trace/calls.ts';
import { counted, formatBytes } from '../../../base/quantities.ts';
import { advising, countOf, say, slot, type Sentence } from '../../triggers/message.ts';
import type { Recommendation } from '../../triggers/insight.ts';
import type { LayerCalls } from './layer-calls.ts';
import { lowerRowsOf, offsetBar } from './lower-rows.ts';
import { placeOfRequests, timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture, type PictureBar } from './picture.ts';
import * as snippets from './snippets.ts';
import type { UpperCalls, UpperGroup } from './upper-calls.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');

/** What sieving moves for what was asked for, in bytes. */
interface Sieving {
  readonly direction: 'read' | 'write';
  readonly useful: number;
  readonly moved: number;
  /** Read although nobody asked for them; for writes those that are written back unchanged. */
  readonly holes: number;
  /** Useful of all that is moved, 0 to 1; what is read before it is written counts as moved. */
  readonly efficiency: number;
}

/** @returns undefined when the calls of the group are not served by larger pieces. */
export function sievingOf({ operation, bytes, lower }: UpperGroup, amplification: number): Sieving | undefined {
  if (bytes === 0 || (operation !== 'read' && operation !== 'write')) return undefined;
  const ofKind = operation === 'read' ? lower.readBytes : lower.writtenBytes;
  const moved = lower.readBytes + lower.writtenBytes;
  const holes = Math.max(0, ofKind - lower.repeatedBytes - bytes);
  // A write reads first what it will write around: without that it has no holes to fill.
  const isSieved = operation === 'read' ? bytes + holes >= amplification * bytes : lower.readBytes > 0 && holes > 0;
  return isSieved ? { direction: operation, useful: bytes, moved, holes, efficiency: bytes / moved } : undefined;
}

function subjectOf(name: string, group: UpperGroup, sieving: Sieving): Sentence {
  const { lower } = group;
  const asked = say`${timesCall(group.calls, name)} for ${slot('upperBytes', sieving.useful)}`;
  const reads = countOf('lowerReads', lower.reads, 'read');
  const share = slot('shareOfHoles', sieving.holes / (sieving.useful + sieving.holes));
  const holes = say`${slot('holes', sieving.holes)} (${share})`;
  return sieving.direction === 'read'
    ? say`${asked}, with gaps between its pieces, ${group.calls === 1 ? 'is' : 'are'} served by ${reads} of ${slot('lowerReadBytes', lower.readBytes)} (data sieving): ${holes} are holes that nobody asked for, ${slot('shareUsed', sieving.efficiency)} of what is moved is used; the calls below`
    : say`${asked}, with gaps between its pieces, ${group.calls === 1 ? 'is' : 'are'} served by ${reads} of ${slot('lowerReadBytes', lower.readBytes)} before ${countOf('lowerWrites', lower.writes, 'write')} of ${slot('lowerWrittenBytes', lower.writtenBytes)} (data sieving): ${holes} are holes that are read and written back unchanged, ${slot('shareUsed', sieving.efficiency)} of what is moved is used; the calls below`;
}

function adviceOn({ direction, efficiency }: Sieving, isGood: boolean): Recommendation[] {
  if (isGood) return [];
  const together: Recommendation = {
    audience: 'code',
    text: `Let all processes call the collective variant: together they ask for the gaps as well, and large pieces are moved once.`,
    snippet: snippets.collectiveWithView('c', direction === 'read'),
    alternatives: [snippets.collectiveWithView('fortran', direction === 'read')],
  };
  const without: Recommendation = {
    audience: 'code',
    ...advising(
      say`With ${slot('shareUsed', efficiency)} in use the pieces by themselves may be faster: try it without data sieving.`,
    ),
    snippet: snippets.sievingHints('c', direction, 'disable'),
    alternatives: [snippets.sievingHints('fortran', direction, 'disable')],
  };
  return [together, without];
}

/** The call whose accesses go furthest, as the picture of all. */
function widestOf(upper: UpperCalls, group: UpperGroup): number {
  let widest = -1;
  for (let entry = 0; entry < upper.length; entry++) {
    if (upper.group[entry] !== group.number) continue;
    if (widest < 0 || upper.transfers[entry]! > upper.transfers[widest]!) widest = entry;
  }
  return widest;
}

/** Figures 3.17 and 3.18: what was asked for above, the pieces that were moved below. */
function picture(calls: LayerCalls, group: UpperGroup, name: string): PatternPicture | undefined {
  const upper = calls.upper!;
  const entry = widestOf(upper, group);
  const row = upper.row[entry]!;
  const bars = lowerRowsOf(calls, [row])
    .get(row)!
    .map((lower) => offsetBar(calls, lower))
    .filter((bar) => bar !== undefined);
  if (bars.length === 0) return undefined;
  const reads = bars.filter(({ kind }) => kind === 'read');
  const writes = bars.filter(({ kind }) => kind === 'write');
  const from = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity);
  const ranges = covered(group.operation === 'read' ? reads : writes);
  const useful = Math.min(upper.bytes[entry]!, ranges);
  const asked: PictureBar[] = [
    { from, to: from + useful, kind: 'call' },
    { from: from + useful, to: from + ranges, kind: 'hole' },
  ];
  const size = (of: readonly PictureBar[]): string =>
    `${counted(of.length, of[0]!.kind)}, ${formatBytes(of.reduce((sum, bar) => sum + bar.to - bar.from, 0))}`;
  const lanes = [
    { label: name, amount: `${formatBytes(useful)} asked for`, bars: asked },
    ...(reads.length === 0 ? [] : [{ label: 'reads below', amount: size(reads), bars: reads }]),
    ...(writes.length === 0 ? [] : [{ label: 'writes below', amount: size(writes), bars: writes }]),
  ];
  return pictureOf(
    {
      title: `Data sieving of one ${name}`,
      description: `Along the file: ${formatBytes(useful)} were asked for and ${formatBytes(ranges - useful)} lie between them; lengths show how much of each, as the recording does not hold the places of the pieces. Below: ${lanes
        .slice(1)
        .map(({ label, amount }) => `${label}: ${amount}`)
        .join('; ')}.`,
      axis: 'offset',
    },
    lanes,
  );
}

/** Bytes that are covered at least once. */
function covered(bars: readonly PictureBar[]): number {
  let end = -Infinity;
  let sum = 0;
  for (const bar of [...bars].sort((a, b) => a.from - b.from)) {
    if (bar.to <= end) continue;
    sum += bar.to - Math.max(bar.from, end);
    end = bar.to;
  }
  return sum;
}

/** Section 3.3.1.1 of Tschüter: an access with gaps is served by larger ones. */
export const DATA_SIEVING: LayerPattern = {
  code: 'L22',
  name: 'data-sieving',
  title: 'Accesses with gaps are served by larger ones (data sieving)',
  find(calls, { amplification, sieving_efficiency, small_bytes }) {
    const places: PatternPlace[] = [];
    for (const group of calls.upper?.groups ?? []) {
      const sieving = group.layer === MPI_IO ? sievingOf(group, amplification) : undefined;
      if (sieving === undefined) continue;
      const { lower } = group;
      const isGood = sieving.efficiency >= sieving_efficiency;
      const name = calls.trace.calls.names[group.call]!;
      places.push({
        ...placeOfRequests(group),
        weight: sieving.holes >= small_bytes ? Infinity : lower.reads + lower.writes,
        subject: subjectOf(name, group, sieving),
        ...(isGood && { severity: 'ok' as const }),
        evidence: {
          usefulBytes: sieving.useful,
          movedBytes: sieving.moved,
          holeBytes: sieving.holes,
          efficiency: sieving.efficiency,
          lowerReads: lower.reads,
          lowerReadBytes: lower.readBytes,
          lowerWrites: lower.writes,
          lowerWrittenBytes: lower.writtenBytes,
          skippedBytes: lower.skippedBytes,
        },
        recommendations: adviceOn(sieving, isGood),
        picture: () => picture(calls, group, name),
      });
    }
    return places;
  },
  explains: ['P09', 'P10'],
};
