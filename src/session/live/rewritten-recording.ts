import { messageOf } from '../../base/error-message.ts';
import { NOTHING_NEW, type Followed, type FollowMeans, type Look } from './followed.ts';
import { OpenedRecording, type OpenHooks } from '../reading/opened-recording.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import { WatchedFiles } from './watched-files.ts';

/**
 * A recording that cannot be read on where it ended (a log that is written at the end of a run, packed text): it is read anew
 * when its files have changed and then stood still from one look to the next.
 */
export class RewrittenRecording implements Followed {
  private readonly watched: WatchedFiles;
  /** The files as they were when the recording was read, and at the last look. */
  private readAs = '';
  private seenAs = '';

  constructor(
    request: OpenRequest,
    private readonly means: FollowMeans,
  ) {
    this.watched = new WatchedFiles(request.paths);
  }

  /** @throws as opening does. */
  async begin(request: OpenRequest, hooks: OpenHooks = {}): Promise<OpenedRecording> {
    const now = await this.look();
    // However it ends: what cannot be read is not tried again before it changes.
    this.readAs = now;
    this.seenAs = now;
    return OpenedRecording.open(request, this.means.lookup, hooks, this.means.reading);
  }

  private async look(): Promise<string> {
    return JSON.stringify([...(await this.watched.look())]);
  }

  async step({ request }: OpenedRecording): Promise<Look> {
    const now = await this.look();
    const isStill = now === this.seenAs;
    this.seenAs = now;
    if (now === this.readAs || !isStill) return NOTHING_NEW;
    try {
      return { now: await this.begin(request), anew: true, problem: '' };
    } catch (error) {
      return { ...NOTHING_NEW, problem: messageOf(error) };
    }
  }

  async stop(before: OpenedRecording): Promise<OpenedRecording> {
    if ((await this.look()) === this.readAs) return before;
    return this.begin(before.request).catch(() => before);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
