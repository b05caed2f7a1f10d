import { describe, expect, test } from 'vitest';
import { compile, has, outcomeOf, repaired, type Finding } from '../../../test/support/fix-programs.ts';

/** Fixes that are offered: the program is compiled without a warning and does the same as before. */
const HEAD =
  '#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n#include <unistd.h>\n';
const OPEN = 'open("out", O_RDWR | O_CREAT | O_TRUNC, 0644)';

const opens: Finding = { language: 'c', trigger: 'open-close-in-loop', here: 'open(p' };
const seeks: Finding = { language: 'c', trigger: 'seek-before-every-access', here: 'lseek(fd, i' };

/** The program after several fixes, one made after the other. */
async function after(text: string, ...findings: readonly Finding[]): Promise<string> {
  let now = text;
  for (const finding of findings) {
    const next = await repaired(now, finding);
    expect(next, `a fix at ${finding.here}`).toBeDefined();
    now = next!;
  }
  return now;
}

interface Program {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Texts that the program has, and has not, after the fixes. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

const RUN: Readonly<Record<string, Program>> = {
  'files that two functions open and close': {
    text: `${HEAD}static int count(const char *q) {
  char c;
  int n = 0, fe;
  if ((fe = open(q, O_RDONLY)) == -1)
    return -1;
  while (read(fe, &c, 1) == 1)
    n++;
  close(fe);
  return n;
}

static int note(const char *p, int k) {
  int fd = open(p, O_WRONLY | O_APPEND | O_CREAT, 0644);
  if (fd < 0)
    return -1;
  if (dprintf(fd, "%d\\n", k) < 0) {
    close(fd);
    return -1;
  }
  return close(fd);
}

int main(void) {
  for (int i = 0; i < 20; i++)
    printf("%d %d\\n", note("out", i), count("out"));
  return 0;
}
`,
    findings: [opens, { ...opens, here: 'open(q' }],
    has: ['open_once(p', 'open_once(q', 'keep_open(fe)'],
  },
  'every access has a seek of its own, tested in each way': {
    text: `${HEAD}static int look(unsigned i) {
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
`,
    findings: [seeks, { ...seeks, here: 'lseek(fd, 2' }, { ...seeks, here: 'lseek(fd, 3' }],
    hasNot: ['lseek'],
  },
};

describe('the program does the same', () => {
  for (const [name, { text, findings, has: texts = [], hasNot = [] }] of Object.entries(RUN)) {
    const { language } = findings[0]!;
    test.skipIf(!has(language === 'cpp' ? 'g++' : 'gcc'))(name, async () => {
      const now = await after(text, ...findings);
      for (const part of texts) expect(now).toContain(part);
      for (const part of hasNot) expect(now).not.toContain(part);
      const before = outcomeOf(language, text);
      expect(before.printed + before.written).not.toBe('');
      expect(outcomeOf(language, now)).toEqual(before);
    });
  }
});

describe('headers and helper are always compiled', () => {
  const BODY = '  int fd = open(p, O_WRONLY | O_APPEND);\n  if (fd < 0)\n    return 1;\n  close(fd);\n  return 0;\n}\n';
  const HEADERS = '#include <fcntl.h>\n#include <unistd.h>\n';
  const HEAD_OF = 'int note(const char *p) {\n';

  test.skipIf(!has('gcc')).each([
    ['an include under an #ifdef', `${HEADERS}#ifdef MISSING\n#include <missing.h>\n#endif\n${HEAD_OF}${BODY}`],
    ['only such includes', `#define _GNU_SOURCE\n#if 1\n${HEADERS}#endif\n${HEAD_OF}${BODY}`],
    ['an include below', `${HEADERS}${HEAD_OF}${BODY}#include <string.h>\n`],
    [
      'the use in an #else',
      `${HEADERS}#ifdef MISSING\nint note(const char *p);\n#else\n/* Notes. */\n${HEAD_OF}${BODY}#endif\n`,
    ],
  ])('%s', async (_, text) => {
    compile('c', text);
    compile('c', await after(text, opens));
  });

  test.skipIf(!has('g++'))('a header with a guard, included twice', async () => {
    const header = `#ifndef TABLE_H\n#define TABLE_H\n#include <fcntl.h>\n#include <unistd.h>\ninline ${HEAD_OF}${BODY}#endif\n`;
    const now = await after(header, { ...opens, language: 'cpp', more: { place: { file: '/x/table.h', line: 1 } } });
    compile('cpp', `${now}${now}int main() { note("x"); }\n`);
  });
});
