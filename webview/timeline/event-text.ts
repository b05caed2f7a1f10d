import type { TimelineEvent } from '../../src/features/timeline/protocol.ts';
import { becameText } from './event-layers.ts';
import { formatBytes, formatCount, formatRate } from '../../src/base/quantities.ts';
import { exactPoint, exactTime, type AxisUnit } from '../../src/drawing/timeline/ticks.ts';

/** An event's properties in words, those that it has. */
export function eventFacts(event: TimelineEvent, axis: AxisUnit): [name: string, value: string][] {
  const { durationNs, bytes, requested, offset, error, rank, host } = event;
  const facts: [string, string | undefined][] = [
    ['Call', event.call],
    ['Layer', event.layer || undefined],
    ['Error', error || undefined],
    ['Start', exactPoint(event.startNs, axis)],
    ['Duration', durationNs === null ? 'unknown' : exactTime(durationNs)],
    ['Path', event.path || undefined],
    ['Offset', offset === null ? undefined : `${formatCount(offset)} (${formatBytes(offset)})`],
    ['Bytes', bytesText(bytes, requested)],
    ['Rate', durationNs !== null && durationNs > 0 && bytes > 0 ? formatRate(bytes / (durationNs / 1e9)) : undefined],
    ['Rank', rank === null ? undefined : String(rank)],
    ['Process', processText(event)],
    ['Host', host || undefined],
    ['Source', siteText(event)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

export function siteText({ site }: TimelineEvent): string | undefined {
  if (site === undefined) return undefined;
  const at = `${site.file.split('/').at(-1)!}:${site.line}`;
  return site.functionName === '' ? at : `${at} in ${site.functionName}`;
}

/** Where an event stands in the recording: `heat.st:42`. */
export function recordedAt({ recordingFile, recordingLine }: TimelineEvent): string {
  return `${recordingFile.split('/').at(-1)!}:${recordingLine}`;
}

/** One sentence, for screen readers. */
export function eventSentence(event: TimelineEvent, rowLabel: string, axis: AxisUnit): string {
  const { call, path, startNs, durationNs, bytes, error } = event;
  const parts = [
    `${call}${path === '' ? '' : ` ${path.split('/').at(-1)!}`}`,
    rowLabel,
    `at ${exactPoint(startNs, axis)}`,
    durationNs === null ? 'duration unknown' : `for ${exactTime(durationNs)}`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(error === '' ? [] : [`failed with ${error}`]),
    ...(event.site === undefined ? [] : [siteText(event)!]),
    ...(event.layers !== undefined && event.layers.below.length > 0 ? [becameText(event.layers)] : []),
  ];
  return parts.join(', ');
}

function bytesText(bytes: number, requested: number | null): string | undefined {
  if (bytes === 0 && (requested === null || requested === 0)) return undefined;
  const moved = `${formatCount(bytes)} (${formatBytes(bytes)})`;
  return requested === null || requested === bytes ? moved : `${moved} of ${formatCount(requested)} asked for`;
}

function processText({ process, thread }: TimelineEvent): string {
  return thread === process ? String(process) : `${process}, thread ${thread}`;
}
