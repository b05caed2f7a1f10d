import type { LookupFactory } from '../symbols/address-lookup.ts';
import { AppendedRecording } from './appended-recording.ts';
import type { Followed } from './followed.ts';
import type { LiveMethods, LiveStep } from './live-methods.ts';
import type { OpenRequest } from './open-request.ts';
import type { OpenedRecording, OpenHooks } from './opened-recording.ts';
import type { ReadingMeans } from './read-recording.ts';
import { recogniseRecording } from './recognise-recording.ts';
import { isPacked } from './recording-files.ts';
import { RewrittenRecording } from './rewritten-recording.ts';
import type { OpenResult } from './session.ts';

/** What a session gives to those who follow recordings. */
export interface LiveDoor {
  /** The open recordings. */
  readonly recordings: Map<number, OpenedRecording>;
  nextId(): number;
  lookup(maySpawn: boolean): Promise<LookupFactory>;
  means(request: OpenRequest): ReadingMeans;
  resultOf(id: number, recording: OpenedRecording): OpenResult;
}

/** The recordings that are followed. */
export class LiveQuestions implements LiveMethods {
  private readonly followed = new Map<number, Followed>();
  /** What is being done with each recording: one thing at a time. */
  private readonly underWay = new Map<number, Promise<unknown>>();

  constructor(private readonly door: LiveDoor) {}

  async follow(request: OpenRequest, id: number | undefined, hooks: OpenHooks = {}): Promise<OpenResult> {
    const { recordings } = this.door;
    const { followed, recording } = await this.begin(request, hooks);
    const number = id !== undefined && recordings.has(id) ? id : this.door.nextId();
    await this.letGo(number);
    await this.put(number, recording);
    this.followed.set(number, followed);
    return this.door.resultOf(number, recording);
  }

  private async begin(
    request: OpenRequest,
    hooks: OpenHooks,
  ): Promise<{ followed: Followed; recording: OpenedRecording }> {
    if (request.paths.includes('-'))
      throw new Error('standard input cannot be followed: give the file that is written');
    const means = { lookup: await this.door.lookup(request.maySpawn), reading: this.door.means(request) };
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
      const { now, anew, problem } = await followed.step(this.door.recordings.get(id)!);
      const isOpen = this.followed.get(id) === followed;
      if (now !== undefined && isOpen) await this.put(id, now);
      else await now?.close();
      return { changed: now !== undefined && isOpen, anew, problem };
    });
  }

  stop(id: number): Promise<OpenResult> {
    return this.oneAtATime(id, async () => {
      const followed = this.followedAs(id);
      const recording = await followed.stop(this.door.recordings.get(id)!);
      const isOpen = this.followed.get(id) === followed;
      if (isOpen) {
        this.followed.delete(id);
        await this.put(id, recording);
      } else await recording.close();
      await followed.close();
      if (!isOpen) throw new Error('this recording was closed');
      return this.door.resultOf(id, recording);
    });
  }

  /** Follows a recording no more. */
  async letGo(id: number): Promise<void> {
    const followed = this.followed.get(id);
    this.followed.delete(id);
    if (followed === undefined) return;
    await this.underWay.get(id);
    await followed.close();
  }

  /** In the place of what it was before. */
  private async put(id: number, recording: OpenedRecording): Promise<void> {
    const before = this.door.recordings.get(id);
    this.door.recordings.set(id, recording);
    if (before !== recording) await before?.close();
  }

  private followedAs(id: number): Followed {
    const followed = this.followed.get(id);
    if (followed === undefined || !this.door.recordings.has(id))
      throw new Error('this recording is not followed any more');
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
