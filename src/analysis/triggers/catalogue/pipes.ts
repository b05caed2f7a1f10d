import { counted } from '../../../base/quantities.ts';
import type { SiteTrigger } from '../trigger.ts';
import * as streams from '../stream-snippets.ts';
import { amount, ofSize, plus } from './amounts.ts';

const byteByByte: SiteTrigger = {
  kind: 'site',
  code: 'L13',
  name: 'byte-by-byte-pipe',
  title: 'A pipe or socket moved byte by byte',
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
  subject: (group) =>
    `${counted(group.offence.events, 'call')}${ofSize(group)}, one after the other, on a pipe or socket`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Move as much with one call as is there: read into a buffer of 64 KiB and take the bytes from it, or use stdio.',
      snippet: streams.bufferedPipe(),
    },
  ],
};

export const PIPES: readonly SiteTrigger[] = [byteByByte];
