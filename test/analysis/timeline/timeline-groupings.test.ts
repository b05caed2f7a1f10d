import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { eventRowSource } from '../../../src/analysis/timeline/event-rows.ts';
import { ROLE, ShownEvents } from '../../../src/analysis/timeline/shown-events.ts';
import type { SpanSource } from '../../../src/analysis/timeline/span-source.ts';
import { stackRowSource } from '../../../src/analysis/timeline/stack-rows.ts';
import type { RowGrouping, RowsRequest } from '../../../src/analysis/timeline/timeline.ts';
import { chooseLookup } from '../../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../../src/session/reading/opened-recording.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';
import { asTimelineRecording } from '../../../src/features/timeline/answers.ts';
import { StraceText } from '../../support/strace-text.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'iolens-groupings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let texts = 0;
function written(text: StraceText): string {
  const file = path.join(folder, `${texts++}.strace`);
  writeFileSync(file, text.toString());
  return file;
}

async function eventsOf(text: StraceText): Promise<ShownEvents> {
  const recording = await OpenedRecording.open(plainRequest(written(text)), await chooseLookup('/nonexistent', false));
  return new ShownEvents([asTimelineRecording(recording)], { ownFilesOnly: false });
}

interface Span {
  readonly row: string;
  /** Microseconds. */
  readonly from: number;
  readonly to: number;
  readonly counts: boolean;
}

function spansOf(source: SpanSource): Span[] {
  const read = (): Span[] => {
    const spans: Span[] = [];
    source.forEachBlock((block) => {
      for (let i = 0; i < block.length; i++) {
        const row = source.tree.nodes[source.tree.nodeOfLeaf[block.row[i]!]!]!.label;
        const from = Math.round(block.start[i]! / 1e3);
        const to = Math.round((block.start[i]! + block.duration[i]!) / 1e3);
        spans.push({ row, from, to, counts: (block.role[i]! & ROLE.isRequest) !== 0 });
      }
    });
    return spans.sort((a, b) => a.row.localeCompare(b.row) || a.from - b.from);
  };
  const spans = read();
  expect(read(), 'a second look gives the same').toEqual(spans);
  return spans;
}

/** `name` was called from line `line`: as strace -kk prints it. */
function frame(name: string, line: number, address: number): string {
  return `/w/app(${name}+0x1) [0x${address.toString(16)}] /w/app.c:${line}`;
}
const START = frame('_start', 1, 0x1);
const inMain = (line: number): string[] => [frame('main', line, 0x100 + line), START];
const WRITE = 'write(3</w/out>, ""..., 8) = 8';
/** `emit` writes, called by main at a line. */
const emit = (line: number): string[] => [frame('emit', 10, 0x500), ...inMain(line)];

