import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { graphRequest, viewGraph } from '../../../src/features/graph/graph-request.ts';
import {
  DEFAULT_CHOICES,
  type GraphChoices,
  type GraphLine,
  type GraphOffers,
  type MadeGraph,
  type ViewGraph,
} from '../../../src/features/graph/protocol.ts';
import type { PanelAnswers } from '../../../src/features/editor/panel-end.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';

const dist = path.resolve(import.meta.dirname, '../../../dist');

/** Lines of strace for calls of one process, a millisecond after each other. */
function straceText(
  calls: readonly (readonly [call: string, path: string, microseconds: number])[],
  from: number,
): string {
  return calls
    .map(([call, file, microseconds], i) => {
      const seconds = (1_795_252_180_000 + from + i * 2) / 1000;
      return `7 ${seconds.toFixed(6)} ${call}(3<${file}>, "x", 4096) = 4096 <${(microseconds / 1e6).toFixed(6)}>\n`;
    })
    .join('');
}

/** A program with input below /p/scratch/in and output below /p/scratch/out, run by some processes. */
export function writeRun(folder: string, name: string, ranks: number, writes: number): string {
  const run = path.join(folder, name);
  mkdirSync(run, { recursive: true });
  for (let rank = 0; rank < ranks; rank++) {
    const calls: [string, string, number][] = [['read', '/home/me/config', 50]];
    for (let i = 0; i < 6; i++)
      calls.push(['read', '/p/scratch/in/mesh.h5', 400], ['lseek', '/p/scratch/in/mesh.h5', 5]);
    for (let i = 0; i < writes; i++) calls.push(['write', '/p/scratch/out/cells.dat', 900]);
    calls.push(['fsync', '/p/scratch/out/cells.dat', 3000], ['write', '/p/scratch/out/log.txt', 60]);
    writeFileSync(path.join(run, `${name}_host1_${rank}.st`), straceText(calls, rank));
  }
  return run;
}

/** A program that touches files of the system alone. */
export function writeSystemRun(folder: string): string {
  const file = path.join(folder, 'ls.strace');
  const paths = ['/usr/lib/x86_64-linux-gnu/libc.so.6', '/etc/ld.so.cache', '/proc/filesystems'];
  writeFileSync(
    file,
    straceText(
      paths.map((each) => ['read', each, 5]),
      0,
    ),
  );
  return file;
}

/** A recording of many different files, for a graph that cannot be read as a whole. */
export function writeManyFiles(folder: string, files: number): string {
  const run = path.join(folder, 'many');
  mkdirSync(run, { recursive: true });
  const names = Array.from({ length: files }, (_, i) => `/data/part${i % 12}/file${i}`);
  const calls = names.flatMap((name, i): [string, string, number][] => [
    ['read', name, 10 + i],
    ['write', names[(i * 7) % files]!, 5],
  ]);
  writeFileSync(path.join(run, 'many_host1_0.st'), straceText(calls, 0));
  return run;
}

/** The extension's side of the graph, with a real session behind it. */
export class GraphHost {
  readonly session = localSession({ folder: dist });
  choices: GraphChoices = DEFAULT_CHOICES;
  offers: GraphOffers = { mappings: [], recordings: [] };
  graph: ViewGraph | undefined;
  private readonly open = new Map<string, { id: number; name: string; paths: readonly string[] }>();

  async add(paths: readonly string[]): Promise<void> {
    const { id } = await this.session.recordings.open({ ...plainRequest(...paths), maySpawn: false });
    this.open.set(JSON.stringify(paths), { id, name: path.basename(paths[0]!), paths });
  }

  /** The recording that is shown: the last that was added. */
  private get shown(): { id: number; name: string; paths: readonly string[] } {
    return [...this.open.values()].at(-1)!;
  }

  readonly answers: Omit<PanelAnswers<GraphLine>, 'layoutEngine'> = {
    timeline: async (wanted) => {
      const { session, shown } = this;
      const request = graphRequest(this.choices, []);
      const timeline = await session.graph.timeline(shown.id, request, { ...wanted, mostRows: 24 });
      return timeline === undefined ? [] : [{ recording: shown.name, timeline }];
    },
    preview: ({ rules }) => {
      const choices: GraphChoices = { ...this.choices, mapping: 'rules', rules, collapsed: [] };
      return this.session.graph.preview(this.shown.id, graphRequest(choices, []), 200);
    },
  };

  async made(): Promise<MadeGraph> {
    const { session, shown, choices } = this;
    const base = this.open.get(JSON.stringify(choices.base));
    const request = graphRequest(choices, []);
    const document = await session.graph.document(shown.id, request);
    const before = base && { name: base.name, document: await session.graph.document(base.id, request) };
    const recording = { name: shown.name, paths: shown.paths } as Parameters<typeof viewGraph>[1];
    this.graph = viewGraph(document, recording, before);
    return { choices, graph: this.graph, offers: this.offers };
  }
}
