import type {
  OffsetArea,
  OffsetFileFacts,
  OffsetRegion,
  OffsetWindow,
  ViewAccess,
} from '../../src/features/offsets/protocol.ts';
import { formatBytes, formatCount, formatDuration } from '../../src/base/quantities.ts';
import { exactTime } from '../../src/drawing/timeline/ticks.ts';
import type { Cell } from '../kit/dom.ts';

/** `4 KiB to 8 KiB (bytes 4,096 to 8,191)`. */
function rangeText(fromByte: number, bytes: number): string {
  return `${formatBytes(fromByte)} to ${formatBytes(fromByte + bytes)} (bytes ${formatCount(fromByte)} to ${formatCount(fromByte + bytes - 1)})`;
}

/** A point of the axis. */
export function positionText(position: number, axis: 'time' | 'order'): string {
  return axis === 'time' ? exactTime(position) : `access ${formatCount(Math.floor(position) + 1)}`;
}

/** `rank 3 on nid00012`, `process 4711`. */
function processText({ event: { rank, host, process, thread } }: ViewAccess): string {
  const who = rank === null ? `process ${process}` : `rank ${rank}`;
  return `${who}${thread === process || rank !== null ? '' : `, thread ${thread}`}${host === '' ? '' : ` on ${host}`}`;
}

/** The access in a line, for the pointer and for screen readers. */
export function accessLine(access: ViewAccess): string {
  const { event, stripe, others } = access;
  const took = event.durationNs === null ? '' : ` for ${formatDuration(event.durationNs)}`;
  const where =
    event.site === undefined || event.site.line === 0 ? '' : `, ${baseName(event.site.file)}:${event.site.line}`;
  const parts = [
    `${event.call} by ${processText(access)}: ${formatBytes(event.bytes)} at ${formatBytes(event.offset ?? 0)}`,
    Number.isNaN(event.startNs) ? '' : `, at ${exactTime(event.startNs)}${took}`,
    where,
    stripe === '' ? '' : `, ${stripe}`,
    access.writesOver ? ', over another process’s bytes' : '',
    access.bytesAgain > 0 ? `, ${formatBytes(access.bytesAgain)} of it again` : '',
    others === 0 ? '' : `; ${formatCount(others)} more here`,
  ];
  return parts.join('');
}

export function baseName(path: string): string {
  return path.split('/').at(-1)!;
}

/** Everything that is known of an access, as names and values. */
export function accessFacts(access: ViewAccess): [name: string, value: Cell][] {
  const { event, stripe, bytesAgain, writesOver, others } = access;
  const { site } = event;
  const facts: [string, Cell | undefined][] = [
    ['Call', `${event.call} (${event.layer})`],
    ['By', processText(access)],
    ['Range', rangeText(event.offset ?? 0, event.bytes)],
    [
      'Asked for',
      event.requested === null || event.requested === event.bytes ? undefined : formatBytes(event.requested),
    ],
    ['Begins', Number.isNaN(event.startNs) ? undefined : exactTime(event.startNs)],
    ['Takes', event.durationNs === null ? undefined : formatDuration(event.durationNs)],
    ['Stripe', stripe === '' ? undefined : stripe],
    ['Again', bytesAgain === 0 ? undefined : `${formatBytes(bytesAgain)} were touched by this process before`],
    ['Over', writesOver ? 'writes over bytes that another process had written' : undefined],
    ['Line', site === undefined || site.line === 0 ? undefined : `${site.file}:${site.line} in ${site.functionName}`],
    ['Called by', event.stack.length < 2 ? undefined : event.stack.slice(1).join(' ← ')],
    ['Recorded', `${event.recordingFile}:${event.recordingLine}`],
    ['Raw', event.rawText === '' ? event.rawTextLack || undefined : event.rawText],
    ['Others', others === 0 ? undefined : `${formatCount(others)} more accesses at this point`],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** What a screen reader is told of a picture. */
export function windowText({ accesses, selected, area, regions }: OffsetWindow, axis: 'time' | 'order'): string {
  const chosen = selected === null ? '' : `, ${formatCount(selected)} of them selected`;
  const busiest = [...regions].sort((a, b) => bytesOf(b) - bytesOf(a))[0];
  const most =
    busiest === undefined
      ? ''
      : ` Most bytes: ${formatBytes(bytesOf(busiest))} from ${formatBytes(busiest.fromByte)} to ${formatBytes(busiest.toByte)}.`;
  return `${formatCount(accesses)} accesses${chosen}, ${areaText(area, axis)}.${most}`;
}

export function bytesOf({ bytesRead, bytesWritten }: OffsetRegion): number {
  return bytesRead + bytesWritten;
}

function areaText({ from, to, fromByte, toByte }: OffsetArea, axis: 'time' | 'order'): string {
  return `${positionText(from, axis)} to ${positionText(to, axis)}, ${formatBytes(fromByte)} to ${formatBytes(toByte)} of the file`;
}

/** Who uses the file, and how it lies on its storage, as far as that is known. */
export function storageText({ stripings, blockBytes, processes }: OffsetFileFacts): string {
  const stripes = stripings.map(({ stripeSize, stripeCount, fromByte }) => {
    const from = stripings.length > 1 ? ` from ${formatBytes(fromByte)} on` : '';
    const targets = stripeCount === 1 ? '1 storage target' : `${formatCount(stripeCount)} storage targets`;
    return `stripes of ${formatBytes(stripeSize)} over ${targets}${from}`;
  });
  const block = blockBytes === null ? [] : [`blocks of ${formatBytes(blockBytes)}`];
  const users = processes === 1 ? '1 process' : `${formatCount(processes)} processes`;
  return [users, ...stripes, ...block].join('; ');
}