describe('the call stack of a stream', () => {
  test('a function stands from its first call to its last, and ends when its caller moves', async () => {
    const text = new StraceText()
      .call(7, WRITE, 9, emit(20))
      .call(7, WRITE, 9, emit(20))
      .call(7, WRITE, 9, inMain(21))
      .call(7, WRITE, 9, emit(22))
      .call(7, WRITE, 9, emit(23))
      .call(8, 'nanosleep({}, NULL) = 0', 10_000, []);
    const source = stackRowSource(await eventsOf(text), undefined);
    const spans = spansOf(source);
    const row = (label: string): [number, number][] =>
      spans.filter((span) => span.row === label).map(({ from, to }) => [from, to]);
    expect(row('frame 1')).toEqual([[0, 49]]);
    expect(row('frame 2')).toEqual([[0, 49]]);
    // The calls of emit from lines 22 and 23 are two; those from line 20 may be one.
    expect(row('frame 3')).toEqual([
      [0, 19],
      [30, 39],
      [40, 49],
    ]);
    expect(row('calls')).toEqual([0, 10, 20, 30, 40].map((from) => [from, from + 9]));
    expect(spans.filter(({ counts }) => counts).every(({ row: label }) => label === 'calls')).toBe(true);
  });

  test('a long gap ends what is said of a function, not of main', async () => {
    const text = new StraceText()
      .call(7, WRITE, 9, emit(20))
      .call(8, 'nanosleep({}, NULL) = 0', 100_000, [])
      .call(7, WRITE, 9, emit(20));
    const spans = spansOf(stackRowSource(await eventsOf(text), 0));
    expect(spans.filter(({ row }) => row === 'frame 2')).toHaveLength(1);
    expect(spans.filter(({ row }) => row === 'frame 3')).toHaveLength(2);
  });

  test('calls of other streams, and those without a stack, make no frames', async () => {
    const text = new StraceText()
      .call(7, WRITE, 9, inMain(20))
      .call(8, WRITE, 9, emit(20))
      .call(7, WRITE, 9, [])
      .call(7, WRITE, 9, inMain(20));
    const source = stackRowSource(await eventsOf(text), 0);
    const spans = spansOf(source);
    expect(spans.map(({ row }) => row)).toEqual(['calls', 'calls', 'calls', 'frame 1', 'frame 2']);
    expect(source.notes).toEqual([
      '1 call of process 7 has no call stack',
      'select another process, thread or rank to see its call stack',
    ]);
    expect(stackRowSource(await eventsOf(text), 99).notes[0]).toContain('no such process');
  });

  test('is drawn: frames by function, calls by what they do', async () => {
    const text = new StraceText();
    text.times(5, (i) => {
      text.call(7, WRITE, 9, i % 2 === 0 ? emit(20) : inMain(21));
    });
    text.call(8, 'nanosleep({}, NULL) = 0', 10_000, []);
    const session = localSession({ folder });
    const { id } = await session.recordings.open({ ...plainRequest(written(text)), cacheBytes: 0, maySpawn: false });
    const rows = await session.timeline.rows([id], requestOf('stack'));
    expect(rows.rows.map(({ label }) => label)).toEqual(['frame 1', 'frame 2', 'frame 3', 'calls']);
    const labels = rows.categories.map(({ label }) => label);
    expect(labels.toSorted()).toEqual(['_start()', 'emit()', 'main()', 'write']);
    const window = await session.timeline.window(rows.token, { fromNs: 0, toNs: 49_000, bins: 5, rows: [0, 1, 2, 3] });
    const seen = [0, 1, 2, 3].map((row) =>
      [...window.category.subarray(row * 5, row * 5 + 5)].map((c) => labels[c] ?? ''),
    );
    expect(seen[1]).toEqual(Array(5).fill('main()'));
    expect(seen[2]!.filter((label) => label !== '')).toEqual(Array(seen[2]!.filter(Boolean).length).fill('emit()'));
    expect(seen[3]).toEqual(Array(5).fill('write'));
    const hit = await session.timeline.eventAt(rows.token, 2, 1000, 5000);
    expect(hit).toMatchObject({ call: 'write', site: { line: 10 } });
  });

  test('keeps each depth where rows that are alike stand as one', async () => {
    const text = new StraceText().call(7, WRITE, 9, emit(20)).call(7, WRITE, 9, emit(20));
    const session = localSession({ folder });
    const { id } = await session.recordings.open({ ...plainRequest(written(text)), cacheBytes: 0, maySpawn: false });
    const { rows } = await session.timeline.rows([id], { ...requestOf('stack'), exemplars: true });
    expect(rows.map(({ label }) => label)).toEqual(['frame 1', 'frame 2', 'frame 3', 'calls']);
  });

  test('of a recording without stacks says how to get some, and offers no other thread', async () => {
    const source = stackRowSource(await eventsOf(new StraceText().call(7, WRITE, 9).call(8, WRITE, 9)), undefined);
    expect(source.notes).toEqual([expect.stringMatching(/^the recording has no call stacks: record with .*strace -k/)]);
    expect(new Set(spansOf(source).map(({ row }) => row))).toEqual(new Set(['calls']));
  });

  test('is that of the process or thread that is selected, whatever else is', async () => {
    const text = new StraceText()
      .call(7, WRITE, 9, inMain(20))
      .call(7, WRITE, 9, inMain(21))
      .call(8, WRITE, 9, emit(22));
    const session = localSession({ folder });
    const { id } = await session.recordings.open({ ...plainRequest(written(text)), cacheBytes: 0, maySpawn: false });
    const rowsWith = async (selection: RowsRequest['selection']): Promise<string[]> => {
      const { rows, notes } = await session.timeline.rows([id], { ...requestOf('stack'), selection });
      return [notes.find((note) => note.startsWith('the call stack'))!, ...rows.map(({ label }) => label)];
    };
    const ofSeven = ['the call stack of process 7', 'frame 1', 'frame 2', 'calls'];
    const ofEight = ['the call stack of process 8', 'frame 1', 'frame 2', 'frame 3', 'calls'];
    const streams = await session.timeline.rows([id], requestOf('stream'));
    const selects = (label: string): RowsRequest['selection'] => [
      streams.rows.find((row) => row.label === label)!.selects!,
    ];
    expect(await rowsWith([])).toEqual(ofSeven);
    expect(await rowsWith(selects('process 8'))).toEqual(ofEight);
    expect(await rowsWith(selects('process 7'))).toEqual(ofSeven);
    expect(await rowsWith([...selects('process 8'), { kind: 'call', call: 'read' }])).toEqual(ofEight);
    expect(await rowsWith([{ kind: 'line', file: '/w/app.c', line: 10 }])).toEqual(ofSeven);
    expect(await rowsWith([{ kind: 'process', host: '', process: 99 }])).toEqual(ofSeven);
  });
});

