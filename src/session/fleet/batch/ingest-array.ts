import type { BatchOptions, BatchSystem, OpenTasks } from '../../../fleet/batch/batch-system.ts';
import { planShards, tasksFor } from '../../../fleet/batch/plan-shards.ts';
import { DigestSet } from '../../../fleet/store/digest-set.ts';
import { readManifests } from '../../../fleet/store/read-manifests.ts';
import { createStore } from '../ingest/ingest-sources.ts';
import { digestOf } from '../ingest/known-logs.ts';
import type { LocalStore } from '../local-store.ts';
import type { FoundSource } from '../source.ts';
import { RunFiles, type Attempt, type RunPlan } from './run-files.ts';

/** A claim without a job that is older than this was given up: whoever made it is gone. */
const STALE_CLAIM_MS = 10 * 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A controller that restarts gives no answer for a while. */
const MOST_SILENCE_MS = 15 * 60_000;

export interface ArrayOptions extends BatchOptions {
  /** Tasks of the array; by the amount of work unless given. */
  readonly tasks?: number;
  /** Words of a task's `fleet ingest`. */
  readonly taskWords: readonly string[];
}

/** How far a run is. */
export type RunState =
  /** Everything was in the store already. */
  | { readonly kind: 'nothing-to-do' }
  | {
      readonly kind: 'submitted';
      readonly run: string;
      readonly job: string;
      readonly shards: number;
      readonly sources: number;
    }
  /** Its last attempt is not over, or is just being submitted. */
  | { readonly kind: 'running'; readonly run: string; readonly job: string | null }
  | { readonly kind: 'done'; readonly run: string; readonly sources: number }
  /** Sources are missing, and no attempt is left. */
  | {
      readonly kind: 'incomplete';
      readonly run: string;
      readonly shards: number;
      readonly missing: readonly FoundSource[];
    };

