import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';

/** Opens a recording (a file or a folder) and prints how many events it holds and how many bytes its tables take. */
const [, , location] = process.argv;
const before = process.memoryUsage();
const { format, files } = await recogniseRecording([location!]);
const trace = await format.read(files, {});
const after = process.memoryUsage();
const tables = after.arrayBuffers - before.arrayBuffers;
const { maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ events: trace.events.length, tables, damage: trace.damage.length, peak: maxRSS * 1024 }),
);