function requestOf(grouping: RowGrouping): RowsRequest {
  return {
    grouping,
    facets: false,
    order: 'recorded',
    exemplars: false,
    rowFilter: '',
    colourBy: 'operation',
    ownFilesOnly: false,
    selection: [],
    onlySelected: false,
  };
}

describe('handles', () => {
  test('stand below their file with the time that they are used', async () => {
    const text = new StraceText();
    for (const name of ['a', 'b', 'a'])
      text
        .call(7, `openat(AT_FDCWD, "/w/${name}", O_RDONLY) = 3</w/${name}>`, 9)
        .call(7, `read(3</w/${name}>, ""..., 8) = 8`, 9)
        .call(7, `close(3</w/${name}>) = 0`, 9);
    const source = eventRowSource(await eventsOf(text), 'handle', false);
    const spans = spansOf(source);
    expect(spans.map(({ row }) => row)).toEqual(
      [1, 2, 3].flatMap((handle) => Array<string>(3).fill(`handle ${handle}, process 7`)),
    );
    const roots = source.tree.roots.map((root) => source.tree.nodes[root]!);
    expect(roots.map(({ label, children }) => [label, children.length])).toEqual([
      ['/w/a', 2],
      ['/w/b', 1],
    ]);
    const first = source.tree.nodes[roots[0]!.children[0]!]!;
    expect(first.description).toBe('handle 1 (one open), opened by process 7, used from 0 ns to 29 µs');
  });

  test('many of one file are grouped by who opened them', async () => {
    const text = new StraceText();
    for (let i = 0; i < 20; i++)
      text
        .call(7 + (i % 2), 'openat(AT_FDCWD, "/w/a", O_RDONLY) = 3</w/a>', 9)
        .call(7 + (i % 2), 'close(3</w/a>) = 0', 9);
    const source = eventRowSource(await eventsOf(text), 'handle', false);
    expect(spansOf(source)).toHaveLength(40);
    const { tree } = source;
    const openers = tree.nodes[tree.roots[0]!]!.children.map((child) => tree.nodes[child]!);
    expect(openers.map(({ label, children }) => [label, children.length])).toEqual([
      ['process 7', 10],
      ['process 8', 10],
    ]);
  });
});
