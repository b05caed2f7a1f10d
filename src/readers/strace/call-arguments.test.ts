import { expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { LOCK_KIND, NONE, OPEN_MODE } from '../../trace/events.ts';
import { readStrace } from './strace-reader.ts';

async function argumentOf(call: string): Promise<number> {
  const trace = await readStrace([memoryFile('t.strace', `7 1795252110.000000 ${call} <0.000010>\n`)]);
  return trace.events.value('argument', 0);
}

test.each([
  ['openat(AT_FDCWD</w>, "a", O_RDONLY|O_CLOEXEC) = 3</w/a>', 0],
  ['open("a", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a>', 1 | OPEN_MODE.create | OPEN_MODE.truncate],
  ['openat(AT_FDCWD</w>, "a", O_RDWR|O_CREAT|O_EXCL|O_APPEND, 0600) = 3</w/a>', 2 | 0o100 | 0o200 | 0o2000],
  ['openat2(AT_FDCWD</w>, "a", {flags=O_RDWR|O_DIRECT, mode=0, resolve=0}, 24) = 3</w/a>', 2 | OPEN_MODE.direct],
  ['openat(AT_FDCWD</w>, "a", O_RDONLY|O_SYNC) = 3</w/a>', OPEN_MODE.sync | OPEN_MODE.dataSync],
  ['openat(AT_FDCWD</w>, "a", O_RDONLY|O_NONBLOCK|O_DIRECTORY|O_CLOEXEC) = 3</w>', 0o4000 | OPEN_MODE.directory],
  ['openat(AT_FDCWD</w>, "O_TRUNC", O_RDONLY) = 3</w/O_TRUNC>', 0],
  ['openat(AT_FDCWD</w>, "a", 0x80241, 0644) = 3</w/a>', 1 | OPEN_MODE.create | OPEN_MODE.truncate],
  ['openat(AT_FDCWD</w>, "a", 0x241 /* O_WRONLY|O_CREAT|O_TRUNC */, 0644) = 3', 1 | 0o100 | 0o1000],
  ['creat("/w/a", 0644) = 3</w/a>', 1 | OPEN_MODE.create | OPEN_MODE.truncate],
  ['lseek(3</w/a>, 10, SEEK_SET) = 10', 0],
  ['lseek(3</w/a>, 10, SEEK_CUR) = 20', 1],
  ['lseek(3</w/a>, 0, SEEK_END) = 100', 2],
  ['lseek(3</w/a>, 0, SEEK_DATA) = 0', 3],
  ['lseek(3</w/a>, 0, 2) = 100', 2],
  ['ftruncate(3</w/a>, 640) = 0', 640],
  ['truncate("/w/a", 7) = 0', 7],
  ['flock(3</w/a>, LOCK_EX) = 0', LOCK_KIND.exclusive],
  ['flock(3</w/a>, LOCK_SH|LOCK_NB) = 0', LOCK_KIND.tryShared],
  ['flock(3</w/a>, LOCK_UN) = 0', LOCK_KIND.release],
  ['fcntl(3</w/a>, F_SETLKW, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=0, l_len=9}) = 0', LOCK_KIND.exclusive],
  ['fcntl(3</w/a>, F_SETLK, {l_type=F_RDLCK, l_whence=SEEK_SET, l_start=0, l_len=9}) = 0', LOCK_KIND.tryShared],
  ['fcntl(3</w/a>, F_OFD_SETLK, {l_type=F_UNLCK, l_whence=SEEK_SET, l_start=0, l_len=9}) = 0', LOCK_KIND.release],
  ['fcntl(3</w/a>, F_GETLK, {l_type=F_UNLCK, l_whence=SEEK_SET, l_start=0, l_len=9}) = 0', NaN],
  ['fcntl(3</w/a>, F_SETFL, O_RDONLY|O_APPEND) = 0', NaN],
  ['pipe2([3<pipe:[1]>, 4<pipe:[1]>], O_CLOEXEC) = 0', NaN],
  ['read(3</w/a>, "x"..., 8) = 8', NaN],
])('%s', async (call, argument) => {
  expect(await argumentOf(call)).toBe(argument);
});

test('a rename names the file that its name led to', async () => {
  const text = '7 1795252110.000000 renameat2(AT_FDCWD</w>, "a", AT_FDCWD</w>, "b", RENAME_NOREPLACE) = 0 <0.000010>\n';
  const trace = await readStrace([memoryFile('t.strace', text)]);
  const to = trace.events.value('argument', 0);
  expect(to).not.toBe(NONE);
  expect(trace.files.at(to).path).toBe('/w/b');
  expect(trace.files.at(trace.events.value('file', 0)).path).toBe('/w/a');
});
