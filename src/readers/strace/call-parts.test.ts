import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { recordingFilesAt } from '../../session/reading/recording-files.ts';
import { EVENT_FLAGS, NONE, NOT_MEASURED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readStrace } from './strace-reader.ts';

const read = (lines: readonly string[]): Promise<Trace> =>
  readStrace([memoryFile('t.strace', lines.join('\n') + '\n')]);

/** `call path offset bytes/requested duration error`, of the rows of calls with these names. */
function rowsOf(trace: Trace, names: RegExp): string[] {
  const rows: string[] = [];
  for (let row = 0; row < trace.events.length; row++) {
    const value = (column: Parameters<Trace['events']['value']>[0]): number => trace.events.value(column, row);
    const name = trace.calls.names[value('call')]!;
    if (!names.test(name)) continue;
    const file = value('file') === NONE ? '?' : trace.files.at(value('file')).path;
    const state = value('flags') & NOT_MEASURED ? ' pending' : '';
    const error = trace.errors.at(value('error'));
    rows.push(
      `${name} ${file} ${value('offset')} ${value('bytes')}/${value('requested')} ${value('duration')} ${error}${state}`,
    );
  }
  return rows;
}

const request = (fields: string, fd = '3</d/a>'): string => `{aio_data=0, ${fields.replace('FD', `aio_fildes=${fd}`)}}`;

