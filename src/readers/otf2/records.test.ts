import { describe, expect, test } from 'vitest';
import { archiveOf } from '../../../test/support/otf2/otf2-archives.ts';
import { ArchiveWriter } from '../../../test/support/otf2/otf2-writer.ts';
import { LAYERS, OPERATIONS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, NONE, OPEN_MODE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readOtf2 } from './otf2-reader.ts';

const IO = 27;
const IO_METADATA = 38;
const APPEND = 2;

function archive(): ArchiveWriter {
  const writer = new ArchiveWriter().processes(2).paradigms();
  writer.region(0, 'main', 1, 1, '/home/user/solver.c', 12).region(1, 'MPI_File_write_at_all', IO, 4);
  writer.region(2, 'pwrite', IO, 0).region(3, 'writev', IO, 0).region(4, 'open', IO_METADATA, 0);
  writer.region(5, 'write', IO, 0).region(6, 'lseek', IO_METADATA, 0).region(7, 'sendfile', IO, 0);
  writer.region(8, 'MPI_File_iwrite', IO, 4).region(9, 'MPI_Wait', 28, 4).region(10, 'dup', IO_METADATA, 0);
  writer.region(11, 'MPI_File_set_view', IO_METADATA, 4).region(12, 'H5Dwrite', IO, 0).region(13, 'MPI_Irecv', 28, 4);
  writer.file(0, '/scratch/a', 0).file(1, '/tmp/b', 1);
  writer.handle(0, 0, 1, undefined, 0).handle(1, 0, 0, 0).handle(2, 1, 0).handle(3, 1, 0).handle(4, 0, 2);
  return writer;
}

const read = async (writer: ArchiveWriter): Promise<Trace> => {
  const trace = await readOtf2(archiveOf(writer.finish()));
  expect(trace.damage).toEqual([]);
  return trace;
};

/** The rows in words. */
function rows(trace: Trace): string[] {
  const { events } = trace;
  return Array.from({ length: events.length }, (_, row) => {
    const value = (column: Parameters<typeof events.value>[0]): number => events.value(column, row);
    const call = value('call');
    const flags = Object.entries(EVENT_FLAGS).flatMap(([name, bit]) => (value('flags') & bit ? [name] : []));
    const parent = value('parent') === NONE ? '' : ` under ${value('parent')} by ${LINKS[value('link')]!}`;
    const name = `${LAYERS[value('layer')]!} ${OPERATIONS[trace.calls.operation[call]!]!} ${trace.calls.names[call]!}`;
    const place = `${value('start')}+${value('duration')} at ${value('offset')} moved ${value('bytes')}/${value('requested')}`;
    return `${name} ${place}${parent} ${flags.join(' ')}`.trim();
  });
}

