import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import type { OpenResult } from '../../src/session/reading/open-recordings.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import type { ActivityNaming, SelectionPart } from '../../src/analysis/selection/selection.ts';

/** What views are told of a selection: the demo, a program that writes its cells one by one. */
const root = path.resolve(import.meta.dirname, '../..');
const demo = path.join(root, 'demo/heat/heat.strace.gz');
const naming: ActivityNaming = { mapping: 'call+path:2', pathFilter: '', ownFilesOnly: true, grouping: 'file' };
const session = localSession({ folder: path.join(root, 'dist') });
let opened: OpenResult;

beforeAll(async () => {
  const request = { ...plainRequest(demo), pathRules: [{ from: '/home/hpc/heat', to: path.dirname(demo) }] };
  opened = await session.recordings.open(request);
});

/** The line that makes most calls. */
async function busiest(): Promise<SelectionPart & { kind: 'line' }> {
  const { sites } = await session.lines.sites(opened.id, 'line');
  const { file, line } = sites.filter((site) => site.line > 0).sort((a, b) => b.events - a.events)[0]!;
  return { kind: 'line', file, line };
}

describe('a selected line', () => {
  test('has the amounts of its call site, and its files, findings, nodes and edges', async () => {
    const line = await busiest();
    const { sites } = await session.lines.sites(opened.id, 'line');
    const site = sites.find((each) => each.file === line.file && each.line === line.line)!;
    const found = await session.selection.selected(opened.id, [line], naming);
    expect(found.reasons).toEqual([]);
    expect(found.totals).toMatchObject({ events: site.events, bytes: site.bytes, counted: site.events });
    expect(found.totals.share).toBeCloseTo(site.share, 6);
    expect(found.lines).toMatchObject({ total: 1, first: [{ file: line.file, line: line.line, selects: line }] });
    expect(found.files.first.map((file) => file.events).reduce((a, b) => a + b)).toBe(site.events);
    expect(found.insights.map(({ code }) => code)).toContain('P06');
    expect(found.streams.total).toBe(site.streams);
    const graph = await session.graph.document(opened.id, { ...PLAIN_GRAPH, ownFilesOnly: true });
    for (const { activity, selected, events } of found.activities) {
      const node = graph.nodes.find((each) => each.activity === activity)!;
      expect(events).toBe(node.events);
      expect(selected).toBeLessThanOrEqual(node.events);
    }
    expect(found.activities.reduce((sum, { selected }) => sum + selected, 0)).toBe(site.events);
    expect(found.edges.length).toBeGreaterThan(0);
  });

  test('of another recording says why nothing is selected', async () => {
    const found = await session.selection.selected(
      opened.id,
      [{ kind: 'line', file: '/elsewhere/a.c', line: 3 }],
      naming,
    );
    expect(found.reasons).toEqual(['no call of this recording comes from a.c:3']);
    expect(found).toMatchObject({ totals: { rows: 0, events: 0, share: 0 }, activities: [], edges: [], insights: [] });
    expect([found.lines.total, found.files.total, found.streams.total]).toEqual([0, 0, 0]);
  });
});

test('every list leads on: what it names can be selected, and is that much', async () => {
  const everything = await session.selection.selected(opened.id, []);
  const parts = [...everything.lines.first, ...everything.files.first, ...everything.streams.first].filter(
    ({ events, selects }) => events > 0 && selects !== undefined,
  );
  expect(parts.length).toBeGreaterThan(3);
  for (const { selects, events, bytes } of parts) {
    const { totals } = await session.selection.selected(opened.id, [selects!]);
    if (selects!.kind === 'function') expect(totals.events).toBeGreaterThanOrEqual(events);
    else expect([totals.events, totals.bytes], JSON.stringify(selects)).toEqual([events, bytes]);
  }
});

test('a graph that no selection can name has no selected nodes', async () => {
  const line = await busiest();
  const module = path.join(root, 'mapping.mjs');
  const found = await session.selection.selected(opened.id, [line], { ...naming, mapping: module });
  expect([found.activities, found.edges]).toEqual([[], []]);
  expect(found.totals.events).toBeGreaterThan(0);
});

test('a recording that was closed is told of', async () => {
  await expect(session.selection.selected(999, [])).rejects.toThrow('no longer open');
});
