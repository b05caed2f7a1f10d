import path from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { SessionResources } from '../session/session-resources.ts';

/** What several commands share is in a folder below them (scripts/build.mjs). */
const bundled = fileURLToPath(new URL(/chunks\/[^/]+$/.test(import.meta.url) ? '..' : '.', import.meta.url));

/**
 * Where the WebAssembly files are: beside the bundled command, or inside the single-file executable (its assets have the
 * paths of the files in this project; see scripts/executable.mjs).
 */
export const resources: SessionResources = isSea()
  ? { folder: 'dist', read: (file) => Promise.resolve(new Uint8Array(getAsset(file.replaceAll(path.sep, '/')))) }
  : { folder: bundled };
