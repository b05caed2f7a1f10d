import { describe, expect, test } from 'vitest';
import { CaptureFile, MONOTONIC, WALL } from '../../../test/capture-writer.ts';
import { memoryFile } from '../../../test/memory-file.ts';
import { expectSound } from '../../../test/sound-trace.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, LOCK_KIND, NONE, OPEN_MODE, type EventColumn } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { recogniseFormat } from '../registry.ts';
import { readCapture } from './capture-reader.ts';

const CREATES = 0o1102;

async function read(...files: CaptureFile[]): Promise<Trace> {
  const trace = await readCapture(files.map((file, i) => memoryFile(`node-${i}.iorec`, file.bytes())));
  expectSound(trace);
  return trace;
}

/** A column for all rows of calls with these names. */
function column(trace: Trace, name: EventColumn, calls?: RegExp): number[] {
  const rows = Array.from({ length: trace.events.length }, (_, row) => row);
  return rows
    .filter((row) => calls?.test(trace.calls.names[trace.events.value('call', row)]!) !== false)
    .map((row) => trace.events.value(name, row));
}

const paths = (trace: Trace, calls?: RegExp): string[] =>
  column(trace, 'file', calls).map((file) => (file === NONE ? '' : trace.files.at(file).path));

const opened = (fd: number, at: readonly [number, number] = [0, 10], file = new CaptureFile()): CaptureFile =>
  file.call('POSIX', 'open', 'plr', ['data', CREATES, fd], at);

test('a file is told by its first bytes', () => {
  expect(recogniseFormat(new CaptureFile().bytes())?.name).toBe('iolens');
});

