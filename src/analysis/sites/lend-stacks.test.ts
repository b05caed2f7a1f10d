import { describe, expect, test } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { lendStacks } from './lend-stacks.ts';

const stack = (symbol: string): string => ` > /opt/app(${symbol}+0x10) [0x1234]\n > /opt/app(main+0x20) [0x1300]\n`;

/** Calls as `call path bytes [function]`. */
function recording(calls: readonly string[], name = 'a.strace'): Promise<Trace> {
  const lines = calls.map((text, i) => {
    const [call, path, bytes, symbol] = text.split(' ');
    const time = `7 1795252180.${String(i).padStart(6, '0')}`;
    return `${time} ${call!}(3<${path!}>, "x", ${bytes!}) = ${bytes!} <0.000010>\n${symbol === undefined ? '' : stack(symbol)}`;
  });
  return readStrace([memoryFile(name, lines.join(''))]);
}

/** The function of each event's innermost frame. */
function functions(trace: Trace): string[] {
  return Array.from({ length: trace.events.length }, (_, row) => {
    const node = trace.events.value('stack', row);
    return node === NONE ? '-' : trace.stacks.frame(trace.stacks.framesOf(node)[0]!).symbol;
  });
}

describe('stacks of another run', () => {
  test('equally many calls on a file are the same calls in the same order', async () => {
    const trace = await recording(['write /w/a 5', 'write /w/b 5', 'write /w/a 5', 'write /w/a 5']);
    const sample = await recording(['write /w/a 5 f', 'write /w/a 5 g', 'write /w/b 5 h', 'write /w/a 5 f']);
    const lent = lendStacks(trace, sample, () => true);
    expect(lent).toEqual({ wanting: 4, byOrder: 4, byShare: 0 });
    expect(functions(trace)).toEqual(['f', 'h', 'g', 'f']);
    expect(trace.stacks.framesOf(trace.events.value('stack', 0))).toHaveLength(2);
  });

  test('otherwise the proportion of the sample holds, first by size', async () => {
    const trace = await recording([
      ...Array.from({ length: 8 }, () => 'write /w/a 5'),
      'write /w/a 9',
      'write /w/a 77',
    ]);
    const sample = await recording([
      'write /w/a 5 f',
      'write /w/a 5 f',
      'write /w/a 5 f',
      'write /w/a 5 g',
      'write /w/a 9 h',
    ]);
    expect(lendStacks(trace, sample, () => true)).toEqual({ wanting: 10, byOrder: 0, byShare: 10 });
    const found = functions(trace);
    expect(found.slice(0, 8).sort()).toEqual(['f', 'f', 'f', 'f', 'f', 'f', 'g', 'g']);
    expect(found[8]).toBe('h');
    expect(['f', 'g', 'h']).toContain(found[9]);
  });

  test('files whose names differ by digits lend to each other; other calls and files do not', async () => {
    const trace = await recording(['write /w/rank12.dat 5', 'read /w/rank12.dat 5', 'write /w/other 5']);
    const sample = await recording(['write /w/rank3.dat 5 f', 'write /w/rank3.dat 5 f']);
    expect(lendStacks(trace, sample, () => true)).toEqual({ wanting: 3, byOrder: 0, byShare: 1 });
    expect(functions(trace)).toEqual(['f', '-', '-']);
  });

  test('a recording lends to its own streams without stacks, and keeps those that are there', async () => {
    const files = [
      memoryFile('app_h_0.st', `7 1.5 write(3</w/a>, "x", 5) = 5 <0.000010>\n${stack('f')}`),
      memoryFile(
        'app_h_1.st',
        '8 1.5 write(3</w/a>, "x", 5) = 5 <0.000010>\n8 1.6 write(3</w/a>, "x", 5) = 5 <0.000010>\n',
      ),
    ];
    const trace = await readStrace(files);
    expect(lendStacks(trace, trace, (stream) => trace.streams[stream]!.pid === 8)).toEqual({
      wanting: 2,
      byOrder: 0,
      byShare: 2,
    });
    expect(functions(trace)).toEqual(['f', 'f', 'f']);
  });
});
