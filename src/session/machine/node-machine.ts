import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { nodeInflation } from '../reading/compression/node-inflation.ts';
import { writeEvents } from '../../export/events/event-formats.ts';
import { debugDownloads } from './debuginfod.ts';
import { writePieces } from '../reading/written-pieces.ts';
import { Git } from '../sources/git.ts';
import { installedLookup } from './installed-tools.ts';
import type { Machine } from './machine.ts';
import { nodeFiles } from './node-files.ts';
import { loadOwnTriggers } from '../reading/own-trigger-files.ts';
import { SpillFile } from '../reading/spill-file.ts';
import { TraceCache } from '../reading/trace-cache.ts';

/** A machine with an operating system, seen by Node. */
export const machine: Machine = {
  files: nodeFiles,
  inflation: nodeInflation,
  readResource: (file) => readFile(file),
  standardInput: () => ({
    chunks: process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    close: () => process.stdin.destroy(),
  }),
  spill: (budget) => new SpillFile(budget),
  traceCache: (reader, most) => new TraceCache(reader, most === undefined ? {} : { most }),
  installedLookup,
  debugDownloads,
  writeEvents: (source, format, file) => writePieces(file, (sink) => writeEvents(source, format, sink)),
  writeTable: async (recording, table, file) => {
    const { writeTable } = await import('../../export/tables/write-tables.ts');
    return writePieces(file, (sink) => writeTable(recording, table, sink));
  },
  writeText: writeWhole,
  repository: () => Git.installed(),
  ownTriggers: loadOwnTriggers,
  importModule: (file) => import(pathToFileURL(path.resolve(file)).href) as Promise<{ default?: unknown }>,
  compile: (script, parameters) => compileFunction(script, [...parameters]) as (...values: unknown[]) => void,
};

/** All of it or nothing; a link in its place is replaced, not followed. */
async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(beside, text, { flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
