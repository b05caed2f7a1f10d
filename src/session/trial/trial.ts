import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareOutcomes } from '../../analysis/trials/compare-outcomes.ts';
import type { FaultResult } from '../../analysis/trials/fault-outcome.ts';
import type { Outcome } from '../../analysis/trials/outcome.ts';
import type { RecordedRun, TrialResult } from '../../analysis/trials/trial-result.ts';
import { copyFolder } from './copied-folder.ts';
import { tryFaults } from './faults.ts';
import { changesSince, folderState, keepOthers, putBack, ReadContents, type FolderState } from './folder-state.ts';
import { runCommand, shellWords, type ShellEnd, type ShellRun } from './shell-command.ts';
import { openStage, type Stage, type Variant } from './stage.ts';
import { TrialError, TrialRefusedError } from './trial-error.ts';
import { outsideOf } from './written-outside.ts';

/** A change that is to be tried. */
export interface TrialRequest {
  /** Real path of the folder that is copied, built and run in. */
  readonly folder: string;
  /** Sources by their path in it, and their text after the change. */
  readonly changed: ReadonlyMap<string, string>;
  /** Command lines for a shell. */
  readonly build: string;
  readonly run: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Globs of the files that are compared; all that are written where there is none. */
  readonly outputs: readonly string[];
  readonly repeat: number;
  /** Real paths that belong to no program. */
  readonly without: readonly string[];
  readonly allowOutside: boolean;
  /** Also with a full disk, and ended halfway. */
  readonly faults: boolean;
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
}

/** A recording of a run, judged. */
export interface JudgedRun extends RecordedRun {
  /** Paths of the files that it wrote, as recorded. */
  readonly written: readonly string[];
}

/** Records a run and judges it. */
export interface TrialRecorder {
  /** The words of a command that records a command line. */
  recording(command: string, recording: string): readonly string[];
  /**
   * @param root where the program's folder is now.
   * @returns undefined where nothing was recorded.
   */
  judge(recording: string, root: string): Promise<JudgedRun | undefined>;
}

/** A run after the change that takes so many times as long as one before it hangs. */
const PATIENCE = 10;
const SHORTEST_PATIENCE = 30_000;
/** What a shell ends with when it finds no program, or may not run it. */
const NO_PROGRAM = new Set([126, 127]);
const TAIL = 2000;

/**
 * Builds and runs a program before and after a change, in copies of its folder that stand at the same place in turns: paths
 * are the same for both.
 * @throws TrialError when there is nothing to compare with; TrialRefusedError; CancelledError.
 */
export async function tryChange(request: TrialRequest, recorder: TrialRecorder): Promise<TrialResult> {
  const base = fs.mkdtempSync(path.join(fs.realpathSync.native(tmpdir()), 'iolens-trial-'));
  let stage: Stage | undefined;
  try {
    stage = await openStage(base, request.folder);
    return await new Trial(base, stage, request, recorder).result();
  } finally {
    await stage?.close();
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  }
}

class Trial {
  private readonly contents = new ReadContents();
  private readonly notes: string[] = [];
  private readonly lost = new Set<string>();
  private longest = 0;

  constructor(
    private readonly base: string,
    private readonly stage: Stage,
    private readonly request: TrialRequest,
    private readonly recorder: TrialRecorder,
  ) {}

