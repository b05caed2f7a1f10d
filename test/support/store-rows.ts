import path from 'node:path';
import { readSource } from '../../src/session/fleet/read-source.ts';
import type { SourceRows } from '../../src/session/fleet/source.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { MemoryBudget } from '../../src/session/reading/memory-budget.ts';

const lookup = await chooseLookup(path.resolve(import.meta.dirname, '../../dist/addr2line.wasm'), false);

/** The rows that an ingestion makes of a source. */
export function rowsOf(location: string, files: readonly string[] = [location]): Promise<SourceRows> {
  const source = { path: location, files, bytes: 0, modified: 0 };
  return readSource(source, 'key', { lookup, budget: new MemoryBudget() });
}
