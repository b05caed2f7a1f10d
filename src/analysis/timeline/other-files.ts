import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** How many calls a timeline of the program's own files leaves out: those on other files, and on none. */
export function callsOnOtherFiles(recordings: readonly Pick<TimelineRecording, 'trace' | 'ignored'>[]): number {
  let calls = 0;
  for (const { trace, ignored } of recordings)
    trace.events.chunks.forEach((chunk, number) => {
      const rows = trace.events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const file = chunk.file[i]!;
        if (chunk.flags[i]! & (EVENT_FLAGS.restarted | EVENT_FLAGS.part)) continue;
        if (file === NONE || ignored[file] === 1) calls++;
      }
    });
  return calls;
}
