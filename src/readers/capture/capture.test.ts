import { describe, expect, test } from 'vitest';
import { CaptureFile, WALL } from '../../../test/support/recorder/capture-writer.ts';
import { CREATES, column, opened, paths, read } from '../../../test/support/recorder/captured-calls.ts';
import { EVENT_FLAGS, LOCK_KIND, NONE, OPEN_MODE } from '../../trace/events.ts';
import { recogniseFormat } from '../registry.ts';

test('a file is told by its first bytes', () =>
  expect(recogniseFormat(new CaptureFile().bytes())?.name).toBe('iolens'));

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

  test('msync is on the file that is mapped at its address', async () => {
    /** Size, offset, protection, flags, address. */
    const map = [8192, 4096, 3, 1, 0x7f00_0000_0000, 0];
    const trace = await read(
      opened(4, [2, 3], opened(3, [0, 1]))
        .call('POSIX', 'mmap', 'fnokvOr', [3, ...map], [4, 5])
        .call('POSIX', 'msync', 'nOkr', [4096, 0x7f00_0000_1000, 4, 0], [6, 7])
        .call('POSIX', 'mmap', 'fnokvOr', [4, ...map], [8, 9])
        .call('POSIX', 'msync', 'nOkr', [4096, 0x7f00_0000_0000, 4, 0], [10, 11])
        .call('POSIX', 'msync', 'nOkr', [4096, 0x7f00_0000_2000, 4, 0], [12, 13])
        // As recorded before addresses were.
        .call('POSIX', 'msync', 'nkr', [4096, 4, 0], [14, 15]),
    );
    expect(column(trace, 'offset', /msync/)).toEqual([8192, 4096, NaN, NaN]);
    const handles = column(trace, 'handle', /^open/);
    expect(column(trace, 'handle', /msync/)).toEqual([...handles, NONE, NONE]);
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