describe('Linux AIO: every request is an event', () => {
  test('with file, offset, bytes and the time until its result was collected', async () => {
    const trace = await read([
      `7 1795252110.000000 io_submit(0x7f00, 2, [${request('aio_lio_opcode=IOCB_CMD_PWRITE, FD, aio_buf="a\\"]}"..., aio_nbytes=512, aio_offset=1024')}, ${request('aio_lio_opcode=IOCB_CMD_PREAD, FD, aio_buf=0x7ffe, aio_nbytes=256, aio_offset=0', '4</d/b>')}]) = 2 <0.000100>`,
      '7 1795252110.001000 io_getevents(0x7f00, 1, 2, [{data=0, obj=0x2, res=256, res2=0}], NULL) = 1 <0.000500>',
      '7 1795252110.003000 io_getevents(0x7f00, 1, 2, [{data=0, obj=0x1, res=300, res2=0}], {tv_sec=1, tv_nsec=0}) = 1 <0.001000>',
    ]);
    expect(rowsOf(trace, /^aio_/)).toEqual([
      'aio_pwrite /d/a 1024 300/512 4000000 ',
      'aio_pread /d/b 0 256/256 1500000 ',
    ]);
    expect(trace.events.value('parent', 1)).toBe(0);
    expect(trace.events.value('parent', 2)).toBe(0);
    expect(trace.events.value('flags', 1)).toBe(EVENT_FLAGS.part);
  });

  test('the program’s own marks tell which result is whose; a vector’s lengths are summed', async () => {
    const trace = await read([
      `7 1795252110.0 io_submit(0x7f00, 3, [{aio_data=0x11, aio_lio_opcode=IOCB_CMD_PWRITEV, aio_fildes=3</d/a>, aio_buf=[{iov_base="x", iov_len=100}, {iov_base="y", iov_len=28}], aio_offset=0}, {aio_data=0x22, aio_lio_opcode=IOCB_CMD_PWRITE, aio_fildes=3</d/a>, aio_buf="z", aio_nbytes=128, aio_offset=128}, {aio_data=0x33, aio_lio_opcode=IOCB_CMD_FSYNC, aio_fildes=3</d/a>}]) = 3 <0.1>`,
      '7 1795252111.0 io_pgetevents(0x7f00, 3, 3, [{data=0x22, obj=0x9, res=-28, res2=0}, {data=0x33, obj=0x8, res=0, res2=0}, {data=0x11, obj=0x7, res=128, res2=0}], NULL, NULL) = 3 <0.5>',
    ]);
    expect(rowsOf(trace, /^aio_/)).toEqual([
      'aio_pwritev /d/a 0 128/128 1500000000 ',
      'aio_pwrite /d/a 128 0/128 1500000000 ENOSPC',
      'aio_fsync /d/a NaN 0/NaN 1500000000 ',
    ]);
  });

  test('a submission that other processes cut in two, one that fails, one that takes only a part', async () => {
    const list = `[${request('aio_lio_opcode=IOCB_CMD_PREAD, FD, aio_buf=0x1, aio_nbytes=8, aio_offset=0')}, ${request('aio_lio_opcode=IOCB_CMD_PREAD, FD, aio_buf=0x1, aio_nbytes=8, aio_offset=8')}]`;
    const trace = await read([
      `7 1795252110.0 io_submit(0x7f00, 2, ${list} <unfinished ...>`,
      '8 1795252110.5 getpid() = 8 <0.1>',
      '7 1795252111.0 <... io_submit resumed>) = 1 <1.000000>',
      ' > /bin/x(main+0x1) [0x1001]',
      `7 1795252112.0 io_submit(0x7f00, 2, ${list}) = -1 EAGAIN (Resource temporarily unavailable) <0.1>`,
      '7 1795252113.0 io_getevents(0x7f00, 1, 1, [{data=0, obj=0x2, res=8, res2=0}], NULL) = 1 <0.5>',
    ]);
    expect(rowsOf(trace, /^aio_/)).toEqual([
      'aio_pread /d/a 0 8/8 3500000000 ',
      'aio_pread /d/a 8 0/8 NaN  pending',
      'aio_pread /d/a 0 0/8 NaN EAGAIN',
      'aio_pread /d/a 8 0/8 NaN EAGAIN',
    ]);
    // The stack of the call is that of its requests.
    expect([0, 1, 2].map((row) => trace.events.value('stack', row))).toEqual([0, 0, 0]);
  });

  test('as strace printed it before 4.11, with argument names (-N), and without paths', async () => {
    const trace = await read([
      '7 1795252110.0 openat(AT_FDCWD, "/d/a", O_RDWR) = 4 <0.1>',
      '7 1795252110.1 io_submit(139637976727552, 1, {{pwrite, filedes:4, buf:0x6bd000, nbytes:4096, offset:8192}}) = 1 <0.1>',
      '7 1795252110.5 io_getevents(139637976727552, 1, 1, {{(nil), 0x6bc0a0, 4096, 0}}, NULL) = 1 <0.1>',
      '7 1795252111.0 io_submit(ctx_id=0x7f00, nr=1, iocbpp=[{aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=4, aio_buf="x", aio_nbytes=1, aio_offset=5}]) = 1 <0.1>',
      '7 1795252111.5 io_getevents(ctx_id=0x7f00, min_nr=1, nr=1, events=[{data=0, obj=0x1, res=1, res2=0}], timeout=NULL) = 1 <0.1>',
    ]);
    expect(rowsOf(trace, /^aio_/)).toEqual([
      'aio_pwrite /d/a 8192 4096/4096 500000000 ',
      'aio_pread /d/a 5 1/1 600000000 ',
    ]);
  });

  const sample = corpus('strace/formats/f-tt-T-y.strace');
  test.skipIf(sample === undefined)(
    sample === undefined ? absent('strace/formats') : 'in a real recording',
    async () => {
      const trace = await readStrace(await recordingFilesAt(sample!));
      expect(rowsOf(trace, /^(aio_|.*\()/)).toEqual([
        'sendfile (source) /tmp/fmt/plain.bin 0 50/50 NaN ',
        'copy_file_range (target) /memfd:scratch (1) 4096 0/50 NaN EXDEV',
        'splice (target) /memfd:scratch (1) 10 4/4 NaN ',
        'aio_pwrite /memfd:scratch (1) 1024 512/512 59000 ',
        'aio_pread /memfd:scratch (1) 0 256/256 59000 ',
      ]);
    },
  );
});

describe('copies inside the kernel have two files', () =>
  test('each with the offset of its own, given or the descriptor’s', async () => {
    const trace = await read([
      '7 1795252101.0 openat(AT_FDCWD</d>, "a", O_RDONLY) = 3</d/a> <0.1>',
      '7 1795252101.1 openat(AT_FDCWD</d>, "b", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 4</d/b> <0.1>',
      '7 1795252101.2 sendfile(4</d/b>, 3</d/a>, NULL, 100) = 100 <0.1>',
      '7 1795252101.3 sendfile(4</d/b>, 3</d/a>, [7] => [57], 50) = 50 <0.1>',
      '7 1795252101.4 copy_file_range(3</d/a>, NULL, 4</d/b>, [1000], 30, 0) = 20 <0.1>',
      '7 1795252101.5 copy_file_range(3</d/a>, NULL, 4</d/b>, NULL, 5, 0) = 5 <0.1>',
    ]);
    expect(rowsOf(trace, /sendfile|copy/)).toEqual([
      'sendfile /d/b 0 100/100 100000000 ',
      'sendfile (source) /d/a 0 100/100 NaN ',
      'sendfile /d/b 100 50/50 100000000 ',
      'sendfile (source) /d/a 7 50/50 NaN ',
      'copy_file_range /d/a 100 20/30 100000000 ',
      'copy_file_range (target) /d/b 1000 20/30 NaN ',
      'copy_file_range /d/a 120 5/5 100000000 ',
      'copy_file_range (target) /d/b 150 5/5 NaN ',
    ]);
  }));

describe('what strace cannot see is said once', () => {
  test('io_uring', async () => {
    const line =
      '7 1795252101.0 io_uring_enter(4<anon_inode:[io_uring]>, 4, 4, IORING_ENTER_GETEVENTS, NULL, 8) = 4 <0.1>';
    const { notes } = await read([line, line, line.replace('4, 4, IORING', '0, 4, IORING').replace('= 4', '= 0')]);
    expect(notes).toEqual([
      'io_uring: 8 requests were submitted in 2 calls; which files and how many bytes they moved, strace does not see',
    ]);
  });

  test('mapped files; msync names the file and the place', async () => {
    const trace = await read([
      '7 1795252101.0 mmap(NULL, 8192, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_DENYWRITE, 3</opt/lib/liba.so>, 0) = 0x7f0000 <0.1>',
      '7 1795252101.0 mmap(NULL, 53139, PROT_READ, MAP_PRIVATE, 3</etc/ld.so.cache>, 0) = 0x7e0000 <0.1>',
      '7 1795252101.1 mmap(NULL, 65536, PROT_READ|PROT_WRITE, MAP_SHARED, 4</d/table>, 0x1000) = 0x7a0000 <0.1>',
      '7 1795252101.2 msync(0x7a2000, 4096, MS_SYNC) = 0 <0.1>',
      '7 1795252101.3 munmap(0x7a0000, 65536) = 0 <0.1>',
      '7 1795252101.4 msync(0x7a2000, 4096, MS_SYNC) = -1 ENOMEM (Cannot allocate memory) <0.1>',
      '7 1795252101.5 msync(0x7e0000, 4096, MS_SYNC) = 0 <0.1>',
    ]);
    expect(trace.notes).toEqual([
      'mapped into memory: /d/table; what is read and written through a mapping, strace does not see',
    ]);
    expect(rowsOf(trace, /msync/)).toEqual([
      'msync /d/table 12288 0/4096 100000000 ',
      'msync ? NaN 0/4096 100000000 ENOMEM',
      'msync /etc/ld.so.cache 0 0/4096 100000000 ',
    ]);
  });

  test('nothing where there is nothing', async () => {
    expect((await read(['7 1795252101.0 write(3</d/a>, "x", 1) = 1 <0.1>'])).notes).toEqual([]);
  });
});
