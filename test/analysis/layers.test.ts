import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layersText } from '../../src/export/analysis/layers-text.ts';
import { sitesText } from '../../src/export/analysis/summary-text.ts';
import { DEFAULT_TIMELINE_CHOICES } from '../../src/features/timeline/protocol.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { absent, corpus } from '../support/corpus.ts';

/** A log of four ranks whose MPI-IO calls and the POSIX calls below them are both recorded, with stacks. */
const folder = path.join(import.meta.dirname, '../data/darshan-stack');
const session = localSession({ folder: path.resolve(import.meta.dirname, '../../native/wasm/addr2line') });
let log: number;

beforeAll(async () => {
  const request = plainRequest(path.join(folder, 'badmpi_4ranks.darshan'));
  log = (
    await session.recordings.open({
      ...request,
      workspaceFolders: [folder],
      binaries: [path.join(folder, 'bin/badmpi')],
    })
  ).id;
});
afterAll(async () => {
  await session.recordings.close(log);
});

describe('a recording of two layers', () => {
  test('says of each line what its calls became', async () => {
    const document = await session.lines.layers(log);
    expect(document.layers).toEqual(['MPI-IO', 'POSIX']);
    expect(document.links).toEqual([
      { layer: 'MPI-IO', calls: 2400, links: {} },
      { layer: 'POSIX', calls: 2744, links: { time: 2400 } },
    ]);
    const [writes] = document.calls;
    expect(writes).toMatchObject({ call: 'MPI_File_write', layer: 'MPI-IO', line: 21, calls: 1200, bytes: 120_000 });
    expect(writes!.became).toMatchObject([{ layer: 'POSIX', calls: 1200, bytes: 120_000, links: { time: 1200 } }]);
    const text = layersText(document);
    expect(text).toContain('POSIX: 2,744 calls, made by a call above: 2,400 by time\n');
    expect(text).toMatch(
      /badmpi\.c:21.*\n {2}MPI-IO: MPI_File_write {2}1,200 calls, 117 KiB.*\n {4}→ POSIX: 1,200 calls/,
    );
  });

  test('so do the call sites', async () => {
    const document = await session.lines.sites(log, 'line');
    const layers = document.sites.find(({ line }) => line === 21)!.layers!;
    expect(layers.map(({ layer, calls, bytes }) => [layer, calls, bytes])).toEqual([
      ['MPI-IO', 1200, 120_000],
      ['POSIX', 1200, 120_000],
    ]);
    expect(sitesText(document)).toContain('MPI-IO 1,200 calls, 117 KiB → POSIX 1,200 calls, 117 KiB');
  });

  test('leads in the timeline from a call to those below it and back', async () => {
    const { timeline } = session;
    const { token } = await timeline.rows([log], { ...DEFAULT_TIMELINE_CHOICES, selection: [] });
    const upper = (await timeline.search(token, 'MPI_File_write', -1, 1))!;
    expect(upper.layers).toMatchObject({ above: [], below: [{ layer: 'POSIX', calls: 1, bytes: 100 }] });
    const lower = (await timeline.linked(token, 0, upper.event, 'down'))!;
    expect(lower).toMatchObject({ call: 'write', layer: 'POSIX', rank: upper.rank, site: { line: 21 } });
    expect(lower.row).toBe(upper.row);
    expect(lower.startNs).toBeGreaterThanOrEqual(upper.startNs);
    expect(lower.layers?.above).toMatchObject([{ call: 'MPI_File_write', link: 'time' }]);
    expect((await timeline.linked(token, 0, lower.event, 'up'))!.event).toBe(upper.event);
    expect(await timeline.linked(token, 0, upper.event, 'next')).toBeUndefined();
    expect(await timeline.linked(token, 0, 1e9, 'up')).toBeUndefined();
  });

  test('selects a call with all that it became', async () => {
    const { timeline, selection } = session;
    const { token } = await timeline.rows([log], { ...DEFAULT_TIMELINE_CHOICES, selection: [] });
    const upper = (await timeline.search(token, 'MPI_File_write', -1, 1))!;
    const { call, host, process, thread, recordingFile: file, recordingLine: line } = upper;
    const below = { kind: 'below', call, host, process, thread, file, line } as const;
    const { totals, reasons } = await selection.selected(log, [below]);
    expect(reasons).toEqual([]);
    // One request of 100 bytes, and the time of the call that the program waited for.
    expect(totals).toMatchObject({ rows: 2, events: 1, bytes: 100, timeNs: upper.durationNs });
    const gone = await selection.selected(log, [{ ...below, line: 99_999_999 }]);
    expect(gone.reasons).toEqual(['the recording has no MPI_File_write at badmpi_4ranks.darshan:99999999']);
  });

  test('has graphs of the program’s own calls, of requests, or of all', async () => {
    const activities = async (layer?: string): Promise<string[]> => {
      const { nodes } = await session.graph.document(log, {
        ...PLAIN_GRAPH,
        mapping: 'call',
        ...(layer !== undefined && { layer }),
      });
      return nodes.map(({ activity, events }) => `${activity} ${events}`).sort();
    };
    expect(await activities('MPI-IO')).toEqual(['MPI_File_read 1200', 'MPI_File_write 1200']);
    expect(await activities('all')).toContain('MPI_File_write 1200');
    expect(await activities('requests')).not.toContain('MPI_File_write 1200');
    expect(await activities()).toContain('MPI_File_write 1200');
  });
});

/** Recordings of tools that record every layer: what became what, as their expected files have it. */
const KiB = 1024;
const MiB = KiB * KiB;
describe.each([
  ['otf2/btio_full', ['MPI_File_write_at_all', 16, 5 * MiB], ['POSIX', 4, 5 * MiB]],
  ['recorder/btio_full', ['MPI_File_write_at_all', 16, 5 * MiB], ['POSIX', 4, 5 * MiB]],
  ['otf2/btio_simple', ['MPI_File_write_at', 8192, 5 * MiB], ['POSIX', 8192, 5 * MiB]],
  ['otf2/data_sieving_read', ['MPI_File_read', 1, 32 * MiB], ['POSIX', 10, 40 * MiB - 2 * KiB]],
  // The last eighth of the data leaves the chunk cache when the data set is closed.
  ['otf2/hl_write_split', ['H5Dwrite', 1, 8 * MiB], ['POSIX', 56, 7 * MiB]],
] as const)('%s', (name, upper, lower) => {
  const recording = corpus(name);
  const title = recording === undefined ? `skipped: ${absent(name)}` : 'says what its calls became, and counts it once';
  test.skipIf(recording === undefined)(title, async () => {
    const { id } = await session.recordings.open(plainRequest(recording!));
    const { calls } = await session.lines.layers(id);
    const { became, ...call } = calls.find((each) => each.call === upper[0])!;
    expect([call.call, call.calls, call.bytes]).toEqual(upper);
    expect(became.map(({ layer, calls: count, bytes }) => [layer, count, bytes])).toEqual([[...lower]]);
    expect(became[0]!.links).toEqual({ nesting: lower[1] });
    // The bytes of all lines together are those that reached the file.
    const { sites } = await session.lines.sites(id, 'line');
    const moved = sites.flatMap(({ layers = [] }) => layers.filter(({ layer }) => layer === 'POSIX'));
    expect(sites.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(moved.reduce((sum, { bytes }) => sum + bytes, 0));
    await session.recordings.close(id);
  });
});
