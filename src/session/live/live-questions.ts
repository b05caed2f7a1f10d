import { AppendedRecording } from './appended-recording.ts';
import type { Followed } from './followed.ts';
import type { LiveMethods, LiveStep } from './live-methods.ts';
import { openResult, type OpenRecordings, type OpenResult } from '../reading/open-recordings.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import type { OpenedRecording, OpenHooks } from '../reading/opened-recording.ts';
import { recogniseRecording } from '../reading/recognise-recording.ts';
import { isPacked } from '../reading/recording-files.ts';
import { RewrittenRecording } from './rewritten-recording.ts';

/** The recordings that are followed. */
export class LiveQuestions implements LiveMethods {
  private readonly followed = new Map<number, Followed>();
  /** What is being done with each recording: one thing at a time. */
  private readonly underWay = new Map<number, Promise<unknown>>();

  constructor(private readonly recordings: OpenRecordings) {
    recordings.onClosing((id) => this.letGo(id));
  }

  async follow(request: OpenRequest, id: number | undefined, hooks: OpenHooks = {}): Promise<OpenResult> {
    const { followed, recording } = await this.begin(request, hooks);
    const number = await this.numbered(recording, id);
    this.followed.set(number, followed);
    return openResult(number, recording);
  }

  /** @returns the recording's number: that of the one whose place it takes, where that is still open. */
  private async numbered(recording: OpenedRecording, id: number | undefined): Promise<number> {
    if (id === undefined || this.recordings.find(id) === undefined) return this.recordings.add(recording);
    await this.letGo(id);
    await this.recordings.replace(id, recording);
    return id;
  }

  private async begin(
    request: OpenRequest,
    hooks: OpenHooks,
  ): Promise<{ followed: Followed; recording: OpenedRecording }> {
    if (request.paths.includes('-'))
      throw new Error('standard input cannot be followed: give the file that is written');
    const means = { lookup: await this.recordings.lookup(request.maySpawn), reading: this.recordings.means(request) };
    const recognised = await recogniseRecording(request.paths, hooks.signal);
    const { grow } = recognised.format;
    if (grow !== undefined && !(await anyPacked(recognised.files))) {
      const followed = new AppendedRecording(request, means, grow);
      return { followed, recording: await followed.begin(request, recognised, hooks) };
    }
    const followed = new RewrittenRecording(request, means);
    return { followed, recording: await followed.begin(request, hooks) };
  }

  step(id: number): Promise<LiveStep> {
    return this.oneAtATime(id, async () => {
      const followed = this.followedAs(id);
      const { now, anew, problem } = await followed.step(this.recordings.of(id));
      const isOpen = this.followed.get(id) === followed;
      if (now !== undefined && isOpen) await this.recordings.replace(id, now);
      else await now?.close();
      return { changed: now !== undefined && isOpen, anew, problem };
    });
  }

  stop(id: number): Promise<OpenResult> {
    return this.oneAtATime(id, async () => {
      const followed = this.followedAs(id);
      const recording = await followed.stop(this.recordings.of(id));
      const isOpen = this.followed.get(id) === followed;
      if (isOpen) {
        this.followed.delete(id);
        await this.recordings.replace(id, recording);
      } else await recording.close();
      await followed.close();
      if (!isOpen) throw new Error('this recording was closed');
      return openResult(id, recording);
    });
  }

  /** Follows a recording no more. */
  private async letGo(id: number): Promise<void> {
    const followed = this.followed.get(id);
    this.followed.delete(id);
    if (followed === undefined) return;
    await this.underWay.get(id);
    await followed.close();
  }

  private followedAs(id: number): Followed {
    const followed = this.followed.get(id);
    if (followed === undefined || this.recordings.find(id) === undefined)
      throw new Error('this recording is no longer followed');
    return followed;
  }

  private async oneAtATime<Value>(id: number, act: () => Promise<Value>): Promise<Value> {
    const before = this.underWay.get(id);
    const doing = Promise.resolve(before).then(act);
    const settled = doing.catch(() => undefined);
    this.underWay.set(id, settled);
    try {
      return await doing;
    } finally {
      if (this.underWay.get(id) === settled) this.underWay.delete(id);
    }
  }
}

async function anyPacked(files: readonly { readonly path: string }[]): Promise<boolean> {
  for (const { path } of files) if (await isPacked(path)) return true;
  return false;
}
