import { PackedBytes } from '../../src/session/reading/compression/unpack.ts';
import { LocalSource } from '../../src/session/machine/local-source.ts';
import { DarshanLog } from '../../src/readers/darshan/darshan-log.ts';
import { DamageLog } from '../../src/trace/damage.ts';
import { inflateSync, type Inflate } from 'node:zlib';

/** Inflates every region of a Darshan log and does nothing with it; prints the seconds and the bytes. */
const [, , location] = process.argv;
const source = await LocalSource.open(location!);
const log = await DarshanLog.open(new PackedBytes(source), location!, new DamageLog());
const started = performance.now();
let bytes = 0;
for (const { offset, length } of [log.map.names, ...log.map.modules]) {
  const stored = Buffer.alloc(length);
  await source.read(offset, stored);
  for (let at = 0; at < stored.length;) {
    const options = { info: true, chunkSize: 1 << 18 };
    const { buffer, engine } = inflateSync(stored.subarray(at), options) as unknown as {
      buffer: Buffer;
      engine: Inflate;
    };
    at += engine.bytesWritten;
    bytes += buffer.length;
  }
}
process.stdout.write(JSON.stringify({ seconds: (performance.now() - started) / 1000, bytes }));
