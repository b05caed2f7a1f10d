import { parseFrame } from '../../readers/strace/stack-blocks.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { SourceFrame } from '../../symbols/resolved-stacks.ts';
import { locateSources } from '../../symbols/source-locator.ts';
import { resolveStacks } from '../../symbols/stack-resolver.ts';
import { CallStackTable } from '../../trace/call-stacks.ts';
import { NONE } from '../../trace/events.ts';
import { localSymbolFiles, WorkspaceSources } from '../../session/machine/local-files.ts';
import type { OpenRequest } from '../../session/reading/open-request.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { NOTHING_KEPT } from '../../session/reading/kept/read-places.ts';
import { searchOf } from '../../session/reading/recording-context.ts';

/** A stack as it stands in the text of a recording, and where to look for what it names. */
export interface StackQuestion {
  /** The lines of one stack, innermost frame first. */
  readonly lines: readonly string[];
  /** The open recording that they are part of, where there is one. */
  readonly recording?: number;
  readonly request: OpenRequest;
}

/** A source frame behind a line of a stack; a line has several where calls were inlined, innermost first. */
export interface StackLineFrame {
  readonly function: string;
  /** On this machine where it is here, else as recorded; '' when unknown. */
  readonly file: string;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
  readonly column: number;
  readonly isHere: boolean;
}

/** Answers that are kept: a user goes back and forth between a few stacks. */
const MOST_ANSWERS = 200;

type Locate = (recorded: string) => { file: string; isHere: boolean };

/** Resolves stacks from the text of recordings: by an open recording's own answers, else from the lines alone. */
export class StackLines {
  private readonly answers = new Map<string, Promise<StackLineFrame[][]>>();
  /** The workspace is listed once, not for every stack. */
  private tree: { readonly folders: string; readonly sources: WorkspaceSources } | undefined;

  constructor(private readonly lookup: (maySpawn: boolean) => Promise<LookupFactory>) {}

  /** The frames of each line; none for a line that is no frame. */
  resolve(question: StackQuestion, open: OpenedRecording | undefined): Promise<StackLineFrame[][]> {
    const stacks = new CallStackTable();
    const frames = question.lines.map((line) => parseFrame(line, stacks));
    const known = open === undefined ? undefined : fromRecording(open, frames, stacks);
    if (known !== undefined) return Promise.resolve(known);
    const key = JSON.stringify([question.lines, question.request]);
    let answer = this.answers.get(key);
    if (answer === undefined) {
      answer = this.fromLines(question.request, frames, stacks);
      this.answers.set(key, answer);
      // What failed may succeed later: the binary may be there then.
      answer.catch(() => this.answers.delete(key));
      if (this.answers.size > MOST_ANSWERS) this.answers.delete(this.answers.keys().next().value!);
    }
    return answer;
  }

  private async fromLines(
    request: OpenRequest,
    frames: readonly number[],
    stacks: CallStackTable,
  ): Promise<StackLineFrame[][]> {
    const nodes = frames.map(() => NONE);
    let caller = NONE;
    for (let at = frames.length - 1; at >= 0; at--) {
      if (frames[at] === NONE) continue;
      caller = stacks.internNode(caller, frames[at]!);
      nodes[at] = caller;
    }
    // A stack alone tells neither when it was recorded nor of which build.
    const search = await searchOf({ stacks }, request, {
      note: undefined,
      recordedUntil: undefined,
      kept: NOTHING_KEPT,
    });
    const factory = await this.lookup(request.maySpawn);
    const recorded = { stacks, program: '' };
    const resolved = await resolveStacks(recorded, localSymbolFiles, search, factory);
    const found = nodes.map((node) => (node === NONE ? [] : resolved.framesOf(node)));
    const files = new Set(found.flat().map(({ file }) => file));
    const rules = { written: request.pathRules, learned: request.learnedRules };
    const located = await locateSources(files, this.treeOf(request.workspaceFolders), rules);
    return documents(found, (file) => {
      const local = located.get(file)?.local;
      return { file: local ?? file, isHere: local !== undefined };
    });
  }

  private treeOf(folders: readonly string[]): WorkspaceSources {
    const key = folders.join('\0');
    if (this.tree?.folders !== key) this.tree = { folders: key, sources: new WorkspaceSources(folders) };
    return this.tree.sources;
  }
}

/** undefined when a frame is none of the recording's: the text was changed since, or is of another. */
function fromRecording(
  recording: OpenedRecording,
  frames: readonly number[],
  lines: CallStackTable,
): StackLineFrame[][] | undefined {
  const { stacks } = recording.trace;
  const wanted = new Map<number, number>();
  const known: (number | undefined)[] = frames.map((frame) => {
    if (frame === NONE) return NONE;
    const found = stacks.findFrame(lines.frame(frame));
    if (found !== undefined) wanted.set(found, NONE);
    return found;
  });
  if (known.includes(undefined)) return undefined;
  for (let node = 0; node < stacks.nodes; node++) {
    const frame = stacks.nodeFrame.at(node);
    if (wanted.get(frame) === NONE) wanted.set(frame, node);
  }
  const found = known.map((frame) => (frame === NONE ? [] : recording.resolved.framesOf(wanted.get(frame!)!)));
  return documents(found, (file) => recording.localSource(file));
}

function documents(found: readonly (readonly SourceFrame[])[], locate: Locate): StackLineFrame[][] {
  return found.map((frames) =>
    frames.map(({ functionName, file, line, column }) => ({ function: functionName, line, column, ...locate(file) })),
  );
}
