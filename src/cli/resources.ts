import path from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { SessionResources } from '../session/session.ts';

/**
 * Where the WebAssembly files are: beside the bundled command, or inside the single-file executable (its assets; see
 * scripts/executable.mjs).
 */
export const resources: SessionResources = isSea()
  ? { folder: '', read: (file) => Promise.resolve(new Uint8Array(getAsset(path.basename(file)))) }
  : { folder: fileURLToPath(new URL('.', import.meta.url)) };
