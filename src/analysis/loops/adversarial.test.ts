import { describe, expect, test } from 'vitest';
import { eventTrace } from '../../../test/support/event-trace.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { expandPatterns, valueIn } from './expand-patterns.ts';
import { findLoops } from './find-loops.ts';

const LENGTH = 20_000;
const places = Array.from({ length: LENGTH }, (_, i) => i);

function fibonacciWord(): number[] {
  let [word, before] = [[1], [1, 2]];
  while (word.length < LENGTH) [word, before] = [[...word, ...before], word];
  return word.slice(0, LENGTH);
}

/** All words of 14 bits, each once: the cycle of a shift register. */
function deBruijn(): number[] {
  let state = 1;
  return places.map(() => {
    const bit = (state ^ (state >> 1) ^ (state >> 11) ^ (state >> 13)) & 1;
    state = (state >> 1) | (bit << 13);
    return 1 + (state & 1);
  });
}

function onesOf(place: number): number {
  return place.toString(2).replaceAll('0', '').length;
}

/** A loop of two calls with a third behind it, that again with a fourth, and so on. */
function deepNest(): number[] {
  let body = [1, 2];
  for (let size = 3; body.length * 2 < LENGTH; size += 2) body = [...body, ...body, size];
  return body;
}

const random = randomNumbers(7);
/** Sizes of writes that have ruined other algorithms, and the most lines of the outline where that is known. */
const SEQUENCES: Readonly<Record<string, readonly [sizes: readonly number[], mostLines: number]>> = {
  'all equal': [places.map(() => 5), 1],
  'all different': [places.map((i) => (i * i * 7919 + 13) % 1_000_003), LENGTH],
  'two at random': [places.map(() => 1 + random(2)), LENGTH],
  'a thousand at random': [places.map(() => random(1000)), LENGTH],
  'a Fibonacci word': [fibonacciWord(), 1000],
  'the Thue-Morse word, which has no cubes': [places.map((i) => 1 + (onesOf(i) % 2)), LENGTH],
  'the ruler, which has no squares': [places.map((i) => 1 + Math.clz32((i + 1) & -(i + 1))), LENGTH],
  'a de Bruijn sequence': [deBruijn(), LENGTH],
  'a and b, then b and a': [places.map((i) => 1 + ((i + (i < LENGTH / 2 ? 0 : 1)) % 2)), 7],
  'loops in loops, as deep as it goes': [deepNest(), 40],
  'sizes that grow, again and again': [places.map((i) => (i % 200) * 8), 4],
};

describe('sequences that are hard to compress come out whole', () =>
  test.each(Object.entries(SEQUENCES))('%s', (_, [sizes, mostLines]) => {
    const trace = eventTrace([{}], ['/f'], sizes.length, (event, row) => {
      Object.assign(event, { call: 1, file: 0, bytes: sizes[row]! });
    });
    const [found] = findLoops(trace);
    const expanded = Array.from(expandPatterns(found!.patterns), ({ pattern, iterations }) =>
      pattern.kind === 'call' ? valueIn(pattern.requested!, iterations) : NaN,
    );
    expect(expanded).toEqual(sizes);
    expect(found!.size).toBeLessThanOrEqual(mostLines);
  }));
