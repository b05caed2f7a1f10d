import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunCosts } from '../../src/analysis/gain/run-costs.ts';
import { outlineOf } from '../../src/analysis/metrics/metrics-outline.ts';
import { graphDot } from '../../src/export/graph/graph-dot.ts';
import { graphNodeText } from '../../src/export/graph/graph-node-text.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { PLAIN_GRAPH } from '../../src/features/graph/methods.ts';
import type { OpenResult } from '../../src/session/reading/open-recordings.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { line, StraceText } from '../support/strace-text.ts';

const root = path.resolve(import.meta.dirname, '../..');
const session = localSession({ folder: path.join(root, 'dist') });
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-same-cost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * 4,000 tiny writes and 30 dear synchronisations. Strace stops the program at each call: recorded, the writes take longer.
 * @param load by how many times a busy machine makes the stops, and what the program computes, longer.
 */
function recorded(load = 1): string {
  const text = new StraceText();
  text.call(7, 'openat(AT_FDCWD, "/w/a", O_WRONLY|O_CREAT, 0644) = 3</w/a>', 30, [line(3)]);
  text.times(4000, (i) => {
    text.call(7, 'write(3</w/a>, "x"..., 16) = 16', (28 + (i % 5)) * load, [line(9)]);
    text.wait(60 * load);
  });
  text.call(7, 'openat(AT_FDCWD, "/etc/app.conf", O_RDONLY) = 4</etc/app.conf>', 30, [line(12)]);
  text.times(200, () => text.call(7, 'read(4</etc/app.conf>, "x"..., 64) = 64', 30 * load, [line(13)]));
  text.times(30, (i) => text.call(7, 'fsync(3</w/a>) = 0', 3000 + (i % 7) * 40, [line(20)]));
  return text.toString();
}

async function open(name: string, text: string): Promise<OpenResult> {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return session.recordings.open(plainRequest(file));
}

let opened: OpenResult;
beforeAll(async () => {
  opened = await open('plain.strace', recorded());
});