describe('calls and what they are made of', () => {
  test('a call of an upper layer is the parent of what it makes; one without a record is a row too', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(5).enter(0).enter(11).time(8).leave(11);
    events.time(10).enter(1).time(11).begin(0, 'write', 2, 640, 0, 0);
    events.time(20).enter(2).begin(1, 'write', 0, 4096, 0, 100).time(30).complete(1, 4096, 0).leave(2);
    events.time(40).complete(0, 640, 0).time(41).leave(1).leave(0);
    const trace = await read(writer);
    expect(rows(trace)).toEqual([
      'MPI-IO metadata MPI_File_set_view 5+3 at NaN moved 0/NaN collective',
      'MPI-IO write MPI_File_write_at_all 11+29 at 0 moved 640/640 collective',
      'POSIX write pwrite 20+10 at 100 moved 4096/4096 under 1 by nesting',
    ]);
    const handle = trace.events.value('handle', 2);
    expect(trace.handles.parent.at(handle)).toBe(trace.events.value('handle', 1));
    expect(trace.definitions!.communicators[trace.handles.communicator.at(0)]!.members).toEqual([0, NONE]);
  });

  test('what a function did before its operation stands behind it and under it', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(10).enter(12).time(11).enter(2).begin(1, 'write', 0, 96, 0, 0).time(15).complete(1, 96, 0).leave(2);
    events.time(20).begin(4, 'write', 0, 800, 0).time(30).complete(4, 800, 0).time(31).leave(12);
    expect(rows(await read(writer))).toEqual([
      'HDF5 write H5Dwrite 10+20 at NaN moved 800/800',
      'POSIX write pwrite 11+4 at 0 moved 96/96 under 0 by nesting',
    ]);
  });

  test('a lower layer without functions of its own: its records are rows under the call', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(10).enter(1).begin(0, 'write', 0, 640, 7, 0);
    events.time(12).begin(1, 'write', 0, 640, 7, 0).time(18).complete(1, 640, 7).time(20).complete(0, 640, 7).leave(1);
    events.time(30).begin(1, 'read', 0, 8, 7, 0).time(31).complete(1, 8, 7);
    expect(rows(await read(writer))).toEqual([
      'MPI-IO write MPI_File_write_at_all 10+10 at 0 moved 640/640',
      'POSIX write write 12+6 at 0 moved 640/640 under 0 by nesting',
      'POSIX read read 30+1 at 0 moved 8/8',
    ]);
  });

  test('the parts of a vector are one call; the two sides of a copy are a call and its part, and time counts once', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(10).enter(3).begin(2, 'write', 0, 10, 0).begin(2, 'write', 0, 20, 1).begin(2, 'write', 0, 30, 2);
    events.time(20).complete(2, 10, 0).complete(2, 20, 1).complete(2, 5, 2).leave(3);
    events.time(30).enter(7).begin(1, 'read', 0, 9, 0).begin(2, 'write', 0, 9, 0);
    events.time(40).complete(2, 9, 0).complete(1, 9, 0).leave(7);
    expect(rows(await read(writer))).toEqual([
      'POSIX write writev 10+10 at NaN moved 35/60',
      'POSIX copy sendfile (read) 30+10 at NaN moved 9/9',
      'POSIX copy sendfile (write) 30+NaN at NaN moved 9/9 under 1 by part part',
    ]);
  });

  test('non-blocking operations end where they are seen complete, on another thread too; some are cancelled', async () => {
    const writer = archive();
    const one = writer.location(0n, 0);
    const other = writer.location(7n, 0, 'thread');
    one
      .time(10)
      .enter(8)
      .begin(0, 'write', 1, 64, 2n ** 60n + 1n)
      .time(12)
      .leave(8);
    one
      .time(13)
      .enter(8)
      .begin(0, 'write', 1, 65, 2n ** 60n + 2n)
      .time(14)
      .leave(8);
    one.time(15).enter(8).begin(0, 'write', 1, 66, 3).time(16).leave(8);
    one
      .time(50)
      .enter(9)
      .complete(0, 64, 2n ** 60n + 1n)
      .leave(9);
    one.event(79, (fields) => fields.c32(0).c64(3));
    other
      .time(60)
      .enter(9)
      .complete(0, 65, 2n ** 60n + 2n)
      .leave(9);
    expect(rows(await read(writer))).toEqual([
      'MPI-IO write MPI_File_iwrite 10+40 at NaN moved 64/64 nonBlocking',
      'MPI-IO write MPI_File_iwrite 13+47 at NaN moved 65/65 nonBlocking',
      'MPI-IO write MPI_File_iwrite 15+35 at NaN moved 0/66 nonBlocking cancelled',
    ]);
  });
});

describe('places in files', () => {
  test('are worked out from seeks, earlier calls, duplicates and O_APPEND, over the threads of a process', async () => {
    const writer = archive();
    const one = writer.location(0n, 0);
    const other = writer.location(7n, 0, 'thread');
    one.time(1).enter(4).create(2, 1, 3, 0).time(2).leave(4);
    one.time(10).enter(5).begin(2, 'write', 0, 100, 0).time(11).complete(2, 100, 0).leave(5);
    one.time(12).enter(10);
    one
      .event(71, (fields) => fields.c32(2).c32(3).c32(0))
      .time(13)
      .leave(10);
    other.time(20).enter(5).begin(3, 'write', 0, 50, 0).time(21).complete(3, 40, 0).leave(5);
    one.time(30).enter(5).begin(2, 'write', 0, 10, 0).time(31).complete(2, 10, 0).leave(5);
    one.time(40).enter(6).seek(3, 7).leave(6);
    one.time(50).enter(5).begin(2, 'write', 0, 1, 0).time(51).complete(2, 1, 0).leave(5);
    one
      .time(60)
      .enter(4)
      .event(73, (fields) => fields.c32(2).c32(APPEND))
      .leave(4);
    one.time(70).enter(5).begin(2, 'write', 0, 5, 0).time(71).complete(2, 5, 0).leave(5);
    const trace = await read(writer);
    const places = rows(trace).filter((row) => row.includes(' write write '));
    const ofFirst = ['10+1 at 0', '30+1 at 140', '50+1 at 7', '70+1 at 150'];
    expect(places).toEqual([
      ...ofFirst.map((place, i) => expect.stringContaining(place + (i === 3 ? ' moved 5/5 append' : '')) as string),
      expect.stringContaining('20+1 at 100'),
    ]);
    expect(trace.events.value('argument', 0)).toBe(1 | OPEN_MODE.create | OPEN_MODE.truncate);
  });

  test('stay unknown for MPI-IO without an offset, and for files that were open before', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(1).enter(1).begin(0, 'write', 0, 9, 0).time(2).complete(0, 9, 0).leave(1);
    events.time(3).enter(5).begin(2, 'write', 0, 9, 0).time(4).complete(2, 9, 0).leave(5);
    const trace = await read(writer);
    expect([trace.events.value('offset', 0), trace.events.value('offset', 1)]).toEqual([NaN, NaN]);
  });
});

