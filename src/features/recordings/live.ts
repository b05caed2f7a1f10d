import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { followSteps } from '../../session/live/follow.ts';
import type { LiveStep } from '../../session/live/live-methods.ts';
import { pause } from '../../session/live/pause.ts';
import { uriOf } from '../editor/locations.ts';
import { keyOf } from './recording-paths.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

/** Milliseconds until a recording without a call yet is looked at again. */
const LOOK_FOR_CALLS = 200;

/** A recording that is followed. */
interface Following {
  readonly paths: readonly string[];
  readonly controller: AbortController;
  /** Settles when it is followed no more. */
  readonly over: Promise<void>;
}

/**
 * Follows recordings while they are written: those of our own tasks, and those that the user wants to be followed. At each
 * step the recording's document is replaced, and everything that shows it follows by itself.
 */
export class LiveRecordings implements vscode.Disposable {
  private readonly followed = new Map<string, Following>();
  /** Recordings of tasks that are under way, followed or not. */
  private readonly tasks = new Set<string>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly recordings: Recordings,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.subscription = recordings.onDidChange(() => {
      const isLive = recordings.current?.live === true;
      void vscode.commands.executeCommand('setContext', 'iolens.live', isLive);
    });
  }

  /** A program runs that we record. */
  get isRecording(): boolean {
    return this.tasks.size > 0;
  }

  /** The recording of a task that began: it is opened when it has its first calls. */
  taskBegan(output: string): void {
    this.tasks.add(output);
    const isOn = vscode.workspace.getConfiguration('iolens', uriOf(output)).get<boolean>('live', true);
    if (isOn) this.start([output], true);
  }

  /**
   * The task has ended: what it recorded is read to the end.
   * @returns undefined when it was not followed, or is no longer open.
   */
  async taskEnded(output: string): Promise<OpenRecording | undefined> {
    this.tasks.delete(output);
    return this.followed.has(output) ? this.end([output]) : undefined;
  }

  /** @param recording the current one, when none is named. */
  follow(recording = this.recordings.current): void {
    if (recording === undefined || recording.live === true) return;
    this.start(recording.paths, false);
  }

  async stop(recording = this.recordings.current): Promise<void> {
    if (recording?.live === true) await this.end(recording.paths);
  }

  /** @param isPatient the recording may not have begun yet. */
  private start(paths: readonly string[], isPatient: boolean): void {
    const key = keyOf(paths);
    this.followed.get(key)?.controller.abort();
    const controller = new AbortController();
    const over = this.run(paths, controller.signal, isPatient).catch((error: unknown) => {
      this.log.error(`${paths.join(' ')}: ${messageOf(error)}`);
      // It was closed meanwhile: nobody waits for it.
      if (error instanceof Error && error.name === 'CancelledError') return;
      const text = vscode.l10n.t('I/O Lens: the recording cannot be followed: {0}', messageOf(error));
      void vscode.window.showErrorMessage(text);
    });
    const following = { paths, controller, over };
    this.followed.set(key, following);
    void over.then(() => {
      // One that the user closed is no longer followed.
      if (!controller.signal.aborted && this.followed.get(key) === following) this.followed.delete(key);
    });
  }

  private async run(paths: readonly string[], signal: AbortSignal, isPatient: boolean): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      const recording = isPatient ? await this.opened(paths, signal) : await this.recordings.follow(paths);
      if (recording === undefined) return;
      const said = { problem: '' };
      const onStep = (step: LiveStep): Promise<void> => this.show(recording, step, said);
      try {
        await followSteps(this.recordings.session.live, recording.id, onStep, signal);
      } catch (error) {
        const now = this.recordings.withPaths(paths);
        if (now === undefined || isOver()) return;
        // Read again with other settings it has another number, and is followed on.
        if (now.id === recording.id) throw error;
      }
    }
  }

  /** Opens it as soon as there is a call to be seen. @returns undefined when it is no longer wanted. */
  private async opened(paths: readonly string[], signal: AbortSignal): Promise<OpenRecording | undefined> {
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      try {
        return await this.recordings.follow(paths);
      } catch (error) {
        this.log.debug(`${paths.join(' ')}: not yet: ${messageOf(error)}`);
        await pause(LOOK_FOR_CALLS, signal);
      }
    }
    return undefined;
  }

  private async show(recording: OpenRecording, step: LiveStep, said: { problem: string }): Promise<void> {
    if (step.anew) this.log.info(`${recording.name}: it was rewritten, and is read again`);
    if (step.problem !== said.problem && step.problem !== '') this.log.warn(`${recording.name}: ${step.problem}`);
    said.problem = step.problem;
    if (step.changed) await this.recordings.renew(recording.id, true);
  }

  /** Reads a recording to its end; it stays open. */
  private async end(paths: readonly string[]): Promise<OpenRecording | undefined> {
    const key = keyOf(paths);
    const following = this.followed.get(key);
    this.followed.delete(key);
    following?.controller.abort();
    await following?.over;
    const recording = this.recordings.withPaths(paths);
    if (recording?.live !== true) return undefined;
    await this.recordings.session.live.stop(recording.id);
    return this.recordings.renew(recording.id, false);
  }

  dispose(): void {
    for (const { controller } of this.followed.values()) controller.abort();
    this.subscription.dispose();
  }
}
