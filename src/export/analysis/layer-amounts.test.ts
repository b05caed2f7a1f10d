import { expect, test } from 'vitest';
import { layerChainText } from './layer-amounts.ts';

const amount = (layer: string, calls: number, own: number) => ({ layer, calls, own, bytes: 0, timeNs: 0 });

test('an arrow stands where the calls of a layer were made by those above it', () => {
  const made = [amount('STDIO', 8, 8), amount('POSIX', 9, 1)];
  expect(layerChainText(made)).toBe('STDIO 8 calls → POSIX 9 calls');
  const beside = [amount('STDIO', 1, 1), amount('POSIX', 2401, 2400)];
  expect(layerChainText(beside)).toBe('STDIO 1 call; POSIX 2,401 calls');
});