describe('where calls come from', () => {
  test('the functions around a call are its stack, with the lines of their definition', async () => {
    const writer = archive();
    writer.location(0n, 0).time(1).enter(0).enter(1).enter(2).time(5).leave(2).leave(1).leave(0);
    const { events, stacks } = await read(writer);
    const frames = stacks.framesOf(events.value('stack', 1)).map((frame) => stacks.frame(frame));
    expect(
      frames.map(({ symbol, sourceFile, sourceLine, module }) => [symbol, sourceFile, sourceLine, module]),
    ).toEqual([
      ['pwrite', '', 0, ''],
      ['MPI_File_write_at_all', '', 0, ''],
      ['main', '/home/user/solver.c', 12, 'made'],
    ]);
  });

  test('calling contexts give the lines of the calls', async () => {
    const writer = archive();
    const file = writer.string('/home/user/io.c');
    writer.define(33, (fields) => fields.c32(0).c32(file).c32(77));
    writer.define(34, (fields) => fields.c32(1).c32(2).c32(0xffff_ffff).c32(0));
    writer.define(34, (fields) => fields.c32(0).c32(0).c32(0).c32(0xffff_ffff));
    const events = writer.location(0n, 0);
    events.time(1).event(66, (fields) => fields.c32(1).c32(2));
    events.time(3).event(67, (fields) => fields.c32(1));
    const trace = await read(writer);
    const frames = trace.stacks.framesOf(trace.events.value('stack', 0)).map((frame) => trace.stacks.frame(frame));
    expect(frames.map(({ symbol, sourceLine }) => [symbol, sourceLine])).toEqual([
      ['pwrite', 0],
      ['main', 77],
    ]);
  });
});

describe('records', () => {
  test('messages go from the request to its completion, between streams', async () => {
    const writer = archive();
    const one = writer.location(0n, 0);
    const other = writer.location(1n << 32n, 1);
    one
      .time(10)
      .enter(13)
      .event(17, (fields) => fields.c64(5), false)
      .time(11)
      .leave(13);
    one.time(20).event(19, (fields) => fields.c32(1).c32(0).c32(42).c64(800).c64(5));
    other
      .time(12)
      .enter(9)
      .event(15, (fields) => fields.c32(0).c32(0).c32(42).c64(800).c64(9))
      .time(13)
      .leave(9);
    other.time(19).event(16, (fields) => fields.c64(9), false);
    one.time(30).event(85, (fields) => fields.c64(6));
    one.time(35).event(86, (fields) => fields.u8(11).c32(0).c32(0xffff_ffff).c64(8).c64(8).c64(6));
    const { messages } = await read(writer);
    const common = { communicator: 0, operation: '' };
    expect([0, 1, 2].map((row) => messages!.at(row))).toEqual([
      { ...common, kind: 'receive', stream: 0, peer: 1, start: 10, end: 20, tag: 42, sentBytes: 0, receivedBytes: 800 },
      {
        kind: 'collective',
        stream: 0,
        peer: NONE,
        start: 30,
        end: 35,
        tag: NONE,
        sentBytes: 8,
        receivedBytes: 8,
        communicator: 0,
        operation: 'allreduce',
      },
      { ...common, kind: 'send', stream: 1, peer: 0, start: 12, end: 19, tag: 42, sentBytes: 800, receivedBytes: 0 },
    ]);
  });

  test('of types that nobody knows, and with fields that nobody knows, are passed over by their length', async () => {
    const writer = archive();
    const events = writer.location(0n, 0);
    events.time(1).enter(4);
    events.event(200, (fields) => fields.text('from the future'));
    events.event(69, (fields) => fields.c32(2).u8(2).c32(0).c32(0).text('longer'));
    events.time(2).leave(4);
    const trace = await read(writer);
    expect(rows(trace)).toEqual(['POSIX open open 1+1 at NaN moved 0/NaN']);
    expect(trace.notes).toEqual(['1 records of types that are not known (such as 200) were passed over']);
  });

  test('files belong to the host that sees them, and keep scope and properties', async () => {
    const writer = archive();
    const [name, value] = [writer.string('stripe count'), writer.string('ext4')];
    writer.define(37, (fields) => fields.c32(1).c32(name).u8(3).c32(4));
    writer.define(37, (fields) => fields.c32(1).c32(name).u8(11).c32(value));
    writer.location(0n, 0).time(1).enter(0).leave(0);
    const { files, definitions } = await read(writer);
    expect(files.files.map(({ host, path }) => [host, path])).toEqual([
      ['', '/scratch/a'],
      ['n0001', '/tmp/b'],
    ]);
    expect(definitions!.files[1]).toEqual({
      file: 1,
      isDirectory: false,
      scope: 'node n0001',
      properties: [
        { name: 'stripe count', value: 4 },
        { name: 'stripe count', value: 'ext4' },
      ],
    });
    expect(definitions!.paradigms.map(({ layer, isParallel }) => [LAYERS[layer], isParallel])).toEqual([
      ['POSIX', false],
      ['MPI-IO', true],
      ['HDF5', true],
      ['STDIO', false],
    ]);
  });
});
