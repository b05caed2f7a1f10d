import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { GROUP_FUNCTIONS } from '../../fleet/query/operators/group-functions.ts';
import { Miner } from '../../fleet/query/operators/miner.ts';
import { Relation } from '../../fleet/query/operators/relation.ts';
import type { QueryResult } from '../../fleet/query/query-engine.ts';
import type { OpenedStore } from './opened-store.ts';

/** What a script gave: rows to be printed, or plain data. */
type ScriptResult = { readonly rows: AsyncIterable<QueryResult> } | { readonly value: unknown };

/** The default export of a script. */
type Script = (miner: Miner, tools: typeof GROUP_FUNCTIONS & { arguments: readonly string[] }) => unknown;

/**
 * Runs a module of the user's whose default export asks a store by operators (docs/fleet-queries.md).
 * @throws Error in words for the user: no such module, or what it throws itself.
 */
export async function runScript(
  store: OpenedStore,
  file: string,
  given: readonly string[],
  signal: AbortSignal,
): Promise<ScriptResult> {
  await stat(file).catch(() => {
    throw new Error(`${file}: there is no such file`);
  });
  const loading = import(/* @vite-ignore */ pathToFileURL(path.resolve(file)).href) as Promise<{ default?: unknown }>;
  const { default: script } = await loading;
  if (typeof script !== 'function') throw new Error(`${file}: its default export is no function (miner, tools) => …`);
  const value = await (script as Script)(new Miner(store.engine), { ...GROUP_FUNCTIONS, arguments: given });
  return value instanceof Relation ? { rows: value.stream(signal) } : { value };
}
