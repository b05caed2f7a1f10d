// Where a browser starts no worker the session runs where its user does.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startWorker } from '../../src/session/worker/web-worker.ts';
import type { WorkerEvents } from '../../src/session/worker/worker-channel.ts';
import type { Reply, Request } from '../../src/session/worker/worker-protocol.ts';

const script = path.resolve(import.meta.dirname, '../../dist/web/session-worker.js');
const call: Request = { kind: 'call', id: 7, topic: 'report', method: 'job', values: [1], hasHooks: false };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The first word of a session in this thread. */
function asked(loads: () => Promise<string>): Promise<Reply | Error> {
  vi.stubGlobal('fetch', () => loads().then((text) => ({ text: () => text })));
  return new Promise((resolve) => {
    const events: WorkerEvents = { received: resolve, lost: resolve };
    const channel = startWorker('http://x/session-worker.js', { folder: 'x' }, events);
    channel.send(call);
  });
}

const notOpen = { kind: 'error', id: 7, message: 'this recording is no longer open: open it again' };
const loadsScript = (): Promise<string> => Promise.resolve(readFileSync(script, 'utf8'));

test('there are no workers', async () => {
  vi.stubGlobal('Worker', undefined);
  expect(await asked(loadsScript)).toMatchObject(notOpen);
});

test('starting one is forbidden', async () => {
  vi.stubGlobal('Worker', function refused() {
    throw new Error('refused by the policy');
  });
  expect(await asked(loadsScript)).toMatchObject(notOpen);
});

test('its script may not be loaded: what was said to it is said again', async () => {
  class Failing {
    onerror: ((event: { message?: string }) => void) | null = null;
    postMessage(): void {
      setTimeout(() => this.onerror?.({}), 5);
    }
    terminate(): void {
      throw new Error('it has ended');
    }
  }
  vi.stubGlobal('Worker', Failing);
  expect(await asked(loadsScript)).toMatchObject(notOpen);
});

test('nothing can be loaded', async () => {
  vi.stubGlobal('Worker', undefined);
  const lost = await asked(() => Promise.reject(new Error('offline')));
  expect((lost as Error).message).toBe('the session cannot be started: offline');
});
