// The browser's session-worker in a thread that has nothing of Node: what it would miss in a browser it misses here.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const script = readFileSync(new URL('../../dist/web/session-worker.js', import.meta.url), 'utf8');
const port = { postMessage: (message) => parentPort.postMessage(message), onmessage: null };
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate'])
  Reflect.deleteProperty(globalThis, name);
// Node's own is made of the names that have just gone.
globalThis.Response = class {
  constructor(stream) {
    this.reader = stream.getReader();
  }
  async arrayBuffer() {
    const bytes = [];
    for (let part = await this.reader.read(); !part.done; part = await this.reader.read()) bytes.push(...part.value);
    return Uint8Array.from(bytes).buffer;
  }
};
globalThis.iolensPort = port;
(0, eval)(script);
parentPort.on('message', (data) => port.onmessage({ data }));
port.onmessage({ data: workerData });
