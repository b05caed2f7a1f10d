import { jsonText } from '../../export/json-text.ts';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { BATCH_LIMITS } from '../../session/fleet/ingest/batch-limits.ts';
import { countFiles } from '../../session/fleet/ingest/count-files.ts';
import { findSources } from '../../session/fleet/ingest/find-sources.ts';
import { INGEST_MEMORY, ingestSources } from '../../session/fleet/ingest/ingest-sources.ts';
import { LocalStore } from '../../session/fleet/local-store.ts';
import { sweepStore } from '../../fleet/store/sweep.ts';
import type { FoundSource } from '../../session/fleet/source.ts';
import { byteSize, UsageError, wholeNumber } from '../arguments.ts';
import { IngestProgress } from './ingest-progress.ts';
import { ingestWithSlurm, isForSlurm, withSlurmOptions, type SlurmOptions } from './fleet-slurm.ts';
import { compactCrowded } from './compact-crowded.ts';
import { ingestText } from './ingest-text.ts';
import { compactionText } from './store-text.ts';
import { untilInterrupted } from '../interrupt.ts';
import { Progress } from '../progress.ts';
import { resources } from '../resources.ts';
import { say } from '../say.ts';
import { readShard } from '../../session/fleet/batch/run-files.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';

interface IngestOptions extends SlurmOptions {
  store: string;
  workers?: number;
  memoryBudget: number;
  batchLogs: number;
  since?: number;
  until?: number;
  retry?: true;
  compact: boolean;
  json?: true;
  progress: 'never' | 'auto' | 'plain';
}

export function addFleetIngest(fleet: Command): void {
  const command = fleet
    .command('ingest')
    .description('takes the logs, batch-system tables and server dumps in folders into a store')
    .argument('[folder...]', 'folders, with all folders in them, or files')
    .requiredOption('--store <dir>', 'the store: a folder that is made, or added to')
    .option(
      '--workers <number>',
      'threads that read (default: one for each processor, as far as memory allows)',
      wholeNumber,
    )
    .option('--memory-budget <size>', 'memory that it may take (default: 1GiB)', byteSize, INGEST_MEMORY)
    .option('--batch-logs <number>', 'logs added at a time: what a kill can lose', wholeNumber, BATCH_LIMITS.logs)
    .option('--since <date>', 'only what was last written on this day (UTC) or later', date)
    .option('--until <date>', 'only what was last written before this day', date)
    .option('--retry', 'reads again what could not be read last time')
    .option('--no-compact', 'leaves the small files of the store as they are')
    .option('--json', 'what was done as JSON')
    .addOption(
      new Option('--progress <when>', 'never, auto (a bar on a terminal) or plain')
        .choices(['never', 'auto', 'plain'])
        .default('auto'),
    );
  withSlurmOptions(command).action((folders: string[], options: IngestOptions) =>
    untilInterrupted((signal) => ingest(folders, options, signal)),
  );
}

async function ingest(folders: readonly string[], options: IngestOptions, signal: AbortSignal): Promise<void> {
  const store = storeAt(options.store);
  const { workers, memoryBudget: memory, batchLogs, retry } = options;
  const sources = sourcesOf(folders, options, signal);
  if (isForSlurm(options)) {
    const isDone = await ingestWithSlurm(sources, store, options, signal);
    const merged = isDone && options.compact ? await compactCrowded(store, options.progress, signal) : undefined;
    if (merged !== undefined) say(`small files were merged: ${compactionText(merged).trimEnd()}`);
    if (signal.aborted) throw new CancelledError('interrupted');
    return;
  }
  if (options.shard === undefined) await sweepStore(store, new Date());
  const shown = new IngestProgress(new Progress(options.progress, 'logs'));
  void countFiles(folders, signal).then((files) => shown.expect(files));
  const chosen = { memory, limits: { ...BATCH_LIMITS, logs: batchLogs }, retry: retry === true };
  const report = await ingestSources(
    sources,
    store,
    { ...chosen, resources, ...(workers !== undefined && { workers }) },
    {
      signal,
      progress: (done) => shown.update(done),
    },
  ).finally(() => shown.done());
  if (options.json !== true) process.stdout.write(ingestText(report, store.folder));
  // What a task of an array took in is merged when the whole array is done.
  const isWanted = options.compact && options.shard === undefined && !signal.aborted;
  const compaction = isWanted ? await compactCrowded(store, options.progress, signal) : undefined;
  if (options.json === true) {
    const document = { schema: 'iolens/ingest@1', store: store.folder, ...report, compaction: compaction ?? null };
    process.stdout.write(jsonText(document));
  } else if (compaction !== undefined) process.stdout.write(`Small files were merged: ${compactionText(compaction)}`);
  if (signal.aborted) throw new CancelledError('interrupted');
}

/** @throws UsageError when there is nothing that could be taken in. */
function sourcesOf(
  folders: readonly string[],
  options: IngestOptions,
  signal: AbortSignal,
): AsyncIterable<FoundSource> {
  const { shard, resume, since, until } = options;
  if ((folders.length === 0) === (shard === undefined && resume === undefined))
    throw new UsageError('fleet ingest: name folders or files (and none with --resume)');
  for (const folder of folders)
    if (!existsSync(folder)) throw new UsageError(`${folder}: there is no such file or folder`);
  if (shard !== undefined) return sourcesOfShard(shard);
  return findSources(folders, {
    signal,
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  });
}

async function* sourcesOfShard(file: string): AsyncGenerator<FoundSource> {
  yield* (await readShard(file)).sources;
}

/** @throws UsageError when a file stands in its place. */
function storeAt(name: string): LocalStore {
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`--store ${name}: this is a file; a folder is expected`);
  return new LocalStore(path.resolve(name));
}

/** Seconds since 1970 of the beginning of a day (UTC), or of an instant. */
function date(text: string): number {
  const time = /^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d)?Z?)?)?$/.test(text)
    ? Date.parse(/T.*[^Z]$/.test(text) ? `${text}Z` : text)
    : NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('a day such as 2018-01-31, or an instant such as 2018-01-31T12:00, is expected');
  return time / 1000;
}
