import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { nodeInflation } from './compression/node-inflation.ts';
import { debugDownloads } from './debuginfod.ts';
import { writeEventFile } from './event-file.ts';
import { Git } from './git.ts';
import { installedLookup } from './installed-tools.ts';
import type { Machine } from './machine.ts';
import { nodeFiles } from './node-files.ts';
import { loadOwnTriggers } from './own-trigger-files.ts';
import { SpillFile } from './spill-file.ts';
import { TraceCache } from './trace-cache.ts';

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
  writeEvents: writeEventFile,
  repository: () => Git.installed(),
  ownTriggers: loadOwnTriggers,
  fleet: async (engineFolders) => new (await import('./fleet/fleet-questions.ts')).FleetQuestions(engineFolders),
  importModule: (file) => import(pathToFileURL(path.resolve(file)).href) as Promise<{ default?: unknown }>,
  compile: (script, parameters) => compileFunction(script, [...parameters]) as (...values: unknown[]) => void,
};
