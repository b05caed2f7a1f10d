import { machine } from '#machine';
import type { InfoDocument } from '../../export/analysis/documents.ts';
import { infoDocument } from '../../export/analysis/info-document.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import type { PathRule } from '../../symbols/symbol-files.ts';
import { chooseLookup, type ReadResource } from '../machine/lookup-tools.ts';
import type { SessionResources } from '../session-resources.ts';
import { MemoryBudget } from './memory-budget.ts';
import type { OpenRequest } from './open-request.ts';
import { OpenedRecording, type OpenHooks, type OpenPhases } from './opened-recording.ts';
import { cacheOf, type ReadingMeans } from './read-recording.ts';

/** A recording that was opened. */
export interface OpenResult {
  readonly id: number;
  readonly info: InfoDocument;
  /** Milliseconds that reading and resolving took. */
  readonly phases: OpenPhases;
  /** What the user should know about how it was read; no damage of the recording. */
  readonly notes: readonly string[];
}

/** What those who answer questions need to know of open recordings. */
export type RecordingsById = Pick<OpenRecordings, 'of'>;

/** The recordings that are open, under their numbers, and what they share while they are read. */
export class OpenRecordings {
  private readonly recordings = new Map<number, OpenedRecording>();
  private readonly whenClosed: ((id: number) => unknown)[] = [];
  private lookupTool: Promise<LookupFactory> | undefined;
  private memory: MemoryBudget | undefined;
  private next: number;
  private readonly read: ReadResource;

  constructor(readonly resources: SessionResources) {
    this.next = resources.firstId ?? 1;
    this.read = resources.read ?? ((file) => machine.readResource(file));
  }

  /** @throws UnreadableRecordingError, or an Error in words for the user, when nothing can be read. */
  async open(request: OpenRequest, hooks: OpenHooks = {}): Promise<OpenResult> {
    const lookup = await this.lookup(request.maySpawn);
    const recording = await OpenedRecording.open(request, lookup, hooks, this.means(request));
    return openResult(this.add(recording), recording);
  }

  /** Looks for the sources by other learned rules; what was answered before is to be asked again. */
  async relocate(id: number, learnedRules: readonly PathRule[]): Promise<void> {
    this.recordings.set(id, await this.of(id).relocated(learnedRules));
  }

  async close(id: number): Promise<void> {
    const recording = this.recordings.get(id);
    this.recordings.delete(id);
    for (const tell of this.whenClosed) await tell(id);
    await recording?.close();
  }

  /** @param tell is called when a recording is no longer under its number; it is closed after that. */
  onClosing(tell: (id: number) => unknown): void {
    this.whenClosed.push(tell);
  }

  /** @throws Error in words for the user when no recording is open under the number. */
  of(id: number): OpenedRecording {
    const recording = this.recordings.get(id);
    if (recording === undefined) throw new Error('this recording is no longer open: open it again');
    return recording;
  }

  find(id: number): OpenedRecording | undefined {
    return this.recordings.get(id);
  }

  /** Puts a recording under a new number, which is returned. */
  add(recording: OpenedRecording): number {
    const id = this.next++;
    this.recordings.set(id, recording);
    return id;
  }

  /** Puts a recording in the place of what it was before, which is closed. */
  async replace(id: number, recording: OpenedRecording): Promise<void> {
    const before = this.recordings.get(id);
    this.recordings.set(id, recording);
    if (before !== recording) await before?.close();
  }

  /** What resolves addresses; chosen once. */
  lookup(maySpawn: boolean): Promise<LookupFactory> {
    this.lookupTool ??= chooseLookup(`${this.resources.folder}/addr2line.wasm`, maySpawn, this.read);
    return this.lookupTool;
  }

  /** How recordings are read; the first request with a memory budget decides on it for all. */
  means({ memoryBudget, cacheBytes }: Pick<OpenRequest, 'memoryBudget' | 'cacheBytes'>): ReadingMeans {
    this.memory ??= new MemoryBudget(memoryBudget);
    return { budget: this.memory, cache: cacheOf(cacheBytes) };
  }

  /** What events may take of memory, in all. */
  get budget(): MemoryBudget {
    return (this.memory ??= new MemoryBudget());
  }

  /** Reads a file that comes with the program. @param name in its folder (dist). */
  resource(name: string): Promise<Uint8Array> {
    return this.read(`${this.resources.folder}/${name}`);
  }
}

export function openResult(id: number, recording: OpenedRecording): OpenResult {
  const { request, trace, phases, notes, lacks } = recording;
  return { id, info: infoDocument(trace, request.paths.join(' '), lacks), phases, notes };
}
