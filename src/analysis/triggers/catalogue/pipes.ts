import { counted } from '../../../base/quantities.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import * as streams from '../stream-snippets.ts';
import { amount, ofSize, plus } from './amounts.ts';

function callsOf(group: GroupView): string {
  const { events } = group.offence;
  if (group.get('tinyReads') === 0) return counted(events, 'write');
  return group.get('tinyWrites') === 0 ? counted(events, 'read') : counted(events, 'read or write', 'reads and writes');
}

const byteByByte: SiteTrigger = {
  kind: 'site',
  code: 'L13',
  name: 'byte-by-byte-pipe',
  title: 'A pipe or socket moved in tiny pieces',
  over: 'pipes',
  sizes: 'read',
  // The share is one of calls, and no storage waits.
  severity: 'warn',
  offending: (cell) =>
    plus(
      amount(cell, 'tinyReads', 'tinyReadBytes', 'tinyReadTime'),
      amount(cell, 'tinyWrites', 'tinyWrittenBytes', 'tinyWriteTime'),
    ),
  local: () => true,
  fewestEvents: 'metadata_events',
  subject: (group) => `${callsOf(group)}${ofSize(group)}, one after the other, on a pipe or socket`,
  recommend: (group) => [
    group.get('tinyWrites') > group.get('tinyReads')
      ? {
          audience: 'code',
          text: 'Collect what is sent in a buffer of 64 KiB and write it when it is full, and where the other end has to answer; or use stdio.',
          snippet: streams.gatheredForPipe(),
        }
      : {
          audience: 'code',
          text: 'Move as much with one call as is there: read into a buffer of 64 KiB and take the bytes from it, or use stdio.',
          snippet: streams.bufferedPipe(),
        },
  ],
};

export const PIPES: readonly SiteTrigger[] = [byteByByte];
