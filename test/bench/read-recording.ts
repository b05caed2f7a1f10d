import { statSync } from 'node:fs';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import { LocalRecordingFile } from '../../src/session/recording-files.ts';

/** Reads a recording and prints how many events it holds and how many bytes of memory its tables take. */
const [, , file] = process.argv;
const before = process.memoryUsage();
const trace = await readStrace([new LocalRecordingFile(file!, statSync(file!).size)]);
const after = process.memoryUsage();
const tables = after.arrayBuffers - before.arrayBuffers;
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ events: trace.events.length, tables, damage: trace.damage.length, peak: maxRSS * 1024 }),
);
