import { expect, test } from 'vitest';
import { timelineRecording } from '../../../test/support/event-trace.ts';
import { archiveOf } from '../../../test/support/otf2/otf2-archives.ts';
import { ArchiveWriter } from '../../../test/support/otf2/otf2-writer.ts';
import { readOtf2 } from '../../readers/otf2/otf2-reader.ts';
import { NONE } from '../../trace/events.ts';
import { handleRows } from './handle-rows.ts';
import { RowTree } from './row-tree.ts';

test('a handle stands below the one that it belongs to, also when nobody is seen to use that', async () => {
  const writer = new ArchiveWriter().processes(1).paradigms().region(2, 'pwrite', 27, 0);
  writer.file(0, '/scratch/a').handle(0, 0, 1).handle(1, 0, 0, 0);
  const events = writer.location(0n, 0);
  events.time(1).enter(2).begin(1, 'write', 0, 9, 0, 0).time(2).complete(1, 9, 0).leave(2);
  const trace = await readOtf2(archiveOf(writer.finish()));
  expect([0, 1].map((handle) => trace.handles.stream.at(handle))).toEqual([NONE, 0]);
  const tree = new RowTree();
  const rows = handleRows(timelineRecording(trace));
  rows.nodeOf(tree, NONE, rows.subjectOf(trace.events.chunkOf(0), 0));
  expect(tree.nodes.map(({ label }) => label)).toEqual([
    '/scratch/a',
    'handle 1, nobody known',
    'handle 2, rank 0 (n0001)',
  ]);
});
