import type { FileAccess } from '../recording-facts.ts';
import { isOfNode } from '../files/workflow-files.ts';
import type { WorkflowDependency } from '../workflow-document.ts';

/** A step's use of a file. */
export interface FileUser {
  readonly job: number;
  readonly step: number;
  readonly access: FileAccess;
  /** Of the step; they stand for times of the file where its recording has no dates. */
  readonly start: number | null;
  readonly end: number | null;
  readonly nodeList: readonly string[];
}

/** What one step wrote and one of another job read. */
export interface DataFlow {
  readonly file: number;
  readonly writer: FileUser;
  readonly reader: FileUser;
}

/** Seconds by which accounted times may be wrong: they are whole seconds. */
const RESOLUTION = 1;

/**
 * What flows from job to job: a step reads what an earlier one left in a file of the same name. Where several wrote it
 * before, the last one counts, and those that it left something of.
 *
 * @param jobs in the order of their starts: data of a job that began later are none that one depended on to start.
 */
export function dataFlows(paths: readonly string[], users: readonly (readonly FileUser[])[]): DataFlow[] {
  return users.flatMap((all, file) => {
    const writers = all.filter(({ access }) => access.leavesContent);
    const readers = all.filter(({ access }) => access.needsContent);
    if (writers.length === 0 || readers.length === 0) return [];
    const ofNode = isOfNode(paths[file]!);
    return readers.flatMap((reader) => {
      const before = writers.filter((writer) => isBefore(writer, reader) && (!ofNode || sharesNode(writer, reader)));
      return lastWriters(before).flatMap((writer) => (writer.job === reader.job ? [] : [{ file, writer, reader }]));
    });
  });
}

function writtenUntil({ access, end }: FileUser): number | null {
  return access.writtenUntil ?? access.to ?? end;
}

function isBefore(writer: FileUser, reader: FileUser): boolean {
  if (writer.job > reader.job || (writer.job === reader.job && writer.step >= reader.step)) return false;
  const written = writtenUntil(writer);
  const read = reader.access.readFrom ?? reader.access.from ?? reader.start;
  if (written === null || read === null) return false;
  const isExact = writer.access.to !== null && reader.access.from !== null;
  return written <= read + (isExact ? 0 : RESOLUTION);
}

function sharesNode(a: FileUser, b: FileUser): boolean {
  return a.nodeList.length === 0 || b.nodeList.length === 0 || a.nodeList.some((node) => b.nodeList.includes(node));
}

/** The last writer, those that wrote beside it, and those before as long as what they wrote was kept. */
function lastWriters(writers: readonly FileUser[]): FileUser[] {
  const order = [...writers].sort((a, b) => writtenUntil(b)! - writtenUntil(a)!);
  const last: FileUser[] = [];
  let begun = Infinity;
  for (const writer of order) {
    const isBeside = writtenUntil(writer)! > begun;
    if (last.length > 0 && !isBeside && !last.at(-1)!.access.keepsContent) break;
    last.push(writer);
    begun = Math.min(begun, writer.access.from ?? writer.start ?? Infinity);
  }
  return last;
}

/** One dependency for each pair of jobs: of the step that writes last and the one that reads first. */
export function dataDependencies(flows: readonly DataFlow[]): WorkflowDependency[] {
  const found = new Map<string, { flows: DataFlow[] }>();
  for (const flow of flows) {
    const key = `${flow.writer.job} ${flow.reader.job}`;
    const pair = found.get(key) ?? { flows: [] };
    pair.flows.push(flow);
    found.set(key, pair);
  }
  return [...found.values()].map(({ flows: pair }) => {
    const { writer, reader } = pair[0]!;
    return {
      kind: 'data',
      from: writer.job,
      to: reader.job,
      fromStep: Math.max(...pair.map((flow) => flow.writer.step)),
      toStep: Math.min(...pair.map((flow) => flow.reader.step)),
      files: [...new Set(pair.map(({ file }) => file))].sort((a, b) => a - b),
      type: '',
    };
  });
}
