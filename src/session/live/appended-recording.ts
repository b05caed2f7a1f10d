import { machine } from '#machine';
import type { GrowingReader } from '../../readers/growing-reader.ts';
import type { Format } from '../../readers/registry.ts';
import { GrowingStacks } from '../../symbols/growing-stacks.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import { UnreadableRecordingError, type Trace } from '../../trace/trace.ts';
import { NOTHING_NEW, type Followed, type FollowMeans, type Look } from './followed.ts';
import { LocalGrowingFile } from './growing-file.ts';
import { localSymbolFiles, WorkspaceSources } from '../machine/local-files.ts';
import type { EventSpill } from '../machine/machine.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import { OpenedRecording, type OpenHooks } from '../reading/opened-recording.ts';
import { readingProgress } from '../reading/read-request.ts';
import { contextOf, type RecordingContext } from '../reading/recording-context.ts';
import { isPacked } from '../reading/recording-files.ts';
import { recogniseRecording, type RecognisedRecording } from '../reading/recognise-recording.ts';
import { WatchedFiles, type FileState } from './watched-files.ts';

/** What is kept of one run of the recorded program: all of it begins anew when the program is started again. */
interface Run {
  readonly reader: GrowingReader;
  readonly spill: EventSpill;
  readonly files: Map<string, LocalGrowingFile>;
  readonly recognised: RecognisedRecording;
  context: RecordingContext | undefined;
}

/** A recording whose files are only ever appended to: of them only what was appended is read. */
export class AppendedRecording implements Followed {
  private readonly watched: WatchedFiles;
  private readonly growing: { stacks: GrowingStacks; tree: WorkspaceSources };
  private run: Run | undefined;
  /** Files as they were when it was last found out which of them belong to the recording. */
  private judged = new Map<string, FileState>();

  /** @param grow makes the reader of its format. */
  constructor(
    request: OpenRequest,
    private readonly means: FollowMeans,
    private readonly grow: NonNullable<Format['grow']>,
  ) {
    this.watched = new WatchedFiles(request.paths);
    this.growing = {
      stacks: new GrowingStacks(localSymbolFiles, means.lookup),
      tree: new WorkspaceSources(request.workspaceFolders),
    };
  }

  /**
   * Reads what there is.
   * @throws as opening does, when nothing of it is a recording (yet).
   */
  async begin(request: OpenRequest, recognised: RecognisedRecording, hooks: OpenHooks = {}): Promise<OpenedRecording> {
    const states = await this.watched.look();
    const spill = machine.spill(this.means.reading.budget);
    const reader = this.grow({ sharedPaths: request.sharedPaths, chunkStore: spill });
    const run: Run = { reader, spill, files: new Map(), recognised, context: undefined };
    try {
      addFiles(run, recognised.files);
      for (const [path, file] of run.files) {
        const state = states.get(path);
        if (state !== undefined) await file.see(state);
      }
      await reader.read({ progress: readingProgress(hooks), ...(hooks.signal && { signal: hooks.signal }) });
      if (reader.understood === 0)
        throw new UnreadableRecordingError(`${request.paths.join(' ')}: no call is complete yet`);
      const recording = await this.stateOf(run, request);
      await this.endRun();
      this.run = run;
      this.judged = states;
      return recording;
    } catch (error) {
      await closeRun(run);
      throw error;
    }
  }

  async step(before: OpenedRecording): Promise<Look> {
    const run = this.run!;
    const states = await this.watched.look();
    const { replaced, gone } = await seeAll(run, states);
    try {
      if (replaced) return await this.beginAnew(before.request);
      await this.addAppeared(run, states);
      const hasMore = await run.reader.read();
      const problem = gone === undefined ? '' : `${gone}: the file is gone; what was read of it is kept`;
      if (!hasMore) return { ...NOTHING_NEW, problem };
      return { now: await this.stateOf(run, before.request, before), anew: false, problem };
    } catch (error) {
      return { ...NOTHING_NEW, problem: messageOf(error) };
    }
  }

  private async beginAnew(request: OpenRequest): Promise<Look> {
    const recognised = await recogniseRecording(request.paths);
    return { now: await this.begin(request, recognised), anew: true, problem: '' };
  }

