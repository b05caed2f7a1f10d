import { describe, expect, test } from 'vitest';
import { analysed, find, codes } from '../../support/analysed-text.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** What reads samples of training data and chunks of arrays, as their loaders do it: again in every epoch. */

const EPOCHS = 3;

/** Epochs of loader processes that share the files of an epoch, a few calls at a time in turns. */
function epochs(
  workers: readonly ((epoch: number) => number)[],
  files: number,
  read: (text: StraceText, pid: number, file: number) => void,
): StraceText {
  const text = new StraceText();
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (let i = 0; i < files; i++) {
      // Another order in each epoch: which worker gets a file changes.
      const file = (i * 7 + epoch * 13) % files;
      read(text, workers[i % workers.length]!(epoch), file);
    }
  return text;
}

function whole(text: StraceText, pid: number, path: string, sizes: readonly number[]): void {
  text.call(pid, `openat(AT_FDCWD, "${path}", O_RDONLY|O_CLOEXEC) = 3<${path}>`, 40, [line(3)]);
  text.call(pid, `fstat(3<${path}>, {st_mode=S_IFREG|0644, ...}) = 0`, 5, [line(3)]);
  for (const size of sizes) text.call(pid, `read(3<${path}>, ""..., ${size}) = ${size}`, 30, [line(4)]);
  text.call(pid, `read(3<${path}>, "", 4096) = 0`, 5, [line(4)]);
  text.call(pid, `close(3<${path}>) = 0`, 10, [line(5)]);
}

/** Samples of an image data set, chunks of a zarr array, and Parquet files, whose footer is read before their row groups. */
const LAYOUTS: Readonly<Record<string, (text: StraceText, pid: number, file: number) => void>> = {
  'one file per sample': (text, pid, file) => whole(text, pid, `/w/train/${file}.npy`, [150_000]),
  'chunks of zarr': (text, pid, file) => whole(text, pid, `/w/store.zarr/x/${file >> 3}.${file & 7}`, [65_536]),
  Parquet: (text, pid, file) => {
    const path = `/w/part-${file}.parquet`;
    const size = 200_000;
    const at = (offset: number, bytes: number): string => `pread64(3<${path}>, ""..., ${bytes}, ${offset}) = ${bytes}`;
    text.call(pid, `openat(AT_FDCWD, "${path}", O_RDONLY) = 3<${path}>`, 40, [line(3)]);
    text.call(pid, at(size - 8, 8), 10, [line(4)]);
    text.call(pid, at(size - 2000, 1992), 10, [line(4)]);
    for (const offset of [4, 99_000]) text.call(pid, at(offset, 98_996), 30, [line(4)]);
    text.call(pid, `close(3<${path}>) = 0`, 10, [line(5)]);
  },
};
const WORKERS: Readonly<Record<string, readonly ((epoch: number) => number)[]>> = {
  'one process': [() => 7],
  'workers that are forked for each epoch': [0, 1, 2, 3].map((i) => (epoch: number) => 10 + epoch * 4 + i),
  'workers that live as long as the program': [0, 1, 2, 3].map((i) => () => 10 + i),
};

describe.each(Object.entries(LAYOUTS))('%s', (_layout, read) => {
  test.each(Object.entries(WORKERS))('read again in every epoch by %s', async (_who, workers) => {
    const { evidence, recommendations, sites } = await find('L37', epochs(workers, 64, read));
    expect(evidence).toMatchObject({ files: 64, turns: EPOCHS });
    expect(sites.map(({ explainedBy }) => explainedBy)).not.toContain('L02');
    expect(recommendations.map(({ text }) => text).join()).toMatch(
      /one file, or a few .*Parquet row groups, sharded Zarr chunks/,
    );
  });

  test('read once', async () => {
    const text = new StraceText();
    for (let file = 0; file < 64; file++) read(text, 7, file);
    expect(await codes(text)).not.toContain('L37');
  });
});

test('processes side by side that read the files of their group once each take no turns', async () => {
  const text = new StraceText();
  for (let file = 0; file < 64; file++)
    for (const pid of [10, 11, 12, 13]) whole(text, pid, `/w/${pid & 1}/${file}.bin`, [20_000]);
  expect(await codes(text)).not.toContain('L37');
});

describe('Linux AIO', () => {
  /** Requests of a device's size, of which `under` are under way at once. */
  const requests = (microseconds: number): StraceText => {
    const text = new StraceText();
    text.call(7, 'openat(AT_FDCWD, "/w/a", O_RDONLY|O_DIRECT) = 3</w/a>', 20, [line(1)]);
    text.call(7, 'io_setup(32, [0x7f2a4c000000]) = 0', 20, [line(2)]);
    return text.times(200, (i) => {
      const request = `{aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3</w/a>, aio_buf=0x1, aio_nbytes=1048576, aio_offset=${i * 1048576}}`;
      text.call(7, `io_submit(0x7f2a4c000000, 1, [${request}]) = 1`, 30, [line(3)]);
      text.call(
        7,
        'io_getevents(0x7f2a4c000000, 1, 1, [{data=0, obj=0x1, res=1048576, res2=0}], NULL) = 1',
        microseconds,
        [line(4)],
      );
    });
  };

  test('what the program waits for it is told where it is dear, with its lines, and nothing is praised', async () => {
    const { insights, unmarked } = await analysed(requests(2000));
    expect(insights).toEqual([]);
    const [waiting] = unmarked;
    expect(waiting).toMatchObject({ kind: 'waiting', events: 200 });
    expect(waiting!.what).toMatch(/^200 calls of io_uring or Linux AIO, which make requests and wait for them/);
  });
});
