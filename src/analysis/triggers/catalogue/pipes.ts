import { advising, say, slot, type Sentence } from '../message.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import * as streams from '../stream-snippets.ts';
import { amount, calls, ofSize, plus } from './amounts.ts';

function callsOf(group: GroupView): Sentence {
  if (group.get('tinyReads') === 0) return calls(group, 'write');
  return group.get('tinyWrites') === 0 ? calls(group, 'read') : calls(group, 'read or write', 'reads and writes');
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
  subject: (group) => say`${callsOf(group)}${ofSize(group)}, one after the other, on a pipe or socket`,
  recommend: (group) => [
    group.get('tinyWrites') > group.get('tinyReads')
      ? {
          audience: 'code',
          ...advising(
            say`Collect what is sent in a buffer of ${slot('advisedSize', 65_536)} and write it when it is full, and whenever the other end has to answer; or use stdio.`,
          ),
          snippet: streams.gatheredForPipe(),
        }
      : {
          audience: 'code',
          ...advising(
            say`Move as much with one call as is there: read into a buffer of ${slot('advisedSize', 65_536)} and take the bytes from it, or use stdio.`,
          ),
          snippet: streams.bufferedPipe(),
        },
  ],
};

export const PIPES: readonly SiteTrigger[] = [byteByByte];
