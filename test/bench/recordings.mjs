// Makes recordings for the benchmarks: strace text, line by line as `strace -f -y -ttt -T` prints it.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Writes lines in large pieces. */
class Lines {
  #pieces = [];
  #length = 0;
  #file;

  constructor(file) {
    this.#file = openSync(file, 'w');
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
export function makeRecording(file, calls, split) {
  const lines = new Lines(file);
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

const PROGRAM = '/home/hpc/run/sim';
const STACKS = 17;

/** Call stacks of twelve frames that differ only here and there, as those of a program with few places of I/O do. */
function stacksOf(count) {
  const frame = (file, symbol, address) =>
    ` > ${file}(${symbol}+0x${(address & 0xff).toString(16)}) [0x${address.toString(16)}]`;
  return Array.from({ length: count }, (_, number) => {
    const own = Array.from({ length: 8 }, (_, depth) =>
      frame(PROGRAM, `level_${depth}`, 0x4000 + depth * 64 + (depth === number % 8 ? number : 0)),
    );
    const library = '/usr/lib/x86_64-linux-gnu/libc.so.6';
    const outer = ['__libc_init_first', '__libc_start_main'].map((symbol, i) =>
      frame(library, symbol, 0x271ca + i * 99),
    );
    return [frame(library, '__write', 0xf8350), ...own, ...outer, frame(PROGRAM, '_start', 0x11f1)].join('\n');
  });
}

/** A recording with `-k`: every call with one of few stacks. */
export function makeStackRecording(file, calls) {
  const lines = new Lines(file);
  const stacks = stacksOf(STACKS);
  const made = callsOf(0);
  for (let call = 0; call < calls; call++) {
    const [name, result, rest = ''] = made.next().value;
    const microseconds = call * 517;
    const seconds = 1_795_262_299 + Math.floor(microseconds / 1e6);
    lines.add(
      `9370  ${seconds}.${String(microseconds % 1e6).padStart(6, '0')} ${name}${rest}) = ${result} <0.0000${10 + (call % 83)}>`,
    );
    // A loop of two calls, and now and then another place.
    lines.add(stacks[call % 50 === 0 ? (call / 50) % STACKS : call % 2]);
  }
  lines.close();
}

/** A folder with one small recording for each of many ranks, as `strace -ff` and MPI launchers leave it. */
export function makeFolder(folder, files, callsOfFile) {
  mkdirSync(folder, { recursive: true });
  for (let rank = 0; rank < files; rank++) {
    const lines = new Lines(path.join(folder, `run_host${rank % 64}_${rank}.st`));
    const made = callsOf(rank);
    for (let call = 0; call < callsOfFile; call++) {
      const [name, result, rest = ''] = made.next().value;
      const microseconds = call * 517 + rank;
      const seconds = 1_795_262_299 + Math.floor(microseconds / 1e6);
      lines.add(
        `${9370 + rank}  ${seconds}.${String(microseconds % 1e6).padStart(6, '0')} ${name}${rest}) = ${result} <0.0000${10 + (call % 83)}>`,
      );
    }
    lines.close();
  }
}

const SEGMENTS_OF_FILE = 500;

/**
 * Text of darshan-dxt-parser of as many ranks that write one file: half of the segments are calls of MPI-IO, the other half
 * the call of POSIX below each of them.
 */
export function makeLayerText(file, segments, ranks) {
  const lines = new Lines(file);
  lines.add(['# darshan log version: 3.41', '# exe: /home/hpc/run/sim', '# uid: 1000', '# jobid: 42'].join('\n'));
  lines.add(`# start_time: 1700000000\n# end_time: 1700000100\n# nprocs: ${ranks}\n# run time: 99.5000`);
  const stars = '# ***************************************************';
  const calls = segments / ranks / 2;
  for (const [module, name, later] of [
    ['DXT_POSIX', ' X_POSIX', 0.0001],
    ['DXT_MPIIO', ' X_MPIIO', 0],
  ]) {
    lines.add(['', stars, `# ${module} module data`, stars].join('\n'));
    for (let rank = 0; rank < ranks; rank++) {
      lines.add(`\n# DXT, file_id: 7, file_name: ${FOLDER}/shared.dat`);
      lines.add(`# DXT, rank: ${rank}, hostname: nid${String(rank).padStart(5, '0')}`);
      lines.add(`# DXT, write_count: ${calls}, read_count: 0\n# DXT, mnt_pt: /scratch, fs_type: lustre`);
      lines.add('# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)');
      for (let call = 0; call < calls; call++) {
        const start = call / 1000 + later;
        const times = `${start.toFixed(4).padStart(12)}${(start + 0.0006 - 2 * later).toFixed(4).padStart(12)}`;
        const place = String((call * ranks + rank) * 4096).padStart(16);
        lines.add(
          `${name}${String(rank).padStart(8)}  write${String(call).padStart(9)}${place}${'4096'.padStart(16)}${times}`,
        );
      }
    }
  }
  lines.close();
}

/** Text of darshan-dxt-parser with as many lines of segments: files of many processes on Lustre. */
export function makeSegmentText(file, segments) {
  const lines = new Lines(file);
  const stars = '# ***************************************************';
  lines.add(['# darshan log version: 3.41', '# exe: /home/hpc/run/sim', '# uid: 1000', '# jobid: 42'].join('\n'));
  lines.add(['# start_time: 1700000000', '# end_time: 1700000100', '# nprocs: 64', '# run time: 99.5000'].join('\n'));
  lines.add(['', stars, '# DXT_POSIX module data', stars].join('\n'));
  for (let segment = 0; segment < segments; segment++) {
    const number = Math.floor(segment / SEGMENTS_OF_FILE);
    const within = segment % SEGMENTS_OF_FILE;
    const rank = number % 64;
    const isWrite = within < SEGMENTS_OF_FILE / 2;
    const place = within % (SEGMENTS_OF_FILE / 2);
    if (within === 0) {
      lines.add(`\n# DXT, file_id: ${number + 1}, file_name: ${FOLDER}/rank${rank}.${number}.dat`);
      lines.add(`# DXT, rank: ${rank}, hostname: nid${String(rank).padStart(5, '0')}`);
      lines.add(`# DXT, write_count: ${SEGMENTS_OF_FILE / 2}, read_count: ${SEGMENTS_OF_FILE / 2}`);
      lines.add('# DXT, mnt_pt: /scratch, fs_type: lustre');
      lines.add('# DXT, Lustre stripe_size: 1048576, Lustre stripe_count: 1\n# DXT, Lustre OST obdidx: 12');
      lines.add('# Module    Rank  Wt/Rd  Segment          Offset       Length    Start(s)      End(s)  [OST]');
    }
    const start = number / 1000 + place / 10_000 + (isWrite ? 0 : 0.00005);
    lines.add(
      ' X_POSIX' +
        String(rank).padStart(8) +
        (isWrite ? '  write' : '   read') +
        String(place).padStart(9) +
        String((place * 7919) % 1e7).padStart(16) +
        '4096'.padStart(16) +
        start.toFixed(4).padStart(12) +
        (start + 0.0001).toFixed(4).padStart(12) +
        '  [ 12]',
    );
  }
  lines.close();
}

/** Seconds and microseconds as strace prints them, each 17 µs after the one before. */
function* times() {
  for (let microseconds = 17; ; microseconds += 17)
    yield `${1_795_262_299 + Math.floor(microseconds / 1e6)}.${String(microseconds % 1e6).padStart(6, '0')}`;
}

/** A recording of as many processes, each of which makes one call while all others are alive. */
export function makeProcesses(file, processes) {
  const lines = new Lines(file);
  const time = times();
  for (let process = 0; process < processes; process++)
    lines.add(`${1000 + process}  ${time.next().value} write(1, "x", 1) = 1 <0.000010>`);
  lines.close();
}

/** A recording of a program that opens, writes and closes as many files. */
export function makeFiles(file, files) {
  const lines = new Lines(file);
  const time = times();
  const add = (call) => lines.add(`1000  ${time.next().value} ${call} <0.000010>`);
  for (let number = 0; number < files; number++) {
    const path = `${FOLDER}/d${number % 100}/f${number}.dat`;
    add(`openat(AT_FDCWD, "${path}", O_RDWR|O_CREAT, 0644) = 3<${path}>`);
    add(`write(3<${path}>, "x"..., 100) = 100`);
    add(`close(3<${path}>) = 0`);
  }
  lines.close();
}

/** A recording with `-k` of a loop that goes over as many lines of the program, each of which seeks, writes and reads. */
export function makeSites(file, calls, sites) {
  const lines = new Lines(file);
  const time = times();
  for (let call = 0; call < calls; call++) {
    const site = call % sites;
    const round = Math.floor(call / sites);
    const path = `/scratch/run/f${site % 150}.dat`;
    const fd = `${3 + site}<${path}>`;
    const place = (round * 7919) % 100_000;
    const later = [
      `lseek(${fd}, ${place}, SEEK_SET) = ${place}`,
      `write(${fd}, "x"..., 100) = 100`,
      `read(${fd}, "x"..., 100) = 100`,
    ];
    const text = round === 0 ? `openat(AT_FDCWD, "${path}", O_RDWR|O_SYNC, 0644) = ${fd}` : later[round % 3];
    lines.add(`1000  ${time.next().value} ${text} <0.000${100 + (call % 83)}>`);
    lines.add(` > ${PROGRAM}(line_${site}+0x10) [0x${(0x4000 + site * 64).toString(16)}]`);
  }
  lines.close();
}

/** A recording of a program that goes to and fro between as many files: from each on to one of three, most of them near. */
export function makeWalk(file, files, steps) {
  const lines = new Lines(file);
  const time = times();
  let state = 1;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const near = (from) => Math.max(0, Math.min(files - 1, from + random(20) - 6));
  const next = Array.from({ length: files }, (_, from) => [
    (from + 1) % files,
    ...[0, 1].map(() => (random(5) === 0 ? random(files) : near(from))),
  ]);
  for (let step = 0, at = 0; step < steps; step++, at = next[at][random(3)])
    lines.add(`1000  ${time.next().value} read(3</data/part${at % 30}/${at}>, "x"..., 100) = 100 <0.000010>`);
  lines.close();
}