interface ArrayHooks {
  readonly progress?: (tasks: OpenTasks, ofAll: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Ingestion by arrays of tasks of a batch system. Nothing but a file system that all nodes see and the system's own commands is
 * assumed: what is to be done stands in files, and what was done in the store's manifests.
 */
export class IngestArray {
  /**
   * @param iolens program and words that run the command line on the nodes.
   * @param targetsOf storage targets of files, where somebody tells.
   */
  constructor(
    private readonly store: LocalStore,
    private readonly system: BatchSystem,
    private readonly iolens: readonly string[],
    private readonly targetsOf: (files: readonly string[]) => Promise<ReadonlyMap<string, number>>,
  ) {}

  /**
   * Plans a run and submits its tasks.
   * @param retries how often shards that failed are submitted again, by a step that follows the array; undefined: nobody looks.
   * @throws Error in words for the user.
   */
  async start(
    found: AsyncIterable<FoundSource>,
    options: ArrayOptions,
    retries: number | undefined,
  ): Promise<RunState> {
    await createStore(this.store);
    const sources = await this.missingOf(found);
    if (sources.length === 0) return { kind: 'nothing-to-do' };
    const { tasks, taskWords, ...batch } = options;
    const shards = await this.shardsOf(sources, tasks);
    const files = RunFiles.fresh(this.store, new Date());
    for (const [number, shard] of shards.entries()) await files.writeShard(number, shard);
    const plan: RunPlan = {
      schema: 'iolens/ingest-run@1',
      id: files.id,
      shards: shards.length,
      sources: sources.length,
      bytes: sources.reduce((total, source) => total + source.bytes, 0),
      options: batch,
      taskWords,
    };
    await files.writePlan(plan);
    return this.submit(
      files,
      plan,
      1,
      shards.map((_, number) => number),
      retries,
    );
  }

  /**
   * Looks what of a run is missing in the store, and submits these shards again.
   * @param retries as for `start`; 0: only looks.
   * @param followed whether a step of the batch system looks after it.
   * @param changed what the run asks the batch system for from now on, such as more time.
   * @throws Error in words for the user.
   */
  async resume(
    run: string,
    retries: number,
    followed: boolean,
    changed: Partial<BatchOptions> = {},
  ): Promise<RunState> {
    const files = await RunFiles.existing(this.store, run);
    const planned = await files.plan();
    const plan = { ...planned, options: { ...planned.options, ...changed } };
    if (Object.keys(changed).length > 0) await files.writePlan(plan);
    const attempts = await files.attempts();
    const last = attempts.at(-1);
    if (last !== undefined && (await this.isUnderWay(last))) return { kind: 'running', run, job: last.job };
    const missing = await this.missingShards(files, plan);
    if (missing.size === 0) {
      await files.remove();
      return { kind: 'done', run, sources: plan.sources };
    }
    if (retries <= 0) return { kind: 'incomplete', run, shards: missing.size, missing: [...missing.values()].flat() };
    return this.submit(files, plan, (last?.number ?? 0) + 1, [...missing.keys()], followed ? retries - 1 : undefined);
  }

  /** Waits until a run is over; shards that failed are submitted again. @throws Error in words for the user. */
  async wait(begun: RunState, retries: number, hooks: ArrayHooks = {}): Promise<RunState> {
    let state = begun;
    for (let left = retries; state.kind === 'submitted' || state.kind === 'running'; left--) {
      const { run, job } = state;
      if (job !== null) await this.untilOver(job, state.kind === 'submitted' ? state.shards : 0, hooks);
      else await pause(LONGEST_WAIT_MS, hooks.signal);
      if (hooks.signal?.aborted === true) return state;
      if (state.kind === 'running') left++;
      state = await this.resume(run, left, false);
    }
    return state;
  }

  private async submit(
    files: RunFiles,
    plan: RunPlan,
    number: number,
    shards: readonly number[],
    retries: number | undefined,
  ): Promise<RunState> {
    const attempt = await files.claim(number, shards);
    if (attempt === undefined) return { kind: 'running', run: files.id, job: null };
    const work = { name: 'iolens-ingest', folder: files.folder };
    const task = [...this.iolens, 'fleet', 'ingest', ...plan.taskWords, '--shard'];
    const job = await this.system
      .submitArray({ ...work, command: task }, shards, plan.options)
      .catch(async (error: unknown) => {
        await files.withdraw(attempt);
        throw error;
      });
    await files.submitted(attempt, job);
    if (retries !== undefined) {
      const look = [
        'fleet',
        'ingest',
        '--store',
        this.store.folder,
        '--resume',
        files.id,
        '--retries',
        String(retries),
      ];
      await this.system.submitAfter(job, { ...work, command: [...this.iolens, ...look] }, plan.options);
    }
    return { kind: 'submitted', run: files.id, job, shards: shards.length, sources: plan.sources };
  }

  private async isUnderWay({ job, claimed }: Attempt): Promise<boolean> {
    if (job === null) return Date.now() - Date.parse(claimed) < STALE_CLAIM_MS;
    const { waiting, running } = await this.system.openTasks(job);
    return waiting + running > 0;
  }

  private async untilOver(job: string, all: number, { progress, signal }: ArrayHooks): Promise<void> {
    let answered = Date.now();
    for (let wait = FIRST_WAIT_MS; signal?.aborted !== true; wait = Math.min(wait * 1.2, LONGEST_WAIT_MS)) {
      try {
        const open = await this.system.openTasks(job);
        answered = Date.now();
        progress?.(open, Math.max(all, open.waiting + open.running));
        if (open.waiting + open.running === 0) return;
      } catch (error) {
        if (Date.now() - answered > MOST_SILENCE_MS) throw error;
      }
      await pause(wait, signal);
    }
  }

  private async shardsOf(sources: readonly FoundSource[], tasks: number | undefined): Promise<FoundSource[][]> {
    const targets = await this.targetsOf(sources.map(({ files, path }) => files[0] ?? path));
    const planned = sources.map(({ bytes, files, path }) => ({ bytes, target: targets.get(files[0] ?? path) ?? null }));
    const most = await this.system.mostTasks();
    const shards = planShards(planned, Math.min(tasks ?? tasksFor(planned), most));
    return shards.map((shard) => shard.map((index) => sources[index]!));
  }

  /** What no manifest tells of, whatever became of it. */
  private async missingOf(found: AsyncIterable<FoundSource>): Promise<FoundSource[]> {
    const told = await this.told();
    const missing: FoundSource[] = [];
    for await (const source of found) if (!told.has(digestOf(source))) missing.push(source);
    return missing;
  }

  private async missingShards(files: RunFiles, { shards }: RunPlan): Promise<Map<number, FoundSource[]>> {
    const told = await this.told();
    const missing = new Map<number, FoundSource[]>();
    for (let number = 0; number < shards; number++) {
      const { sources } = await files.readShard(number);
      const lacking = sources.filter((source) => !told.has(digestOf(source)));
      if (lacking.length > 0) missing.set(number, lacking);
    }
    return missing;
  }

  private async told(): Promise<DigestSet> {
    const told = new DigestSet();
    for (const { logs } of (await readManifests(this.store)).batches) for (const log of logs) told.add(digestOf(log));
    return told;
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
