import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareName, functionLine } from './function-line.ts';

const heat = readFileSync(path.resolve(import.meta.dirname, '../../../demo/heat/heat.c'), 'utf8').split('\n');

describe('the line where a function begins', () => {
  test.each([
    ['emit', 22, 18],
    ['log_progress', 35, 27],
    ['conductivity', 42, 39],
    ['checkpoint', 53, 48],
    ['main', 82, 65],
  ])('%s of heat.c, from line %d', (name, inside, begins) =>
    expect(functionLine(heat, name, inside - 1)).toBe(begins - 1),
  );

  test('C++: a method outside of its class, with the name of its return type on the line above', () => {
    const lines = [
      'namespace grid {',
      'std::vector<int>',
      'Writer::put(int x)',
      '{',
      '    ::write(fd, &x, 4);',
      '}',
      '}',
    ];
    expect(functionLine(lines, 'grid::Writer::put(int)', 4)).toBe(2);
  });

  test('C++: a method in its class, that another method calls above it', () => {
    const lines = [
      'struct Writer {',
      '  void all() {',
      '    put(1);',
      '  }',
      '  void put(int x) {',
      '    ::write(fd, &x, 4);',
      '  }',
    ];
    expect(functionLine(lines, 'Writer::put(int)', 5)).toBe(4);
  });

  test('Fortran, whose names the compiler writes in lower case', () => {
    const lines = [
      'module io',
      'contains',
      '  SUBROUTINE Write_Slab(a)',
      '    real :: a(:)',
      '    write(10) a',
      '  end subroutine',
    ];
    expect(functionLine(lines, 'io::write_slab', 4)).toBe(2);
  });

  test('Python', () =>
    expect(functionLine(['def load(path):', '    return open(path).read()', 'load("x")'], 'load', 1)).toBe(0));

  test('a function on one line, and one that is nowhere', () => {
    expect(functionLine(['static void put(int fd) { write(fd, "x", 1); }'], 'put', 0)).toBe(0);
    expect(functionLine(['MAKE_WRITER(put)', '    body', ''], 'hidden', 1)).toBeUndefined();
    expect(functionLine(heat, '<lambda>', 21)).toBeUndefined();
    expect(functionLine([], 'main', 40)).toBeUndefined();
  });

  test.each([
    ['void grid::Writer<std::vector<int>>::put(char const*) const', 'put'],
    ['(anonymous namespace)::flush()', 'flush'],
    ['main', 'main'],
    ['{lambda()#1}', ''],
  ])('the bare name of %s', (name, bare) => expect(bareName(name)).toBe(bare));
});
