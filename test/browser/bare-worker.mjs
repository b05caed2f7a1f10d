// The browser's session-worker in a thread that has nothing of Node: what it would miss in a browser it misses here.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const script = readFileSync(new URL('../../dist/web/session-worker.js', import.meta.url), 'utf8');
const port = { postMessage: (message) => parentPort.postMessage(message), onmessage: null };
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate'])
  Reflect.deleteProperty(globalThis, name);
globalThis.iolensPort = port;
(0, eval)(script);
parentPort.on('message', (data) => port.onmessage({ data }));
port.onmessage({ data: workerData });
