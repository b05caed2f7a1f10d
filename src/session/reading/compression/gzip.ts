import { createGunzip, type Gunzip } from 'node:zlib';
import type { StoredPieces } from '../../machine/machine.ts';
import { cutOff, DamagedError } from './stored-bytes.ts';

/** Unpacks gzip, also of several members one behind the other (RFC 1952, section 2.2). */
export async function* gunzipped(stored: StoredPieces): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const ready: Uint8Array[] = [];
  let failure: Error | undefined;
  gunzip.on('data', (chunk: Uint8Array) => ready.push(chunk));
  gunzip.on('error', (error) => (failure = error));
  try {
    for (;;) {
      const piece = await stored.piece();
      // One piece at a time, and what it gave is taken away before the next: a bomb fills no memory.
      await (piece === undefined ? ended(gunzip) : written(gunzip, piece));
      yield* ready.splice(0);
      if (failure !== undefined) throw inWords(failure);
      if (piece === undefined) return;
    }
  } finally {
    gunzip.destroy();
  }
}

function written(gunzip: Gunzip, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('close', resolve);
    gunzip.write(piece, () => {
      gunzip.off('close', resolve);
      resolve();
    });
  });
}

function ended(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('close', resolve);
    gunzip.end();
  });
}

function inWords(error: Error): DamagedError {
  if ((error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR') return cutOff('gzip');
  return new DamagedError(`the gzip data are damaged (${error.message})`);
}