  async result(): Promise<TrialResult> {
    const { repeat, folder } = this.request;
    const leftOut = await this.copy();
    if (fs.statSync(folder).dev !== fs.statSync(this.base).dev)
      this.notes.push(
        `the copies lie in ${path.dirname(this.base)}, on another file system than ${folder}: times can be others there (TMPDIR names the place)`,
      );
    const built = { leftOut, notes: this.notes, buildErrors: undefined };
    const wrong = await this.build('original');
    if (wrong !== undefined) throw new TrialError(`it does not build before the change:\n${wrong}`);
    const buildErrors = await this.build('changed');
    const nothing = { comparison: compareOutcomes([], []), recorded: undefined, before: [], after: [], faults: [] };
    if (buildErrors !== undefined) return { ...built, ...nothing, buildErrors };
    const recorded = { original: await this.recorded('original'), changed: await this.recorded('changed') };
    const runs = { original: [] as Timed[], changed: [] as Timed[] };
    for (let pair = 0; pair < repeat; pair++) {
      this.request.progress(`run ${pair + 1} of ${repeat}, before and after`);
      // What warms up, or fills a cache, helps each of them as often.
      const order = pair % 2 === 0 ? (['original', 'changed'] as const) : (['changed', 'original'] as const);
      for (const variant of order) runs[variant].push(await this.timed(variant));
    }
    const faults = await this.faults(runs);
    if (this.lost.size > 0) this.notes.push(`not put back between runs: ${[...this.lost].join(', ')}`);
    const { original: before, changed: after } = recorded;
    return {
      ...built,
      comparison: compareOutcomes(
        runs.original.map(({ outcome }) => outcome),
        runs.changed.map(({ outcome }) => outcome),
      ),
      recorded: before === undefined || after === undefined ? undefined : { before, after },
      before: runs.original.map(({ wallTime }) => wallTime),
      after: runs.changed.map(({ wallTime }) => wallTime),
      faults,
    };
  }

  private async faults(runs: Readonly<Record<Variant, readonly Timed[]>>): Promise<readonly FaultResult[]> {
    const { faults, folder, progress, run: command } = this.request;
    if (!faults) return [];
    progress('runs with a full disk, and ended halfway');
    const of = <Value>(what: (timed: Timed) => Value): Record<Variant, Value[]> => ({
      original: runs.original.map(what),
      changed: runs.changed.map(what),
    });
    const words = shellWords(command);
    const { results, notes } = await tryFaults(
      {
        folder,
        root: (variant) => this.stage.root(variant),
        ended: async (variant, termAfter) =>
          (await this.observed(variant, (run) => this.start(words, { ...run, termAfter }))).outcome,
        among: async (mounts, root) => {
          const start = (run: ShellRun): Promise<ShellEnd> => runCommand(mounts.inside(words), { ...run, folder });
          return (await this.seen(root, start)).outcome;
        },
      },
      {
        outcomes: of(({ outcome }) => outcome),
        times: of(({ wallTime }) => wallTime),
        isOwnPlace: this.stage.isOwnPlace,
      },
    );
    this.notes.push(...notes);
    return results;
  }

  /** Both copies have the changed files written now: whatever looks at dates builds them in both. */
  private async copy(): Promise<string[]> {
    const { folder, changed, without, signal, progress } = this.request;
    progress(`copying ${folder}`);
    const roots = { original: path.join(this.base, 'original'), changed: path.join(this.base, 'changed') };
    const takesBuilds = this.stage.isOwnPlace;
    const leftOut = await copyFolder(folder, roots.original, { without: [...without, this.base], takesBuilds, signal });
    await copyFolder(roots.original, roots.changed, { without: [], takesBuilds: true, signal });
    const now = new Date();
    for (const [name, text] of changed) {
      fs.utimesSync(path.join(roots.original, name), now, now);
      fs.writeFileSync(path.join(roots.changed, name), text);
    }
    return leftOut;
  }

  private keptOf(variant: Variant): string {
    return path.join(this.base, `${variant}-kept`);
  }

  private shellRun(root: string): ShellRun {
    const { environment, signal } = this.request;
    const [output, errors] = [path.join(this.base, 'output'), path.join(this.base, 'errors')];
    return { folder: root, environment, output, errors, signal };
  }