describe('a process', () => {
  test('with its calls, times, and what it says of itself', async () => {
    const file = opened(3)
      .call('POSIX', 'write', 'fnr', [3, 8, 5], [20, 120])
      .call('POSIX', 'close', 'fr', [3, 0], [200, 230])
      .note('something was not recorded');
    const trace = await read(file);
    expect(trace).toMatchObject({ format: 'iolens', version: '1.0', program: 'app -v', durationNs: 230 });
    expect(trace.startTime).toBeCloseTo(Number(WALL) / 1e9, 6);
    expect(trace.streams).toEqual([{ host: 'node1', pid: 100, processId: 100, part: 0 }]);
    expect(trace.parts[0]).toMatchObject({ name: 'node-0.iorec', host: 'node1', program: 'app -v' });
    expect(trace.notes).toEqual(['something was not recorded']);
    expect(trace.damage).toEqual([]);
    expect(column(trace, 'start')).toEqual([0, 20, 200]);
    expect(column(trace, 'duration')).toEqual([10, 100, 30]);
    expect(column(trace, 'bytes')).toEqual([0, 5, 0]);
    expect(column(trace, 'requested')).toEqual([NaN, 8, NaN]);
    expect(column(trace, 'argument')[0]).toBe(OPEN_MODE.create | OPEN_MODE.truncate | 2);
    expect(paths(trace)).toEqual(['/work/data', '/work/data', '/work/data']);
    expect(trace.definitions!.paradigms.map(({ name }) => name)).toEqual(['POSIX']);
  });

  test('errors by their names', async () => {
    const trace = await read(
      new CaptureFile()
        .call('POSIX', 'open', 'plr', ['/nowhere', 0, [-1, 2]], [0, 1])
        .call('POSIX', 'read', 'fnr', [9, 10, [-1, 9]], [2, 3])
        .call('POSIX', 'read', 'fnr', [9, 10, [-1, 4000]], [4, 5])
        .call('MPI-IO', 'MPI_File_open', 'cplhx', [0, '/a', 2, 0, 32], [6, 7])
        .call('HDF5', 'H5Fopen', 'plr', ['/b.h5', 0, -1], [8, 9])
        .call('NetCDF', 'nc_open', 'plhx', ['/c.nc', 0, 0, 2], [10, 11]),
    );
    const errors = column(trace, 'error').map((error) => trace.errors.at(error));
    expect(errors).toEqual(['ENOENT', 'EBADF', 'errno 4000', 'MPI error 32', 'HDF5 error', 'ENOENT']);
    expect(trace.handles.length).toBe(0);
  });

  test('positions: transfers, seeks, duplicates, positioned ones and those at the file’s own', async () => {
    const trace = await read(
      opened(3)
        .call('POSIX', 'write', 'fnr', [3, 100, 100], [11, 12])
        .call('POSIX', 'lseek', 'fowr', [3, 40, 0, 40], [13, 14])
        .call('POSIX', 'dup', 'fr', [3, 4], [15, 16])
        .call('POSIX', 'read', 'fnr', [4, 10, 10], [17, 18])
        .call('POSIX', 'pread64', 'fnor', [3, 10, 70, 10], [19, 20])
        .call('POSIX', 'preadv2', 'fnor', [3, 10, -1, 10], [21, 22])
        .call('POSIX', 'close', 'fr', [3, 0], [23, 24])
        .call('POSIX', 'read', 'fnr', [4, 10, 7], [25, 26])
        .call('POSIX', 'dup2', 'fFr', [4, 9, 9], [27, 28])
        .call('POSIX', 'fcntl', 'fkvr', [9, 1030, 10, 11], [29, 30])
        .call('POSIX', 'read', 'fnr', [11, 1, 1], [31, 32]),
    );
    expect(column(trace, 'offset', /read|write|seek/)).toEqual([0, 40, 40, 70, 50, 60, 67]);
    expect(new Set(column(trace, 'handle', /read|write|seek/))).toEqual(new Set([0]));
  });

  test('paths: relative ones, folders, the working folder, flags of another machine', async () => {
    const trace = await read(
      new CaptureFile({ machine: 'aarch64' })
        .call('POSIX', 'open', 'plr', ['sub', 0o40000, 3], [0, 1])
        .call('POSIX', 'openat', 'dplr', [3, 'a/../b', 0, 4], [2, 3])
        .call('POSIX', 'openat', 'dplr', [-100, './c', 0, 5], [4, 5])
        .call('POSIX', 'fstatat', 'dpsr', [4, '', 12, 0], [6, 7])
        .call('POSIX', 'chdir', 'pr', ['/else', 0], [8, 9])
        .call('POSIX', 'rename', 'pPr', ['c', 'd', 0], [10, 11]),
    );
    expect(paths(trace)).toEqual([...['/work/sub', '/work/sub/b', '/work/c', '/work/sub/b', '/else', '/else/c']]);
    expect(column(trace, 'argument')[0]).toBe(OPEN_MODE.directory);
    expect(trace.files.at(column(trace, 'argument', /rename/)[0]!).path).toBe('/else/d');
  });

  test('descriptors that were there before', async () => {
    const trace = await read(
      new CaptureFile()
        .call('recorder', 'descriptor', 'fpol', [1, '/log', 500, 1], [0, 0])
        .call('POSIX', 'write', 'fnr', [1, 20, 20], [1, 2])
        .call('recorder', 'descriptor', 'fpol', [0, 'pipe:[77]', -1, 0], [3, 3])
        .call('POSIX', 'read', 'fnr', [0, 20, 20], [4, 5]),
    );
    expect(paths(trace)).toEqual(['/log', 'pipe:[77]']);
    expect(column(trace, 'offset')).toEqual([500, NaN]);
    expect(trace.files.at(1).kind).toBe('pipe');
  });

  test('locks, lengths and copies inside the kernel', async () => {
    const trace = await read(
      opened(4, [2, 3], opened(3, [0, 1]))
        .call('POSIX', 'flock', 'fkr', [3, 6, 0], [4, 5])
        .call('POSIX', 'fcntl', 'fkvr', [3, 7, 0, 0], [6, 7])
        .call('POSIX', 'ftruncate', 'fvr', [3, 4096, 0], [8, 9])
        .call('POSIX', 'copy_file_range', 'foFOnr', [3, 64, 4, -1, 100, 90], [10, 11])
        .call('POSIX', 'write', 'fnr', [4, 1, 1], [12, 13]),
    );
    expect(column(trace, 'argument', /flock|F_SETLKW|trunc/)).toEqual([
      ...[LOCK_KIND.tryExclusive, LOCK_KIND.shared, 4096],
    ]);
    expect(column(trace, 'offset', /copy/)).toEqual([64, 0]);
    expect(column(trace, 'bytes', /copy/)).toEqual([90, 90]);
    expect(column(trace, 'flags', /copy/)).toEqual([0, EVENT_FLAGS.part]);
    expect(column(trace, 'offset', /^write/)).toEqual([90]);
  });

  test('the offset of sendfile is where it reads, and its target moves on', async () => {
    const trace = await read(
      opened(4, [2, 3], opened(3, [0, 1]))
        .call('POSIX', 'sendfile', 'fFnor', [4, 3, 300, -1, 300], [4, 5])
        .call('POSIX', 'sendfile', 'fFnor', [4, 3, 100, 5, 100], [6, 7])
        .call('POSIX', 'read', 'fnr', [3, 10, 10], [8, 9])
        .call('POSIX', 'write', 'fnr', [4, 10, 10], [10, 11]),
    );
    // Rows of the target, and of the source behind each.
    expect(column(trace, 'offset', /sendfile/)).toEqual([0, 0, 300, 5]);
    expect(column(trace, 'offset', /^(read|write)/)).toEqual([300, 400]);
  });

  test('appended bytes lie where the file ends', async () => {
    const trace = await read(
      new CaptureFile()
        .call('POSIX', 'open', 'plr', ['log', 0o3101, 3], [0, 1])
        .call('POSIX', 'write', 'fnr', [3, 10, 10], [2, 3])
        .call('POSIX', 'pwrite', 'fnor', [3, 10, 0, 10], [4, 5])
        .call('POSIX', 'open', 'plr', ['other', 0o2001, 4], [6, 7])
        .call('POSIX', 'write', 'fnr', [4, 10, 10], [8, 9])
        .call('POSIX', 'fstat', 'fsr', [4, 300, 0], [10, 11])
        .call('POSIX', 'write', 'fnr', [4, 10, 10], [12, 13]),
    );
    expect(column(trace, 'offset', /write/)).toEqual([0, 10, NaN, 300]);
    expect(column(trace, 'flags', /write/)).toEqual([4, 4, 4, 4]);
  });

  test('streams, and the descriptors below them', async () => {
    const stream = 0x5555_0000_1234;
    const trace = await read(
      new CaptureFile()
        .call('STDIO', 'fopen64', 'plhFr', ['text', CREATES, stream, 3, 0], [0, 1])
        .call('STDIO', 'fwrite', 'hnbr', [stream, 100, 96, 12], [2, 3])
        .call('STDIO', 'fseek', 'howr', [stream, 8, 0, 0], [4, 5])
        .call('STDIO', 'fgets', 'hnbr', [stream, 80, 20, 0], [6, 7])
        .call('STDIO', 'ftell', 'hr', [stream, 30], [8, 9])
        .call('STDIO', 'fgetc', 'hnbr', [stream, 1, 0, [-1, 0]], [10, 11])
        .call('POSIX', 'fsync', 'fr', [3, 0], [12, 13])
        .call('STDIO', 'fclose', 'hr', [stream, 0], [14, 15])
        .call('POSIX', 'read', 'fnr', [3, 1, [-1, 9]], [16, 17]),
    );
    expect(column(trace, 'offset', /fwrite|fseek|fget/)).toEqual([0, 8, 8, 30]);
    expect(column(trace, 'bytes', /fwrite|fget/)).toEqual([96, 20, 0]);
    expect(column(trace, 'flags', /fgetc/)).toEqual([0]);
    const [of] = column(trace, 'handle', /fsync/);
    expect(trace.handles.parent.at(of!)).toBe(column(trace, 'handle', /fopen/)[0]);
    expect(paths(trace, /fsync/)).toEqual(['/work/text']);
    expect(paths(trace, /^read/)).toEqual(['']);
  });

  test('streams that were there before lie on their descriptors', async () => {
    const trace = await read(
      new CaptureFile()
        .call('recorder', 'descriptor', 'fpol', [1, '/out', 40, 1], [0, 0])
        .call('recorder', 'stream', 'hF', [88, 1], [0, 0])
        .call('STDIO', 'printf', 'hr', [88, 12], [1, 2])
        .call('STDIO', 'puts', 'hr', [88, 5], [3, 4])
        .call('POSIX', 'write', 'fnr', [1, 3, 3], [5, 6])
        .call('STDIO', 'popen', 'NlhFr', ['date', 0, 90, 7, 7], [7, 8])
        .call('STDIO', 'fgets', 'hnr', [90, 80, 29], [9, 10]),
    );
    expect(paths(trace)).toEqual(['/out', '/out', '/out', '', '']);
    expect(column(trace, 'offset', /printf|puts|write/)).toEqual([40, 52, NaN]);
    const [below, above] = [column(trace, 'handle', /write/)[0]!, column(trace, 'handle', /puts/)[0]!];
    expect(trace.handles.parent.at(below)).toBe(above);
    expect([below, above].map((handle) => trace.handles.flags.at(handle))).toEqual([1, 1]);
  });

  test('folders are read through their descriptors', async () => {
    const trace = await read(
      new CaptureFile()
        .call('POSIX', 'opendir', 'pr', ['sub', 5], [0, 1])
        .call('POSIX', 'readdir', 'fr', [5, 1], [2, 3])
        .call('POSIX', 'closedir', 'fr', [5, 0], [4, 5])
        .call('POSIX', 'symlink', 'NPr', ['elsewhere', 'link', 0], [6, 7]),
    );
    expect(paths(trace)).toEqual(['/work/sub', '/work/sub', '/work/sub', '/work/link']);
  });

  test('calls that do not return, and programs that were not recorded', async () => {
    const trace = await read(
      new CaptureFile()
        .call('POSIX', 'execve', 'pr', ['/bin/missing', [-1, 2]], [0, 5])
        .call('POSIX', 'execve', 'pr', ['/bin/static', [-1, 0]], [6, 6]),
    );
    expect(column(trace, 'flags')).toEqual([0, EVENT_FLAGS.neverReturned]);
    expect(trace.notes.join()).toMatch(/^executed, and not recorded: \/bin\/static; /);
  });
});

