import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCondition } from './condition.ts';
import { boundQuery } from './sql-pieces.ts';
import { rounds } from '../../../../test/support/rounds.ts';

const columns = new Set(['bytes', 'files', 'application']);
const sqlOf = (text: string): [string, unknown] => {
  const { sql, parameters } = boundQuery(parseCondition(text, columns));
  return [sql, parameters];
};

describe('conditions of filters', () => {
  test('compare columns with numbers, sizes and texts', () => {
    expect(sqlOf('bytes < 1GB')).toEqual(['("bytes" < $1)', [1e9]]);
    expect(sqlOf('bytes >= 1.5GiB')).toEqual(['("bytes" >= $1)', [1.5 * 2 ** 30]]);
    expect(sqlOf(`application == "o'neil" or files!=3`)).toEqual([
      '(("application" = $1) OR ("files" <> $2))',
      ["o'neil", 3],
    ]);
    expect(sqlOf("application LIKE 'it''s%' AND bytes IS NOT NULL")).toEqual([
      '(("application" LIKE $1) AND ("bytes" IS NOT NULL))',
      ["it's%"],
    ]);
    expect(sqlOf('files not in (1, -2)')).toEqual(['("files" NOT IN ($1, (-$2)))', [1, 2]]);
  });

  test('bind as in SQL', () => {
    expect(sqlOf('NOT bytes > 1 AND files = 2 OR files = 3')[0]).toBe(
      '(((NOT ("bytes" > $1)) AND ("files" = $2)) OR ("files" = $3))',
    );
    expect(sqlOf('bytes - 1 - 2 * files > 0')[0]).toBe('((("bytes" - $1) - ($2 * "files")) > $3)');
    expect(sqlOf('bytes / (files + 1) <= 10MB')[0]).toBe('(("bytes" / (("files" + $1))) <= $2)');
  });

  test('say what cannot be understood', () => {
    expect(() => parseCondition('size < 1', columns)).toThrow(/no column size; there are bytes, files, application/);
    expect(() => parseCondition('bytes < 1XB', columns)).toThrow(/1XB is neither/);
    expect(() => parseCondition('bytes <', columns)).toThrow(/is expected, not the end/);
    expect(() => parseCondition('bytes < 1; DROP VIEW job', columns)).toThrow(/cannot be understood/);
    expect(() => parseCondition('read_csv(1)', columns)).toThrow(/no column read_csv/);
    expect(() => parseCondition('('.repeat(100_000), columns)).toThrow(/too deep/);
  });

  test('nothing but columns, signs and parameters ever comes out', () => {
    const piece = fc.constantFrom(...'bytes files ( ) < = AND OR NOT IN , 1GB 2 - + "x" \'y\' ; -- IS NULL'.split(' '));
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
    );
    fc.assert(
      fc.property(text, (condition) => {
        let sql: string;
        try {
          [sql] = sqlOf(condition);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        const plain =
          /^(?:[()\s,]|"(?:bytes|files|application)"|\$\d+|<=?|>=?|<>|=|[-+*/]|AND|OR|NOT|IN|I?LIKE|IS|NULL|true|false)*$/;
        expect(sql).toMatch(plain);
      }),
      { numRuns: rounds(500) },
    );
  });
});
