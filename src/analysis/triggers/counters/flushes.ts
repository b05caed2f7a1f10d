import { countOf, say, slot } from '../message.ts';
import { NOTHING, share } from '../catalogue/amounts.ts';
import { withoutFlush } from '../catalogue/layers.ts';
import { severityOfShare, type Amount } from '../insight.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import { measured } from './posix-counters.ts';

const TIMES = ['F_READ_TIME', 'F_WRITE_TIME', 'F_META_TIME'];
/** Standard error, as Darshan calls it: it is not buffered, so a flush of it writes nothing. */
const UNBUFFERED = '<STDERR>';

/**
 * Streams that are flushed after every record: Darshan counts flushes apart, and their time with that of the writes. No
 * trigger of Drishti's asks for them.
 */
export const FLUSHED_STREAMS: CounterTrigger = {
  kind: 'counters',
  code: 'L04',
  name: 'flush-after-every-record',
  title: 'A flush after every record',
  severity: 'high',
  module: 'STDIO',
  examine: (view, { tiny_bytes, site_events, site_share }) => {
    const stdio = view.module('STDIO');
    if (stdio === undefined) return undefined;
    const all: Amount = { ...NOTHING };
    const flushed = stdio.files((record) => {
      const events = measured(record, ['STDIO_FLUSHES']);
      const bytes = measured(record, ['STDIO_BYTES_WRITTEN']);
      const isTiny = bytes > 0 && bytes < events * tiny_bytes;
      const isBuffered = record.file < 0 || view.path(record.file) !== UNBUFFERED;
      if (events < site_events || !isTiny || !isBuffered) return undefined;
      const timeNs = measured(record, ['STDIO_F_WRITE_TIME']) * 1e9;
      all.events += events;
      all.bytes += bytes;
      all.timeNs += timeNs;
      return { events, bytes, timeNs };
    });
    // What MPI-IO does stands in POSIX once more.
    const ioTime = ['POSIX', 'STDIO'].reduce(
      (sum, module) => sum + (view.module(module)?.sum(TIMES.map((time) => `${module}_${time}`)) ?? 0),
      0,
    );
    const part = share(all.timeNs, ioTime * 1e9);
    if (all.events === 0 || part < site_share) return undefined;
    return {
      severity: severityOfShare(part),
      message: say`${countOf('calls', all.events, 'flush', 'flushes')} of streams, each of ${slot('meanSize', all.bytes / all.events)} on average; with all writes to these streams they ${{ amount: all, shareOfTime: part }}.`,
      evidence: { count: all.events, bytes: all.bytes, timeNs: all.timeNs, share: part, files: flushed.count },
      files: flushed.files,
      recommendations: withoutFlush(all.events),
    };
  },
};
