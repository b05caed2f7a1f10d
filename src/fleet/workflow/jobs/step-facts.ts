import { FORMAT_TRAITS } from '../../../readers/format-traits.ts';
import type { FileAccess, RecordingFacts } from '../recording-facts.ts';
import { sumOfShares } from '../shares/share-sum.ts';
import type { AccessMode, RuntimeShare } from '../workflow-document.ts';

/** What all recordings of a step say together. */
export interface StepFacts {
  readonly share: RuntimeShare | null;
  readonly files: readonly FileAccess[];
  /** Paths that open one of them. */
  readonly recording: readonly string[];
  readonly format: string | null;
  /** Recordings of other runs of the step, which `recording` does not open. */
  readonly others: readonly RecordingFacts[];
}

/** Where several tools recorded a run, the one counts that knows most of its time; a profile holds its sums only. */
function knowledgeOfTime({ format }: RecordingFacts): number {
  return format === 'otf2-profile' ? 0 : FORMAT_TRAITS[format].knowledgeOfTime;
}

/** A step may run several programs, and each of them may be recorded by several tools. */
export function factsOfStep(recordings: readonly RecordingFacts[]): StepFacts {
  const [best] = [...recordings].sort((a, b) => knowledgeOfTime(b) - knowledgeOfTime(a));
  if (best === undefined) return { share: null, files: [], recording: [], format: null, others: [] };
  const counted = recordings.filter(({ format }) => format === best.format);
  const longest = [...counted].sort((a, b) => secondsOf(b) - secondsOf(a))[0]!;
  const files = joined(counted.flatMap((each) => each.files));
  // Files that only another tool saw are files of the step as well.
  const more = joined(recordings.filter((each) => !counted.includes(each)).flatMap((each) => each.files));
  for (const [path, access] of more) if (!files.has(path)) files.set(path, access);
  return {
    share: sumOfShares(counted.map(({ share }) => share)),
    files: [...files.values()],
    recording: longest.paths,
    format: best.format,
    others: counted.filter((each) => each !== longest),
  };
}

function secondsOf({ share }: RecordingFacts): number {
  return share === null ? 0 : share.computation + share.communication + share.io;
}

function joined(accesses: readonly FileAccess[]): Map<string, FileAccess> {
  const files = new Map<string, FileAccess>();
  for (const access of [...accesses].sort((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
    const known = files.get(access.path);
    files.set(access.path, known === undefined ? access : joinAccesses(known, access));
  }
  return files;
}

/** What two programs of a step, or one under two names of the file, did to it. */
export function joinAccesses(first: FileAccess, second: FileAccess): FileAccess {
  return {
    path: first.path,
    parent: first.parent ?? second.parent,
    mode: bothModes(first.mode, second.mode),
    paradigms: [...new Set([...first.paradigms, ...second.paradigms])],
    bytesRead: plus(first.bytesRead, second.bytesRead),
    bytesWritten: plus(first.bytesWritten, second.bytesWritten),
    from: least(first.from, second.from),
    to: most(first.to, second.to),
    writtenUntil: most(first.writtenUntil, second.writtenUntil),
    readFrom: least(first.readFrom, second.readFrom),
    // What the first one wrote the second one need not get from elsewhere.
    needsContent: first.needsContent || (second.needsContent && !first.leavesContent),
    leavesContent: second.mode === 'read' ? first.leavesContent : second.leavesContent,
    keepsContent: first.keepsContent || (first.mode === 'read' && second.keepsContent),
  };
}

function bothModes(a: AccessMode, b: AccessMode): AccessMode {
  return a === b ? a : 'read-write';
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}

function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

function most(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
