import { getOrCreate } from '../../base/grouping.ts';
import type { LoopCalls } from '../../analysis/loops/loop-options.ts';
import type { Pattern, StreamPattern } from '../../analysis/loops/pattern.ts';
import type { LoopGroup, RecordingLoops } from '../../export/loops/loop-document.ts';
import { LoopLines } from '../../export/loops/loop-lines.ts';
import type { LoopAround } from '../../export/loops/loop-variables.ts';
import type { LoopGroupsPage, LoopLinesPage, LoopMethods, LoopPage } from './methods.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';

/** Loops of a recording by the choice of calls. */
interface FoundLoops {
  readonly recording: OpenedRecording;
  readonly lines: LoopLines;
  readonly groups: readonly { readonly pattern: StreamPattern; readonly document: LoopGroup }[];
}

/** Lines of a document; each takes a kilobyte while it is written. */
const MOST_LINES = 100_000;

export class LoopAnswers implements LoopMethods {
  /** Of the last few questions: a tree asks the same recording again and again. */
  private readonly found = new WeakMap<OpenedRecording, Map<LoopCalls, FoundLoops>>();

  constructor(private readonly recordings: RecordingsById) {}

  document(id: number, calls: LoopCalls): Promise<RecordingLoops> {
    const { recording, lines, groups } = this.find(id, calls);
    const room = { lines: MOST_LINES };
    const documents = groups.map(({ pattern, document }) => {
      const before = room.lines;
      const patterns = lines.tree(pattern.patterns, lines.counting(pattern), room);
      const linesLeftOut = document.size - (before - room.lines);
      return { ...document, patterns, ...(linesLeftOut > 0 && { linesLeftOut }) };
    });
    return Promise.resolve({ recording: recording.request.paths.join(' '), calls, groups: documents });
  }

  groups(id: number, calls: LoopCalls, page: LoopPage): Promise<LoopGroupsPage> {
    const { groups } = this.find(id, calls);
    const shown = groups.slice(page.from, page.from + page.most).map(({ document }) => document);
    return Promise.resolve({ groups: shown, total: groups.length });
  }

  lines(id: number, calls: LoopCalls, path: readonly number[], page: LoopPage): Promise<LoopLinesPage> {
    const { lines, groups } = this.find(id, calls);
    const [group, ...way] = path;
    const pattern = groups[group ?? -1]?.pattern;
    if (pattern === undefined) return Promise.resolve({ lines: [], total: 0 });
    let inside: readonly Pattern[] = pattern.patterns;
    const around: LoopAround[] = [];
    for (const step of way) {
      const loop = inside[step];
      if (loop?.kind !== 'loop') return Promise.resolve({ lines: [], total: 0 });
      around.push(lines.around(loop, around));
      inside = loop.body;
    }
    const counting = lines.counting(pattern);
    const shown = inside.slice(page.from, page.from + page.most).map((line) => lines.line(line, counting, around));
    return Promise.resolve({ lines: shown, total: inside.length });
  }

  private find(id: number, calls: LoopCalls): FoundLoops {
    const recording = this.recordings.of(id);
    const known = this.found.get(recording) ?? new Map<LoopCalls, FoundLoops>();
    this.found.set(recording, known);
    const found = getOrCreate(known, calls, () => loopsOf(recording, calls));
    return found;
  }
}

function loopsOf(recording: OpenedRecording, calls: LoopCalls): FoundLoops {
  const lines = new LoopLines(recording.trace, recording.callSites(), (file) => recording.localSource(file));
  const groups = recording
    .loops(calls)
    .map((pattern) => ({ pattern, document: lines.group(pattern) }))
    .sort((a, b) => b.document.timeNs - a.document.timeNs || b.document.events - a.document.events);
  return { recording, lines, groups };
}
