import { expect, test } from 'vitest';
import { codes, find } from '../../support/analysed-text.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** L45: names that are given or taken away again and again. */

const saved = (pid = 1, steps = 60): StraceText => {
  const text = new StraceText();
  text.times(steps, () => {
    text.call(pid, 'openat(AT_FDCWD, "/w/a.tmp", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a.tmp>', 10, [line(1)]);
    text.call(pid, 'write(3</w/a.tmp>, ""..., 8000) = 8000', 20, [line(2)]);
    text.call(pid, 'close(3</w/a.tmp>) = 0', 10, [line(4)]);
    text.call(pid, 'rename("/w/a.tmp", "/w/a") = 0', 500, [line(5)]);
  });
  return text;
};

test('a state that takes the place of the one before after each step', async () => {
  const { message, sites, gain } = await find('L45', saved());
  expect(message).toMatch(/^59 renames of a file that had been renamed before cost about 2\d(\.\d+)? ms, /);
  expect(sites.map(({ events }) => events)).toEqual([59]);
  // Nobody knows how many are needed.
  expect(gain.savedNs).toBeNull();
});

test('a lock file that is made and removed for each', async () => {
  const text = new StraceText();
  text.times(60, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/lock", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3</w/lock>', 30, [line(1)]);
    text.call(1, 'close(3</w/lock>) = 0', 10, [line(2)]);
    text.call(1, 'unlink("/w/lock") = 0', 100, [line(3)]);
  });
  const { message, recommendations } = await find('L45', text);
  expect(message).toMatch(/^59 removals of a file that had been removed before cost about /);
  expect(recommendations.map((advice) => advice.text)).toEqual([expect.stringMatching(/^Keep the file: hold a lock/)]);
});

test('the journal of each record is the consequence of making each record safe', async () => {
  const text = new StraceText();
  text.times(60, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/j", O_RDWR|O_CREAT, 0644) = 4</w/j>', 30, [line(1)]);
    text.call(1, 'write(4</w/j>, ""..., 512) = 512', 10, [line(1)]);
    text.call(1, 'fdatasync(4</w/j>) = 0', 4000, [line(1)]);
    text.call(1, 'pwrite64(3</w/db>, ""..., 4096, 0) = 4096', 10, [line(1)]);
    text.call(1, 'fdatasync(3</w/db>) = 0', 4000, [line(1)]);
    text.call(1, 'close(4</w/j>) = 0', 10, [line(1)]);
    text.call(1, 'unlink("/w/j") = 0', 2000, [line(1)]);
  });
  expect((await find('L45', text)).sites[0]!.explainedBy).toMatch(/^L(01|36|39)$/);
});

test('not files that are renamed or removed once each, nor attempts that fail', async () => {
  const once = new StraceText();
  once.times(200, (i) => once.call(1, `unlink("/w/f${i}") = 0`, 100, [line(3)]));
  once.times(200, (i) => once.call(1, `rename("/w/g${i}", "/w/h${i}") = 0`, 100, [line(4)]));
  const failing = new StraceText();
  failing.times(200, () => failing.call(1, 'unlink("/w/f") = -1 EBUSY (Device or resource busy)', 100, [line(3)]));
  for (const text of [once, failing, saved(1, 8)]) expect(await codes(text)).not.toContain('L45');
});
