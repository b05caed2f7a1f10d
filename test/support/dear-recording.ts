import { line, StraceText } from './strace-text.ts';

/** A recording whose finding is high however its times are taken: each record waits for the storage. */
export function dearRecording(): string {
  const text = new StraceText();
  text.call(7, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', 20, [line(3)]);
  text.times(200, () => {
    text.call(7, 'write(3</w/a>, "x"..., 16) = 16', 20, [line(9)]);
    text.call(7, 'fsync(3</w/a>) = 0', 2000, [line(10)]);
  });
  return text.toString();
}
