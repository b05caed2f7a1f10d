import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { BatchOptions } from '../../../fleet/batch/batch-system.ts';
import type { LocalStore } from '../local-store.ts';
import type { FoundSource } from '../source.ts';

/** Folder of a store where runs keep what they are to do. */
const SHARD_FOLDER = 'shards';
const PLAN = 'plan.json';

/** What a task of an array takes in: a file of its own, `shards/RUN/NUMBER.json`. */
interface IngestShard {
  readonly schema: 'iolens/ingest-shard@1';
  /** Absolute: the store. */
  readonly store: string;
  readonly sources: readonly FoundSource[];
}

/** What a run is about. */
export interface RunPlan {
  readonly schema: 'iolens/ingest-run@1';
  readonly id: string;
  /** Shards: 0 to this, exclusive. */
  readonly shards: number;
  readonly sources: number;
  readonly bytes: number;
  readonly options: BatchOptions;
  /** Words for the command of each task. */
  readonly taskWords: readonly string[];
}

/** One submission of shards. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  /** ISO 8601. */
  readonly claimed: string;
  readonly shards: readonly number[];
  /** Null while it is being submitted. */
  readonly job: string | null;
}

/** The files of a run, in a folder of the store. Only the task that has claimed an attempt writes its file. */
export class RunFiles {
  private constructor(
    private readonly store: LocalStore,
    readonly id: string,
  ) {}

  static fresh(store: LocalStore, now: Date): RunFiles {
    const time = now.toISOString().replace(/[-:]|\..*/g, '');
    return new RunFiles(store, `${time}-${randomBytes(3).toString('hex')}`);
  }

  /** @throws Error in words for the user when there is no such run. */
  static async existing(store: LocalStore, id: string): Promise<RunFiles> {
    const runs = (await store.list(SHARD_FOLDER)).filter((name) => /^\d{8}T\d{6}-[0-9a-f]{6}$/.test(name));
    if (runs.includes(id)) return new RunFiles(store, id);
    const known = runs.length === 0 ? 'it has none' : `it has ${runs.sort().reverse().slice(0, 5).join(', ')}`;
    throw new Error(`${id}: no run of this name in the store ${store.folder}; ${known}`);
  }

  get folder(): string {
    return this.store.location(`${SHARD_FOLDER}/${this.id}`);
  }

  async writeShard(number: number, sources: readonly FoundSource[]): Promise<void> {
    const shard: IngestShard = { schema: 'iolens/ingest-shard@1', store: this.store.folder, sources };
    await this.write(`${number}.json`, shard);
  }

  /** @throws Error in words for the user. */
  readShard(number: number): Promise<IngestShard> {
    return readShard(path.join(this.folder, `${number}.json`));
  }

  async writePlan(plan: RunPlan): Promise<void> {
    await this.write(PLAN, plan);
  }

  /** @throws Error in words for the user. */
  async plan(): Promise<RunPlan> {
    const plan = await readJson(path.join(this.folder, PLAN));
    if (!isOf<RunPlan>(plan, 'iolens/ingest-run@1'))
      throw new Error(`${path.join(this.folder, PLAN)}: the plan of a run is expected (iolens/ingest-run@1)`);
    return plan;
  }

  /** In their order. */
  async attempts(): Promise<Attempt[]> {
    const names = (await readdir(this.folder)).filter((name) => /^attempt-\d+\.json$/.test(name));
    const read = await Promise.all(names.map((name) => readJson(path.join(this.folder, name)).catch(() => undefined)));
    const attempts = read.filter((each): each is Attempt => typeof (each as Attempt | undefined)?.number === 'number');
    return attempts.sort((a, b) => a.number - b.number);
  }

  /**
   * Claims the right to submit the next attempt: of two that try at once one gets it.
   * @returns undefined when somebody else has it.
   */
  async claim(number: number, shards: readonly number[]): Promise<Attempt | undefined> {
    const attempt: Attempt = { number, claimed: new Date().toISOString(), shards, job: null };
    await mkdir(this.folder, { recursive: true });
    try {
      const file = await open(path.join(this.folder, attemptName(number)), 'wx');
      try {
        await file.writeFile(JSON.stringify(attempt));
      } finally {
        await file.close();
      }
      return attempt;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    }
  }

  async submitted(attempt: Attempt, job: string): Promise<void> {
    await this.write(attemptName(attempt.number), { ...attempt, job });
  }

  /** Gives a claim up that came to nothing. */
  async withdraw(attempt: Attempt): Promise<void> {
    await rm(path.join(this.folder, attemptName(attempt.number)), { force: true });
  }

  /** Once everything is in the store nothing of a run is needed. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async write(name: string, value: object): Promise<void> {
    await this.store.write(
      `${SHARD_FOLDER}/${this.id}/${name}`,
      new TextEncoder().encode(`${JSON.stringify(value)}\n`),
    );
  }
}

/** @throws Error in words for the user. */
export async function readShard(file: string): Promise<IngestShard> {
  const shard = await readJson(file);
  if (isOf<IngestShard>(shard, 'iolens/ingest-shard@1') && Array.isArray(shard.sources)) return shard;
  throw new Error(`${file}: a shard of an ingestion is expected (iolens/ingest-shard@1)`);
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${file}: this is no JSON`);
  }
}

function isOf<Kind extends { readonly schema: string }>(value: unknown, schema: Kind['schema']): value is Kind {
  return typeof value === 'object' && value !== null && 'schema' in value && value.schema === schema;
}

function attemptName(number: number): string {
  return `attempt-${number}.json`;
}
