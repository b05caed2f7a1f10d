import { expect, test } from 'vitest';
import { has, outcomeOf, repaired, type Finding } from '../../../../test/support/fixes/fix-programs.ts';

/** Fixes that are made one after the other: the program is compiled without a warning and does the same as before. */
const HEAD = '#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n';
const OPEN = 'open("out", O_RDWR | O_CREAT | O_TRUNC, 0644)';

const SEEKS = `${HEAD}static int look(unsigned i) {
  int fd = open("out", O_RDONLY);
  char a = 0, b = 0, c = 0;
  if (lseek(fd, i, SEEK_SET) < 0) {
    perror("seek");
    return -1;
  }
  if (read(fd, &a, 1) != 1)
    return -1;
  if (lseek(fd, 2 * i, SEEK_SET) == (off_t)-1)
    exit(1);
  if (read(fd, &b, 1) != 1)
    return -1;
  if (lseek(fd, 3 * i, SEEK_SET) != 3 * i)
    return -1;
  if (read(fd, &c, 1) != 1)
    return -1;
  close(fd);
  return a + b + c;
}

int main(void) {
  int fd = ${OPEN};
  for (int i = 0; i < 99; i++)
    dprintf(fd, "%c", ' ' + i % 90);
  for (int i = 0; i < 30; i++)
    printf("%d\\n", look(i));
  return close(fd);
}
`;

test.skipIf(!has('gcc'))('every access has a seek of its own, tested in each way', async () => {
  let now = SEEKS;
  for (const here of ['lseek(fd, i', 'lseek(fd, 2', 'lseek(fd, 3']) {
    const finding: Finding = { language: 'c', trigger: 'seek-before-every-access', here };
    const next = await repaired(now, finding);
    expect(next, `a fix at ${here}`).toBeDefined();
    now = next!;
  }
  expect(now).not.toContain('lseek');
  const before = outcomeOf('c', SEEKS);
  expect(before.printed).not.toBe('');
  expect(outcomeOf('c', now)).toEqual(before);
});
