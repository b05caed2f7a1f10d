import { expect, test } from 'vitest';
import { darshanFolds } from './darshan-text-lines.ts';

const foldsOf = (text: string, most = 100): Promise<unknown> => {
  const lines = text.split('\n');
  const document = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line]! }) };
  return darshanFolds(document, { most, pause: () => Promise.resolve(true) });
};

test('modules and the rows of each record fold', async () => {
  const text = `# darshan log version: 3.41

# *****
# POSIX module data
# *****
#<module>\t<rank>
POSIX\t0\t7\tPOSIX_OPENS\t1\t/a\t/\text4
POSIX\t0\t7\tPOSIX_READS\t1\t/a\t/\text4
POSIX\t1\t7\tPOSIX_OPENS\t1\t/a\t/\text4

# *****
# STDIO module data
# *****
STDIO\t0\t8\tSTDIO_OPENS\t1\t/a\t/\text4
STDIO\t0\t8\tSTDIO_READS\t1\t/a\t/\text4`;
  expect(await foldsOf(text)).toEqual([
    { call: 6, last: 7 },
    { call: 3, last: 8 },
    { call: 13, last: 14 },
    { call: 11, last: 14 },
  ]);
});

test('the segments of each file and process fold', async () => {
  const text = `# *****
# DXT_POSIX module data
# *****

# DXT, file_id: 1, file_name: /a
# DXT, rank: 0, hostname: n
 X_POSIX       0  write        0

# DXT, file_id: 2, file_name: /b
# DXT, rank: 0, hostname: n
`;
  expect(await foldsOf(text)).toEqual([
    { call: 4, last: 6 },
    { call: 8, last: 9 },
    { call: 1, last: 9 },
  ]);
  expect(await foldsOf(text, 1)).toEqual([{ call: 4, last: 6 }]);
  expect(await foldsOf('')).toEqual([]);
});
