// Makes recordings for the benchmarks: strace text of a million calls, line by line as `strace -f -y -ttt -T` prints it.
import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes lines in large pieces. */
class Lines {
  #pieces = [];
  #length = 0;
  #file;

  constructor(path) {
    this.#file = openSync(path, 'w');
  }

  add(line) {
    this.#pieces.push(line);
    this.#length += line.length;
    if (this.#length > 1 << 20) this.#flush();
  }

  #flush() {
    writeSync(this.#file, this.#pieces.join('\n') + '\n');
    this.#pieces = [];
    this.#length = 0;
  }

  close() {
    this.#flush();
    closeSync(this.#file);
  }
}

const TEXT = String.raw`"\0\0\0\0\200\204.A\0\0\0\0\200\204.A\0\0\0\0\200\204.A\0\0\0\0\200\204.A"...`;
const FOLDER = '/scratch/project/run42/output';

/** The calls of one process, in a loop: seek, read, two writes, and now and then a file is closed and the next opened. */
function* callsOf(rank) {
  let step = 0;
  for (let file = 0; ; file++) {
    const path = `${FOLDER}/rank${rank}.${file}.dat`;
    const fd = `3<${path}>`;
    yield [`openat(AT_FDCWD<${FOLDER}>, "${path}", O_RDWR|O_CREAT|O_APPEND, 0644`, fd];
    for (let record = 0; record < 1000; record++, step++) {
      const offset = (step * 7919) % 1e7;
      yield [`lseek(${fd}, ${offset}, SEEK_SET`, `${offset}`];
      yield [`read(${fd}, `, '64', `${TEXT}, 64`];
      yield [`write(${fd}, ${TEXT}, 100`, '100'];
      yield [`pwrite64(${fd}, ${TEXT}, 4096, ${record * 4096}`, '4096'];
    }
    yield [`fsync(${fd}`, '0'];
    yield [`close(${fd}`, '0'];
  }
}

/**
 * @param calls number of calls.
 * @param split whether the processes' calls interleave, so that strace cuts them (`<unfinished ...>`).
 */
export function makeRecording(path, calls, split) {
  const lines = new Lines(path);
  const processes = [0, 1, 2, 3].map((rank) => ({ pid: 9370 + rank, calls: callsOf(rank), pending: undefined }));
  let microseconds = 0;
  const prefix = (process) => {
    microseconds += 17;
    const seconds = 1_795_262_299 + Math.floor(microseconds / 1e6);
    return `${process.pid}  ${seconds}.${String(microseconds % 1e6).padStart(6, '0')} `;
  };
  const duration = () => `<0.0000${10 + (microseconds % 83)}>`;
  for (let made = 0; made < calls;) {
    const process = processes[split ? made % 4 : Math.floor((made * 4) / calls)];
    if (process.pending !== undefined) {
      const [call, result, rest = ''] = process.pending;
      const name = call.slice(0, call.indexOf('('));
      lines.add(`${prefix(process)}<... ${name} resumed>${rest}) = ${result} ${duration()}`);
      process.pending = undefined;
    }
    const next = process.calls.next().value;
    const [call, result, rest = ''] = next;
    made++;
    if (split) {
      lines.add(`${prefix(process)}${call} <unfinished ...>`);
      process.pending = next;
    } else lines.add(`${prefix(process)}${call}${rest}) = ${result} ${duration()}`);
  }
  lines.close();
}
