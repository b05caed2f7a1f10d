import { describe, expect, test } from 'vitest';
import { CaptureFile } from '../../../test/support/recorder/capture-writer.ts';
import { CREATES, column, paths, read } from '../../../test/support/recorder/captured-calls.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, NONE } from '../../trace/events.ts';

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
