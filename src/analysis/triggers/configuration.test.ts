import { describe, expect, test } from 'vitest';
import { readConfiguration } from './configuration.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';

describe('a configuration of thresholds', () => {
  test('by name, and in Drishti’s form', () => {
    const flat = readConfiguration({ small_requests: 0.2, tiny_bytes: 8192 });
    expect(flat).toEqual({ thresholds: { small_requests: 0.2, tiny_bytes: 8192 }, problems: [], notes: [] });
    const drishti = readConfiguration({
      imbalance: { operations: 0.2, stragglers: 0.3, size: 0.4 },
      small: { bytes: 65536, requests: 0.2, requests_absolute: 10 },
      misaligned: { requests: 0.7 },
      metadata: { time_rank: 5 },
      random: { operations: 0.8, operations_absolute: 9 },
      interface: { stdio: 0.5 },
      collective: { operations: 0.6, operations_absolute: 7 },
    });
    expect(drishti.problems).toEqual([]);
    expect(drishti.thresholds).toEqual({
      imbalance_operations: 0.2,
      imbalance_stragglers: 0.3,
      imbalance_size: 0.4,
      small_bytes: 65536,
      small_requests: 0.2,
      small_requests_absolute: 10,
      misaligned_requests: 0.7,
      metadata_time_rank: 5,
      random_operations: 0.8,
      random_operations_absolute: 9,
      interface_stdio: 0.5,
      collective_operations: 0.6,
      collective_operations_absolute: 7,
    });
  });

  test('takes all defaults back', () =>
    expect(readConfiguration(DEFAULT_THRESHOLDS)).toEqual({
      thresholds: DEFAULT_THRESHOLDS,
      problems: [],
      notes: [],
    }));

  test.each([
    ['a near name', { smal_bytes: 1 }, 'smal_bytes is no threshold (is small_bytes meant?)'],
    ['a near name in Drishti’s form', { small: { request: 0.1 } }, 'small.request is no threshold (is small_requests'],
    ['a far name', { nonsense: 1 }, 'nonsense is no threshold; known are imbalance_operations, small_bytes'],
    ['a text', { tiny_bytes: 'many' }, 'tiny_bytes must be a number'],
    ['an object for a number', { tiny_bytes: { x: 1 } }, 'tiny_bytes must be a number'],
    ['a list', { small: [1] }, 'small is no threshold'],
    ['a number too large for a file', JSON.parse('{ "tiny_bytes": 1e999 }'), 'tiny_bytes must be a number'],
    ['a negative one', { tiny_bytes: -1 }, 'tiny_bytes must not be negative'],
    ['a share above 1', { site_share: 5 }, 'site_share is a share: a number between 0 and 1'],
    ['half a node', { nodes: 1.5 }, 'nodes must be a whole number'],
    ['a divisor of 0', { alignment: 0 }, 'alignment must be greater than 0'],
    ['a name of every object', { toString: 1, constructor: { name: 2 } }, 'toString is no threshold'],
    ['no object', [1, 2], 'an object with numbers is expected'],
    ['nothing', null, 'an object with numbers is expected'],
  ])('%s is refused', (_name, value, problem) => {
    const { thresholds, problems } = readConfiguration(value);
    expect(problems[0]).toContain(problem);
    expect(thresholds).toEqual({});
  });

  test('keeps the good beside the bad, and says what means nothing', () => {
    const { thresholds, problems, notes } = readConfiguration({ backtrace: 2, tiny_bytes: 1, x: 0 });
    expect([thresholds, problems.length]).toEqual([{ tiny_bytes: 1 }, 1]);
    expect(notes).toEqual(['all call sites are named, whatever "backtrace" says']);
  });
});
