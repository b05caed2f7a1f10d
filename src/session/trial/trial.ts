import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareOutcomes } from '../../analysis/trials/compare-outcomes.ts';
import type { Outcome } from '../../analysis/trials/outcome.ts';
import type { RecordedRun, TrialResult, TriedChange } from '../../analysis/trials/trial-result.ts';
import { BUILD_MARKS, copyFolder } from './copied-folder.ts';
import { FaultLibrary } from './fault-library.ts';
import { tryFaults, type FaultTrial, type SoundRuns } from './faults.ts';
import { changesSince, folderState, keepOthers, putBack, ReadContents, type FolderState } from './folder-state.ts';
import { runCommand, shellWords, type ShellEnd, type ShellRun } from './shell-command.ts';
import type { SessionResources } from '../session-resources.ts';
import { openStage, type Stage, type Variant } from './stage.ts';
import { TrialError, TrialRefusedError } from './trial-error.ts';
import { outsideOf } from './written-outside.ts';

/** A change of sources. */
interface TriedSources {
  /** In the words of the user: identities of fixes. */
  readonly name: string;
  /** Sources by their path in the folder, and their text after the change. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Changes that are to be tried. */
export interface TrialRequest {
  /** Real path of the folder that is copied, built and run in. */
  readonly folder: string;
  /** Each is tried by itself, beside the original. */
  readonly changes: readonly TriedSources[];
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
  /** Also with a full disk, ended halfway, and with calls that are disturbed. */
  readonly faults: boolean;
  /** What comes with this program. */
  readonly resources: SessionResources;
  readonly signal: AbortSignal;
  readonly progress: (what: string) => void;
}

/** A recording of a run, judged. */
export interface JudgedRun extends RecordedRun {
  /** One of its processes has several threads. */
  readonly threaded: boolean;
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
/** What threads do to each other shows in some of many runs. */
const RUNS_OF_THREADS = 10;

const changedVariant = (index: number): Variant => `changed-${index + 1}`;

/**
 * Builds and runs a program before and after changes, in copies of its folder that stand at the same place in turns: paths
 * are the same for all.
 * @throws TrialError when there is nothing to compare with; TrialRefusedError; CancelledError.
 */
export async function tryChanges(request: TrialRequest, recorder: TrialRecorder): Promise<TrialResult> {
  const base = fs.mkdtempSync(path.join(fs.realpathSync.native(tmpdir()), 'iolens-trial-'));
  let stage: Stage | undefined;
  try {
    stage = await openStage(base, request.folder, ['original', ...request.changes.map((_, i) => changedVariant(i))]);
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
    const { folder, changes } = this.request;
    const leftOut = await this.copy();
    if (fs.statSync(folder).dev !== fs.statSync(this.base).dev)
      this.notes.push(
        `the copies lie in ${path.dirname(this.base)}, on another file system than ${folder}: times can be others there (TMPDIR names the place)`,
      );
    const wrong = await this.build('original', 'before the change');
    if (wrong !== undefined)
      throw new TrialError(`it does not build before the change:\n${wrong}${this.aboutBuilds(leftOut)}`);
    const buildErrors = new Map<Variant, string>();
    for (const [i, { name }] of changes.entries()) {
      const errors = await this.build(changedVariant(i), `with ${name}`);
      if (errors !== undefined) buildErrors.set(changedVariant(i), errors);
    }
    const built = changes.map((_, i) => changedVariant(i)).filter((variant) => !buildErrors.has(variant));
    const tried = built.length === 0 ? NOTHING_TRIED : await this.tried(['original', ...built]);
    if (this.lost.size > 0) this.notes.push(`not put back between runs: ${[...this.lost].join(', ')}`);
    const original = tried.runs.get('original') ?? [];
    return {
      leftOut,
      notes: this.notes,
      original: { recorded: tried.recorded.get('original'), times: timesOf(original) },
      changes: changes.map((_, i): TriedChange => {
        const variant = changedVariant(i);
        const runs = tried.runs.get(variant) ?? [];
        return {
          buildErrors: buildErrors.get(variant),
          comparison: compareOutcomes(outcomesOf(original), outcomesOf(runs)),
          recorded: tried.recorded.get(variant),
          times: timesOf(runs),
          faults: tried.faults.results.get(variant) ?? [],
        };
      }),
    };
  }

  /** Records each once, runs them in turns, and with faults where that is wanted. */
  private async tried(variants: readonly Variant[]): Promise<Tried> {
    const { faults, progress } = this.request;
    const recorded = new Map<Variant, JudgedRun>();
    for (const variant of variants) {
      const judged = await this.recorded(variant);
      if (judged !== undefined) recorded.set(variant, judged);
    }
    const repeat = this.repetitions(recorded.get('original'));
    const runs = new Map<Variant, Timed[]>(variants.map((variant) => [variant, []]));
    for (let turn = 0; turn < repeat; turn++) {
      progress(`run ${turn + 1} of ${repeat}, before and after`);
      // What warms up, or fills a cache, helps each of them as often.
      const first = turn % variants.length;
      const order = [...variants.slice(first), ...variants.slice(0, first)];
      for (const variant of order) runs.get(variant)!.push(await this.timed(variant));
    }
    this.noteFailures(runs.get('original')!);
    return { recorded, runs, faults: faults ? await this.faults(runs) : NO_FAULTS };
  }

  private repetitions(original: JudgedRun | undefined): number {
    const { repeat, faults } = this.request;
    if (!faults || repeat >= RUNS_OF_THREADS || original?.threaded !== true) return repeat;
    this.notes.push(`${RUNS_OF_THREADS} runs of each, for it has threads`);
    return RUNS_OF_THREADS;
  }

  private noteFailures(original: readonly Timed[]): void {
    const { outputs } = this.request;
    const ends = [...new Set(original.map(({ outcome }) => outcome.end))].filter((end) => end !== 'exit status 0');
    if (ends.length > 0) this.notes.push(`the original does not end well either: ${ends.join(', ')}`);
    if (outputs.length > 0 && original.every(({ outcome }) => outcome.files.size === 0))
      this.notes.push(`no file that it writes matches --outputs (${outputs.join(', ')}): none was compared`);
  }

  private async faults(runs: ReadonlyMap<Variant, readonly Timed[]>): Promise<FaultTrial> {
    const { folder, progress, run: command, environment, resources } = this.request;
    progress('runs with faults');
    const words = shellWords(command);
    const sound = new Map<Variant, SoundRuns>(
      [...runs].map(([variant, timed]) => [variant, { outcomes: outcomesOf(timed), times: timesOf(timed) }]),
    );
    const observed = async (variant: Variant, more: Partial<ShellRun>): Promise<Outcome> =>
      (await this.observed(variant, (run) => this.start(words, { ...run, longest: this.patience(), ...more }))).outcome;
    const trial = await tryFaults(
      {
        folder,
        root: (variant) => this.stage.root(variant),
        ended: (variant, termAfter) => observed(variant, { termAfter }),
        among: async (mounts, root) => {
          const start = (run: ShellRun): Promise<ShellEnd> =>
            runCommand(mounts.inside(words), { ...run, folder, longest: this.patience() });
          return (await this.seen(root, start)).outcome;
        },
        library: () => FaultLibrary.compiled(this.base, resources, environment),
        disturbed: (variant, library, disturbance, seed) => {
          const below = this.stage.isOwnPlace ? folder : this.stage.root(variant);
          const variables = library.variables(disturbance, seed, below, environment);
          return observed(variant, { environment: { ...environment, ...variables } });
        },
      },
      sound,
      this.stage.isOwnPlace,
    );
    this.notes.push(...trial.notes);
    return trial;
  }

  /** All copies have the changed files written now: whatever looks at dates builds them in each. */
  private async copy(): Promise<string[]> {
    const { folder, changes, without, signal, progress } = this.request;
    progress(`copying ${folder}`);
    const root = (variant: Variant): string => path.join(this.base, variant);
    const takesBuilds = this.stage.isOwnPlace;
    const copies = 1 + changes.length;
    const leftOut = await copyFolder(folder, root('original'), {
      without: [...without, this.base],
      takesBuilds,
      copies,
      signal,
    });
    for (const i of changes.keys())
      await copyFolder(root('original'), root(changedVariant(i)), {
        without: [],
        takesBuilds: true,
        copies: copies - 1 - i,
        signal,
      });
    const now = new Date();
    const names = new Set(changes.flatMap(({ texts }) => [...texts.keys()]));
    for (const name of names) fs.utimesSync(path.join(root('original'), name), now, now);
    for (const [i, { texts }] of changes.entries()) {
      for (const name of names) fs.utimesSync(path.join(root(changedVariant(i)), name), now, now);
      for (const [name, text] of texts) fs.writeFileSync(path.join(root(changedVariant(i)), name), text);
    }
    return leftOut;
  }

  /** Why a build may miss what is there in the folder. */
  private aboutBuilds(leftOut: readonly string[]): string {
    const builds = leftOut.filter((name) =>
      BUILD_MARKS.some((mark) => fs.existsSync(path.join(this.request.folder, name, mark))),
    );
    if (builds.length === 0) return '';
    return `\n${builds.join(', ')} is left out of the copy, which lies elsewhere: configure it in the build command, too`;
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
  private async build(variant: Variant, when: string): Promise<string | undefined> {
    this.request.progress(`building ${when}`);
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
  private async recorded(variant: Variant): Promise<JudgedRun | undefined> {
    const { run: command, folder, allowOutside, progress } = this.request;
    progress(`recording ${variant === 'original' ? 'before the change' : this.nameOf(variant)}`);
    const recording = path.join(this.base, `${variant}.iolens`);
    const words = this.recorder.recording(command, recording);
    await this.observed(variant, (run) => this.start(words, run));
    const root = this.stage.root(variant);
    const judged = await this.recorder.judge(recording, root);
    if (judged === undefined) {
      this.notes.push('nothing was recorded in a copy: whether the finding is gone is not known');
      return undefined;
    }
    const { output, errors } = this.shellRun(root);
    const isOurs = (file: string): boolean =>
      file === output || file === errors || file === recording || file.startsWith(`${recording}/`);
    const here = this.stage.isOwnPlace ? [{ from: folder, to: root }] : [];
    const outside = outsideOf(judged.written, root, here).filter((file) => !isOurs(file));
    if (outside.length > 0 && !allowOutside)
      throw new TrialRefusedError(
        `the program writes files outside the copy of its folder: ${outside.join(', ')} (--allow-outside permits it)`,
      );
    return judged;
  }

  private nameOf(variant: Variant): string {
    return `with ${this.request.changes.find((_, i) => changedVariant(i) === variant)!.name}`;
  }

  /** Milliseconds. */
  private patience(): number {
    return Math.max(SHORTEST_PATIENCE, PATIENCE * this.longest);
  }

  private async timed(variant: Variant): Promise<Timed> {
    const longest = variant === 'original' ? undefined : this.patience();
    return this.observed(variant, async (run) => {
      const words = shellWords(this.request.run);
      const end = await this.start(words, { ...run, ...(longest !== undefined && { longest }) });
      if (variant !== 'original') return end;
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
    const [output, errors] = [this.contents.at(run.output), this.contents.at(run.errors)];
    const outcome: Outcome = { end: words, output, errors, files, grown };
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

/** What was done with those that build. */
interface Tried {
  readonly recorded: ReadonlyMap<Variant, JudgedRun>;
  readonly runs: ReadonlyMap<Variant, readonly Timed[]>;
  readonly faults: FaultTrial;
}

const NO_FAULTS: FaultTrial = { results: new Map(), notes: [] };
const NOTHING_TRIED: Tried = { recorded: new Map(), runs: new Map(), faults: NO_FAULTS };

function outcomesOf(runs: readonly Timed[]): Outcome[] {
  return runs.map(({ outcome }) => outcome);
}

function timesOf(runs: readonly Timed[]): number[] {
  return runs.map(({ wallTime }) => wallTime);
}