  /** @returns what the build says when it fails. */
  private async build(variant: Variant): Promise<string | undefined> {
    this.request.progress(`building ${variant === 'original' ? 'before' : 'after'} the change`);
    const root = this.stage.root(variant);
    const run = this.shellRun(root);
    const { status, words } = await this.start(shellWords(this.request.build), run);
    if (status === 0) {
      await keepOthers(root, this.request.folder, this.keptOf(variant));
      return undefined;
    }
    const said = `${fs.readFileSync(run.output, 'utf8')}${fs.readFileSync(run.errors, 'utf8')}`.trimEnd();
    return `${said.slice(-TAIL)}\n${this.request.build}: ${words}`.trimStart();
  }

  /** @throws TrialRefusedError when files elsewhere are written. */
  private async recorded(variant: Variant): Promise<RecordedRun | undefined> {
    const { run: command, folder, allowOutside, progress } = this.request;
    progress(`recording ${variant === 'original' ? 'before' : 'after'} the change`);
    const recording = path.join(this.base, `${variant}.iolens`);
    const words = this.recorder.recording(command, recording);
    await this.observed(variant, (run) => this.start(words, run));
    const root = this.stage.root(variant);
    const judged = await this.recorder.judge(recording, root);
    if (judged === undefined) {
      this.notes.push('nothing was recorded in the copy: whether the finding is gone is not known');
      return undefined;
    }
    const { output, errors } = this.shellRun(root);
    const isOurs = (file: string): boolean =>
      file === output || file === errors || file === recording || file.startsWith(`${recording}/`);
    const here = this.stage.isOwnPlace ? [{ from: folder, to: root }] : [];
    const outside = outsideOf(judged.written, root, here).filter((file) => !isOurs(file));
    if (outside.length > 0 && !allowOutside)
      throw new TrialRefusedError(
        `in the copy it writes files outside of it: ${outside.join(', ')} (--allow-outside lets it)`,
      );
    return judged;
  }

  private async timed(variant: Variant): Promise<Timed> {
    const longest = variant === 'changed' ? Math.max(SHORTEST_PATIENCE, PATIENCE * this.longest) : undefined;
    return this.observed(variant, async (run) => {
      const words = shellWords(this.request.run);
      const end = await this.start(words, { ...run, ...(longest !== undefined && { longest }) });
      if (variant === 'changed') return end;
      if (end.status !== undefined && NO_PROGRAM.has(end.status))
        throw new TrialError(`${this.request.run}: ${end.words}\n${fs.readFileSync(run.errors, 'utf8').trimEnd()}`);
      this.longest = Math.max(this.longest, end.wallTime / 1e6);
      return end;
    });
  }

  /** Runs it, looks at what it left behind, and puts that back. */
  private async observed(variant: Variant, start: (run: ShellRun) => Promise<ShellEnd>): Promise<Timed> {
    const root = this.stage.root(variant);
    const { names, before, ...timed } = await this.seen(root, start);
    for (const name of await putBack(root, [this.request.folder, this.keptOf(variant)], before, names))
      this.lost.add(name);
    return timed;
  }

  /** Runs it, and looks at what it left behind. */
  private async seen(
    root: string,
    start: (run: ShellRun) => Promise<ShellEnd>,
  ): Promise<Timed & { readonly names: readonly string[]; readonly before: FolderState }> {
    const run = this.shellRun(root);
    const before = folderState(root);
    const { words, wallTime } = await start(run);
    const names = changesSince(before, folderState(root));
    const files = this.contents.below(root, names, this.request.outputs);
    const grown = [...files].reduce(
      (sum, [name, { size }]) => sum + Math.max(0, size - (before.get(name)?.size ?? 0)),
      0,
    );
    const outcome: Outcome = { end: words, output: this.contents.at(run.output), files, grown };
    return { outcome, wallTime, names, before };
  }

  private start(words: readonly string[], run: ShellRun): Promise<ShellEnd> {
    return runCommand(this.stage.inside(words), run);
  }
}

interface Timed {
  readonly outcome: Outcome;
  readonly wallTime: number;
}