describe('the graph of a recording by strace', () => {
  test('has its dearest node where the run pays, and calls the measures of the paper recorded', async () => {
    const graph = await session.graph.document(opened.id, { ...PLAIN_GRAPH, mapping: 'call' });
    const node = (activity: string) => graph.nodes.find((each) => each.activity === activity)!;
    const [write, fsync] = [node('write'), node('fsync')];
    expect(write.durationNs, 'as recorded, the writes take longer').toBeGreaterThan(fsync.durationNs);
    expect(write.relativeDuration).toBeGreaterThan(fsync.relativeDuration);
    expect(fsync.cost!.untracedNs).toBeGreaterThan(10 * write.cost!.untracedNs);
    expect(fsync.cost!.lowNs).toBeLessThanOrEqual(fsync.cost!.untracedNs);
    const { cost, load, rate } = graphNodeText(write);
    expect(cost).toMatch(/^Cost: \S+ [mµ]s, .+ % of the run$/);
    expect(load).toMatch(/^Recorded load: \d+ % \(62\.5 KiB\)$/);
    expect(rate).toMatch(/^Recorded DR: 1 × /);
    const fills = [...graphDot(graph).matchAll(/^ {2}"(\w+)" \[label="([^"]*)", fillcolor="(#\w+)"/gm)];
    const fill = new Map(fills.map(([, activity, label, colour]) => [activity, { label, colour }]));
    expect(fill.get('fsync')!.colour, 'the darkest shade').toBe('#084594');
    expect(fill.get('write')!.colour, 'the lightest').toBe('#f7fbff');
    expect(fill.get('fsync')!.label).toMatch(/Cost: .* of the run\\nRecorded load: /);
  });

  test('prices what findings leave out, too, and takes no more than was recorded', async () => {
    const graph = await session.graph.document(opened.id, { ...PLAIN_GRAPH, mapping: 'call+file' });
    const config = graph.nodes.find(({ activity }) => activity === 'read:/etc/app.conf')!;
    expect(config.cost!.untracedNs).toBeGreaterThan(0);
    expect(config.cost!.untracedNs).toBeLessThan(config.durationNs / 5);
  });

  test('leads to the lines that a node costs most at first', async () => {
    const graph = await session.graph.document(opened.id, { ...PLAIN_GRAPH, mapping: 'path:1', ownFilesOnly: true });
    const [node] = graph.nodes;
    expect(node!.sites.map((site) => site.line)).toEqual([20, 9, 3]);
  });
});

describe('one number for the same calls', () => {
  test('in call sites, the graph, a selected line and a selected finding', async () => {
    const { sites } = await session.lines.sites(opened.id, 'line');
    const graph = await session.graph.document(opened.id, { ...PLAIN_GRAPH, mapping: 'site', ownFilesOnly: true });
    expect(sites.map((site) => site.line)).toEqual([20, 9, 3]);
    for (const { file, line: number, cost } of sites) {
      const found = await session.selection.selected(opened.id, [{ kind: 'line', file, line: number }]);
      for (const other of [found.totals.cost, found.lines.first[0]!.cost, nodeOf(graph, number).cost]) {
        for (const name of ['untracedNs', 'lowNs', 'highNs', 'shareOfRun'] as const)
          expect(other![name], `${name} of line ${number}`).toBeCloseTo(cost![name], name === 'shareOfRun' ? 9 : 1);
      }
    }
    const { insights } = await session.findings.analysis([opened.id]);
    const whole = insights.filter(
      ({ cost, sites: [place, ...more] }) =>
        cost !== undefined &&
        more.length === 0 &&
        sites.some((site) => site.line === place?.line && site.events === place.events),
    );
    expect(whole.map(({ code }) => code)).toContain('P06');
    for (const { code, cost, sites: places } of whole) {
      const { totals } = await session.selection.selected(opened.id, [{ kind: 'insight', code }]);
      expect(totals.cost!.untracedNs, code).toBeCloseTo(cost!.untracedNs, 1);
      expect(totals.timeNs, `the recorded time of ${code} stands beside it`).toBe(places[0]!.timeNs);
    }
  });

  test('lists of a selection go by it, the dearest first', async () => {
    const found = await session.selection.selected(opened.id, [{ kind: 'file', path: '/w/a' }]);
    expect(found.lines.first.map((each) => each.line)).toEqual([20, 9, 3]);
    expect(found.totals.cost!.shareOfRun).toBeGreaterThan(0.5);
  });

  test('calls that findings leave out have their recorded time alone', async () => {
    const { totals } = await session.selection.selected(opened.id, [{ kind: 'file', path: '/etc/app.conf' }]);
    expect(totals.counted).toBe(0);
    expect(totals.timeNs).toBeCloseTo(6.03e6, -5);
    expect(totals.cost).toBeUndefined();
  });
});

function nodeOf<Node extends { readonly activity: string }>(
  { nodes }: { readonly nodes: readonly Node[] },
  at: number,
): Node {
  return nodes.find(({ activity }) => activity.endsWith(`app.c:${at})`))!;
}

test('who wants costs alone gets those of the whole analysis', async () => {
  const recording = await OpenedRecording.open(
    plainRequest(path.join(root, 'demo/heat/heat.strace.gz')),
    await chooseLookup(path.join(root, 'dist/addr2line.wasm'), false),
  );
  const { trace, metrics, ignored } = recording;
  const callSites = recording.callSites();
  const outline = outlineOf(trace, callSites, ignored)!;
  expect([...outline.processes]).toEqual([...metrics.processes]);
  const written = (use: typeof outline.fileUse): number[] =>
    [...use].flatMap(([file, { writers }]) => (writers.size > 0 ? [file] : [])).sort((a, b) => a - b);
  expect(written(outline.fileUse)).toEqual(written(metrics.fileUse));
  const costs = new RunCosts({ trace, callSites, ignored, metrics: outline });
  expect(costs.run).toEqual(new RunCosts({ trace, callSites, ignored, metrics }).run);
  await recording.close();
});

describe('the same program on a busy machine', () => {
  const compared = async (base: string, changed: string) => {
    const sides = [await open('base.strace', base), await open('new.strace', changed)];
    return session.comparison.compare([sides[0]!.id], [sides[1]!.id]);
  };

  test.each([2, 5])('is neither better nor worse, though it was recorded to take %i times as long', async (load) => {
    for (const [base, changed] of [
      [recorded(), recorded(load)],
      [recorded(load), recorded()],
    ] as const) {
      const { total, insights, lines, run } = await compared(base, changed);
      const said = [total.verdict, total.timeVerdict, ...lines.map(({ verdict }) => verdict)];
      expect(said.filter((verdict) => verdict === 'worse' || verdict === 'better')).toEqual([]);
      expect(insights.map(({ change }) => change).filter((change) => change !== 'unchanged')).toEqual([]);
      const { base: before, new: after } = run!.recordedNs;
      expect(Math.max(before, after) / Math.min(before, after)).toBeGreaterThan(1.5);
    }
  });

  test('a line that does more surely costs more: counts and cost say so, each for itself', async () => {
    const more = `${recorded()}${recorded().split('\n').slice(1).join('\n')}`;
    const { total, lines } = await compared(recorded(), more);
    expect(total.countVerdict).toBe('worse');
    expect(lines.find(({ base }) => base?.line === 9)).toMatchObject({ countVerdict: 'worse' });
  });
});
