import { jsonText } from '../../export/json-text.ts';
import { Option, type Command } from 'commander';
import { compactStore } from '../../session/fleet/ingest/compact-store.ts';
import { existingStore } from '../../session/fleet/store-folder.ts';
import { figuresOf, logsOf, partsOf, uncountedOf, wrongPartsOf } from '../../session/fleet/store-questions.ts';
import { LOG_STATUSES, type LogStatus } from '../../fleet/store/store-logs.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { untilInterrupted } from '../interrupt.ts';
import { Progress } from '../progress.ts';
import { say } from '../say.ts';
import { compactionText, logsText, storeText } from './store-text.ts';

/** What is asked of a store as such: `info`, `logs`, `parts`, `compact`. */
export function addFleetStore(fleet: Command): void {
  addInfo(fleet);
  addLogs(fleet);
  addParts(fleet);
  addCompact(fleet);
}

interface StoreOptions {
  store: string;
  json?: true;
}

function storeCommand(fleet: Command, name: string, description: string): Command {
  return fleet.command(name).description(description).requiredOption('--store <dir>', 'the store');
}

function addInfo(fleet: Command): void {
  storeCommand(fleet, 'info', 'what a store holds')
    .option('--json', 'as JSON')
    .action(async ({ store, json: asJson }: StoreOptions) => {
      const figures = await figuresOf(store);
      process.stdout.write(
        asJson === true ? jsonText({ schema: 'iolens/store-info@1', store, ...figures }) : storeText(store, figures),
      );
      const wrong = await wrongPartsOf(store);
      if (wrong !== undefined) say(wrong);
      const left = await uncountedOf(store);
      if (left !== undefined) say(left);
    });
}

function addLogs(fleet: Command): void {
  storeCommand(fleet, 'logs', 'what became of each log')
    .addOption(new Option('--status <status>', 'only these').choices(LOG_STATUSES))
    .option('--json', 'as JSON')
    .action(async ({ store, status, json: asJson }: StoreOptions & { status?: LogStatus }) => {
      const all = await logsOf(store);
      const logs = status === undefined ? all : all.filter((entry) => entry.status === status);
      process.stdout.write(asJson === true ? jsonText({ schema: 'iolens/store-logs@1', store, logs }) : logsText(logs));
    });
}

function addParts(fleet: Command): void {
  storeCommand(fleet, 'parts', 'the Parquet files that count, for other engines: TABLE, MONTH and FILE in each line')
    .option('--table <table>', 'only those of this table, files alone')
    .option('--json', 'as JSON')
    .action(async ({ store, table, json: asJson }: StoreOptions & { table?: string }) => {
      const { parts: all, repeatedLogs } = await partsOf(store);
      const parts = table === undefined ? all : all.filter((part) => part.table === table);
      if (repeatedLogs > 0)
        say(`${repeatedLogs} logs are in two files: iolens fleet compact --store ${store} removes one of each`);
      const line = (part: (typeof parts)[number]): string =>
        table === undefined ? `${part.table}\t${part.month}\t${part.file}\n` : `${part.file}\n`;
      process.stdout.write(
        asJson === true
          ? jsonText({ schema: 'iolens/store-parts@1', store, repeatedLogs, parts })
          : parts.map(line).join(''),
      );
    });
}

function addCompact(fleet: Command): void {
  storeCommand(fleet, 'compact', 'merges the small files of a store, month by month')
    .addOption(
      new Option('--progress <when>', 'never, auto (a bar on a terminal) or plain')
        .choices(['never', 'auto', 'plain'])
        .default('auto'),
    )
    .action(({ store, progress: mode }: StoreOptions & { progress: 'never' | 'auto' | 'plain' }) =>
      untilInterrupted(async (signal) => {
        const bar = new Progress(mode, 'compacting');
        const report = await compactStore(await existingStore(store), {
          signal,
          progress: (share) => bar.update(share),
        })
          .catch((error: unknown) => {
            throw signal.aborted ? new CancelledError('interrupted') : error;
          })
          .finally(() => bar.done());
        process.stdout.write(compactionText(report));
      }),
    );
}
