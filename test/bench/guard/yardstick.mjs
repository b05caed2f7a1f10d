// What the guard measures beside each row: work of a known amount, of the kinds that reading a recording is made of. Its own
// bytes are all that it depends on: it must stay as it is, or all figures of test/bench/guard-figures.json must be renewed.
import { deflateSync, inflateSync } from 'node:zlib';

const LINES = 2000;
const text = Array.from({ length: LINES }, (_, i) => {
  const time = `1795262299.${String((i * 17) % 1e6).padStart(6, '0')}`;
  return `${9370 + (i % 4)}  ${time} pwrite64(3</scratch/run/part.${i % 50}.dat>, "..."..., ${i % 4096}, ${i * 64}) = 64 <0.000010>`;
}).join('\n');
const packed = deflateSync(Buffer.from(text), { level: 1 });

/** Inflates some text, cuts its lines into words, interns them, and keeps numbers in columns and objects. */
function once(unit) {
  const bytes = inflateSync(packed);
  const words = new Map();
  const columns = new Float64Array(LINES * 16);
  const groups = new Map();
  let [from, count, number, hash] = [0, 0, 0, unit];
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at < bytes.length ? bytes[at] : 10;
    if (byte >= 48 && byte <= 57) number = number * 10 + byte - 48;
    hash = Math.imul(hash ^ byte, 0x01000193);
    if (byte !== 32 && byte !== 10) continue;
    columns[count++ % columns.length] = number;
    const group = groups.get(hash & 1023);
    if (group === undefined) groups.set(hash & 1023, { count: 1, sum: number });
    else {
      group.count++;
      group.sum += number;
    }
    if (at - from > 20) {
      const word = bytes.latin1Slice(from, at);
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    [from, number] = [at + 1, 0];
  }
  columns.subarray(0, count).sort();
  return words.size + groups.size;
}

let sum = 0;
for (let unit = 0; unit < Number(process.argv[2]); unit++) sum += once(unit);
process.stdout.write(`${sum}\n`);