describe('layers', () => {
  test('calls made inside of others have them as parents, in the order in which they began', async () => {
    const trace = await read(
      new CaptureFile()
        .call('POSIX', 'open', 'plr', ['x.h5', 2, 5], [12, 15])
        .call('MPI-IO', 'MPI_File_open', 'cplhx', [0, 'ufs:/work/x.h5', 2, 77, 0], [11, 18])
        .call('HDF5', 'H5Fopen', 'plr', ['x.h5', 1, 0x101], [10, 20])
        .call('HDF5', 'H5Dopen2', 'HNr', [0x101, '/grid', 0x105], [21, 22])
        .call('POSIX', 'pwrite', 'fnor', [5, 800, 2048, 800], [24, 25])
        .call('POSIX', 'pwrite', 'fnor', [5, 800, 4096, 800], [26, 27])
        .call('HDF5', 'H5Dwrite', 'hbgx', [0x105, 1600, 1, 0], [23, 30])
        .call('POSIX', 'fsync', 'fr', [5, 0], [31, 32]),
    );
    const names = column(trace, 'call').map((call) => trace.calls.names[call]);
    expect(names).toEqual([
      ...['H5Fopen', 'MPI_File_open', 'open', 'H5Dopen2', 'H5Dwrite', 'pwrite', 'pwrite', 'fsync'],
    ]);
    expect(column(trace, 'parent')).toEqual([NONE, 0, 1, NONE, NONE, 4, 4, NONE]);
    expect(new Set(column(trace, 'link'))).toEqual(new Set([LINKS.indexOf('none'), LINKS.indexOf('nesting')]));
    expect(column(trace, 'bytes')).toEqual([0, 0, 0, 0, 1600, 800, 800, 0]);
    expect(column(trace, 'flags')).toEqual([0, 32, 0, 0, EVENT_FLAGS.collective, 0, 0, 0]);
    expect(paths(trace)).toEqual(Array.from({ length: 8 }, () => '/work/x.h5'));
    const { parent, layer } = trace.handles;
    const [file, mpi, posix, dataSet] = [0, 1, 2, 3];
    expect([mpi, posix, dataSet].map((handle) => parent.at(handle))).toEqual([file, mpi, file]);
    expect(LAYERS[layer.at(posix)]).toBe('POSIX');
    expect(trace.definitions!.handleNames.get(dataSet)).toBe('/grid');
    expect(trace.definitions!.paradigms.map(({ name }) => name)).toEqual(['HDF5', 'MPI-IO', 'POSIX']);
  });

  test('views of MPI-IO give the offset, and transfers that are only begun last until they are complete', async () => {
    const trace = await read(
      new CaptureFile()
        .call('MPI-IO', 'MPI_File_open', 'cplhx', [0, '/a', CREATES, 7, 0], [0, 1])
        .call('MPI-IO', 'MPI_File_set_view', 'htex', [7, 1000, [8, 1], 0], [2, 3])
        .call('MPI-IO', 'MPI_File_write_at_all', 'honbx', [7, 5, 80, 80, 0], [4, 5])
        .call('MPI-IO', 'MPI_File_write', 'hnbx', [7, 80, 80, 0], [6, 7])
        .call('MPI-IO', 'MPI_File_iwrite', 'hnqx', [7, 160, 9, 0], [8, 9])
        .call('MPI-IO', 'MPI_File_write', 'hnbx', [7, 80, 80, 0], [10, 11])
        .call('recorder', 'complete', 'qb', [9, 160], [58, 58])
        .call('MPI-IO', 'MPI_File_set_view', 'htex', [7, 0, [8, 0], 0], [60, 61])
        .call('MPI-IO', 'MPI_File_iread_at', 'honqx', [7, 2, 8, 10, 0], [62, 63]),
    );
    expect(column(trace, 'offset', /write|read/)).toEqual([1040, 1000, 1080, 1240, NaN]);
    const { collective, nonBlocking, neverReturned } = EVENT_FLAGS;
    expect(column(trace, 'flags', /write|read/)).toEqual([collective, 0, nonBlocking, 0, nonBlocking | neverReturned]);
    expect(column(trace, 'duration', /iwrite/)).toEqual([50]);
    expect(column(trace, 'bytes', /write|read/)).toEqual([80, 80, 160, 80, 0]);
    expect(trace.damage.map(({ what }) => what)).toEqual(['1 transfers are begun and not seen to be complete']);
  });

  test('communicators of several processes are one', async () => {
    const rank = (number: number): CaptureFile => {
      const file = new CaptureFile({ pid: 100 + number, host: `node${number}` }).world(number, 2);
      const world = file.communicator('MPI_COMM_WORLD', 2, [{ first: 0, step: 1, ranks: 2 }]);
      const own = file.communicator('MPI_COMM_SELF', 1, [{ first: number, step: 0, ranks: 1 }]);
      const unlisted = file.communicator('halves', 2, []);
      for (const each of [world, own, unlisted])
        file.call('MPI-IO', 'MPI_File_open', 'cplhx', [each, '/a', 2, 40 + each, 0], [each * 10, each * 10 + 5]);
      return file;
    };
    const trace = await read(rank(0), rank(1));
    expect(trace.streams.map((stream) => stream.rank)).toEqual([0, 1]);
    const { communicators } = trace.definitions!;
    expect(communicators.map(({ name, members, isSelf }) => [name, members, isSelf])).toEqual([
      ['MPI_COMM_WORLD', [0, 1], false],
      ['MPI_COMM_SELF', [], true],
      ['halves', [], false],
      ['halves', [], false],
    ]);
    const { communicator } = trace.handles;
    expect([0, 1, 2, 3, 4, 5].map((handle) => communicator.at(handle))).toEqual([0, 1, 2, 0, 1, 3]);
  });

  test('communicators of runs of ranks, and one that lists more than it has', async () => {
    const file = new CaptureFile().world(0, 8);
    const steps = file.communicator('steps', 5, [
      { first: 6, step: -2, ranks: 4 },
      { first: -1, step: 0, ranks: 1 },
    ]);
    const wrong = file.communicator('wrong', 5, [{ first: 0, step: 1, ranks: 2 ** 40 }]);
    for (const each of [steps, wrong])
      file.call('MPI-IO', 'MPI_File_open', 'cplhx', [each, '/a', 2, 40 + each, 0], [each * 10, each * 10 + 5]);
    const trace = await read(file);
    expect(trace.definitions!.communicators.map(({ members }) => members)).toEqual([[NONE, NONE, NONE, 0, NONE]]);
    expect(trace.damage.map(({ what }) => what)).toEqual(['communicator 2 of 5 processes lists 1099511627776']);
  });
});

