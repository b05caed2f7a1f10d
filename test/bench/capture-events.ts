import { writeFileSync } from 'node:fs';
import { CaptureFile } from '../support/recorder/capture-writer.ts';

/**
 * Writes a recording like that of a program that reads records here and there and writes them in order, in two threads,
 * from a hundred places.
 *
 * Usage: capture-events.mjs FILE EVENTS
 */
const [, , target, events] = process.argv;
/** The library writes 64 KiB at once. */
const CHUNK_EVENTS = 3000;
const STACKS = 100;

const file = new CaptureFile({ pid: 100 });
const module = file.module('/opt/app/bin/app', new Uint8Array(20));
const main = file.node(file.node(0, module, 0x1000), module, 0x1100);
const nodes = Array.from({ length: STACKS }, (_, i) => file.node(main, module, 0x2000 + i * 16));
file.call('POSIX', 'open', 'plr', ['input.bin', 0, 3], [0, 900]);
file.call('POSIX', 'open', 'plr', ['output.bin', 0o1101, 4], [1000, 1900]);
for (let i = 0; i < Number(events); i++) {
  const start = 2000 + i * 1700;
  const more = { thread: 100 + (i % 2), stack: nodes[Math.floor(i / 50) % STACKS]! };
  const offset = ((i * 7919) % 100_000) * 4096;
  if (i % 2 === 0) file.call('POSIX', 'pread', 'fnor', [3, 4096, offset, 4096], [start, start + 800], more);
  else file.call('POSIX', 'write', 'fnr', [4, 4096, 4096], [start, start + 700], more);
  if (i % CHUNK_EVENTS === CHUNK_EVENTS - 1) file.flush();
}
writeFileSync(target!, file.bytes());