  /** Processes may write files of their own: looks whether new files belong to the recording. */
  private async addAppeared(run: Run, states: ReadonlyMap<string, FileState>): Promise<void> {
    const isNew = ([path, { size }]: [string, FileState]): boolean =>
      !run.files.has(path) && size > 0 && this.judged.get(path)?.size !== size;
    const appeared = [...states].filter(isNew);
    if (appeared.length === 0) return;
    this.judged = new Map(states);
    for (const [path, state] of appeared) {
      const found = await recogniseRecording([path]).catch(() => undefined);
      // What is packed is complete, and read when the following ends.
      if (found?.format.name !== run.recognised.format.name || (await isPacked(path))) continue;
      addFiles(run, found.files);
      await run.files.get(path)!.see(state);
    }
  }

  private async stateOf(run: Run, request: OpenRequest, before?: OpenedRecording): Promise<OpenedRecording> {
    const { recognised, reader } = run;
    const found = reader.snapshot();
    const trace: Trace = {
      ...found,
      notes: [...found.notes, ...recognised.notes],
      damage: [...recognised.damage, ...found.damage],
    };
    const paths = [...run.files.keys()].map((path) => ({ path }));
    run.context ??= await contextOf(request, paths, trace);
    const read = { trace, notes: [], stored: Promise.resolve(), close: () => Promise.resolve() };
    return OpenedRecording.grown(request, read, run.context, this.growing, before);
  }

  async stop(before: OpenedRecording): Promise<OpenedRecording> {
    const run = this.run!;
    const { lookup, reading } = this.means;
    const { request } = before;
    const states = await this.watched.look();
    const { replaced, gone } = await seeAll(run, states);
    // Else the files are read once more, in their order: only so does each process inherit what it should.
    const isRead = run.reader.isExact && states.size === 1 && !replaced && gone === undefined;
    const events = { areFinished: false };
    const finish = async (): Promise<Trace> => {
      events.areFinished = true;
      await run.reader.read();
      return run.reader.finish();
    };
    try {
      const means = isRead ? { ...reading, spill: run.spill } : reading;
      const recording = await OpenedRecording.open(request, lookup, {}, means, isRead ? finish : undefined);
      // The events that were read belong to the recording from here on.
      if (isRead) this.run = undefined;
      return recording;
    } catch (error) {
      if (events.areFinished) throw error;
      this.run = undefined;
      return await this.keptOf(run, request, messageOf(error));
    }
  }

  /** What was read of files that are gone. */
  private async keptOf(run: Run, request: OpenRequest, problem: string): Promise<OpenedRecording> {
    const found = await run.reader.finish();
    const trace = { ...found, notes: [...found.notes, `${problem}; what was read of it before is kept`] };
    const close = (): Promise<void> => {
      run.spill.close();
      return Promise.resolve();
    };
    const read = { trace, notes: [], stored: Promise.resolve(), close };
    return OpenedRecording.grown(request, read, run.context!, this.growing);
  }

  private async endRun(): Promise<void> {
    if (this.run !== undefined) await closeRun(this.run);
    this.run = undefined;
  }

  async close(): Promise<void> {
    await this.endRun();
    this.growing.stacks.close();
  }
}

function addFiles(run: Run, files: readonly Pick<RecordingFile, 'path'>[]): void {
  const growing = files.map(({ path }) => new LocalGrowingFile(path));
  for (const file of growing) run.files.set(file.path, file);
  run.reader.add(growing);
}

/** Tells the files of a run what a look at them showed. */
async function seeAll(
  { files }: Run,
  states: ReadonlyMap<string, FileState>,
): Promise<{ replaced: boolean; gone: string | undefined }> {
  let replaced = false;
  let gone: string | undefined;
  let stay = 0;
  for (const [path, file] of files) {
    const state = states.get(path);
    if (state === undefined) gone ??= path;
    else {
      stay++;
      // One that goes away between the two looks is gone at the next.
      if (!(await file.see(state).catch(() => true))) replaced = true;
    }
  }
  // A folder was emptied, and there are others in it.
  if (stay === 0 && states.size > 0) replaced = true;
  return { replaced, gone };
}

async function closeRun({ reader, spill }: Run): Promise<void> {
  await reader.close();
  spill.close();
}