describe('threads', () => {
  test('share what is open, and their calls are brought into order', async () => {
    const file = new CaptureFile();
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [50, 60], { thread: 101 });
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [90, 95], { thread: 101 });
    opened(3, [0, 40], file).call('POSIX', 'write', 'fnr', [3, 10, 10], [70, 80]);
    const trace = await read(file);
    expect(trace.streams.map(({ pid, processId }) => [pid, processId])).toEqual([
      [101, 100],
      [100, 100],
    ]);
    expect(column(trace, 'start')).toEqual([0, 50, 70, 90]);
    expect(column(trace, 'offset', /write/)).toEqual([0, 10, 20]);
  });

  test('a descriptor that is closed while another thread opens leads to the new file', async () => {
    const file = opened(3);
    file.call('POSIX', 'open', 'plr', ['new', CREATES, 3], [20, 60], { thread: 101 });
    file.call('POSIX', 'close', 'fr', [3, 0], [30, 70]);
    file.call('POSIX', 'write', 'fnr', [3, 10, 10], [80, 90]);
    expect(paths(await read(file), /write/)).toEqual(['/work/new']);
  });
});

describe('several processes', () => {
  test('a forked one has what its parent has open, and both move the position', async () => {
    const parent = opened(3, [0, 5])
      .call('POSIX', 'write', 'fnr', [3, 100, 100], [10, 20])
      .call('recorder', 'fork', 'r', [200], [30, 30])
      .call('POSIX', 'write', 'fnr', [3, 1, 1], [70, 80]);
    const child = new CaptureFile({
      pid: 200,
      parentPid: 100,
      origin: 1,
      monotonicClock: MONOTONIC - 1n,
      wallClock: WALL - 1n,
    })
      .call('recorder', 'descriptor', 'fpol', [3, '/work/data', 100, 2], [40, 40])
      .call('POSIX', 'write', 'fnr', [3, 50, 50], [45, 60]);
    const trace = await read(child, parent);
    expect(trace.streams.map(({ pid }) => pid)).toEqual([100, 200]);
    expect(column(trace, 'offset', /write/)).toEqual([0, 150, 100]);
    expect(new Set(column(trace, 'handle', /write/)).size).toBe(1);
  });

  test('a program that is executed has what is not closed by that', async () => {
    const before = new CaptureFile()
      .call('POSIX', 'open', 'plr', ['kept', 2, 3], [0, 1])
      .call('POSIX', 'open', 'plr', ['closed', 0o2000002, 4], [2, 3])
      .call('POSIX', 'execve', 'pr', ['/bin/next', [-1, 0]], [10, 10]);
    const after = new CaptureFile({ monotonicClock: MONOTONIC + 100n, wallClock: WALL + 100n, arguments: ['next'] })
      .call('POSIX', 'read', 'fnr', [3, 10, 10], [200, 210])
      .call('POSIX', 'read', 'fnr', [4, 10, [-1, 9]], [220, 230]);
    const trace = await read(after, before);
    expect(trace.program).toBe('app -v');
    expect(paths(trace, /read/)).toEqual(['/work/kept', '']);
    expect(trace.notes).toEqual([]);
  });

  test('appends of several go behind each other', async () => {
    const writer = (pid: number, at: readonly [number, number]): CaptureFile =>
      new CaptureFile({ pid })
        .call('POSIX', 'open', 'plr', ['/log', 0o2101, 3], [0, 1])
        .call('POSIX', 'write', 'fnr', [3, 10, 10], at);
    const first = new CaptureFile({ pid: 9 }).call('POSIX', 'open', 'plr', ['/log', 0o1101, 3], [-9, -8], {
      thread: 9,
    });
    const trace = await read(first, writer(1, [30, 40]), writer(2, [10, 20]));
    expect(column(trace, 'offset', /write/)).toEqual([10, 0]);
  });

  test('clocks of hosts are brought together by their dates', async () => {
    const one = new CaptureFile({ host: 'a' }).call('POSIX', 'sync', '', [], [0, 10]);
    const other = new CaptureFile({ host: 'b', wallClock: WALL + 1000n, monotonicClock: MONOTONIC + 400n });
    // Of the same host and boot: its date was set by half a second meanwhile.
    const later = new CaptureFile({
      host: 'b',
      pid: 5,
      wallClock: WALL + 500_001_000n,
      monotonicClock: MONOTONIC + 700n,
    });
    for (const file of [other, later]) file.call('POSIX', 'sync', '', [], [800, 810]);
    expect(column(await read(one, other, later), 'start').sort((a, b) => a - b)).toEqual([0, 1400, 1400]);
  });
});

describe('call stacks', () => {
  test('are nodes of modules and addresses in them', async () => {
    const file = opened(3);
    const [program, library] = [file.module('/bin/app', new Uint8Array([0xab, 1])), file.module('/lib/libc.so')];
    const outer = file.node(0, library, 0x29d90);
    const main = file.node(outer, program, 0x1234);
    const inner = file.node(main, program, 0x1300);
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [20, 21], { stack: inner });
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [22, 23], { stack: main });
    file.call('POSIX', 'write', 'fnr', [3, 1, 1], [24, 25]);
    const trace = await read(file);
    const { stacks } = trace;
    const shown = column(trace, 'stack', /write/).map((node) =>
      stacks.framesOf(node).map((frame) => `${stacks.frame(frame).module} ${stacks.frame(frame).value.toString(16)}`),
    );
    expect(shown).toEqual([
      ['/bin/app 1300', '/bin/app 1234', '/lib/libc.so 29d90'],
      ['/bin/app 1234', '/lib/libc.so 29d90'],
      [],
    ]);
    expect([...stacks.moduleForms.values()]).toEqual(['address', 'address']);
    expect(trace.capabilities.stacks).toBe(true);
  });
});
