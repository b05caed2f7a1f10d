import { expect, test } from 'vitest';
import type { Gain } from '../../analysis/gain/gain.ts';
import type { InsightDocument } from './documents.ts';
import { gainLines, gainText } from './gain-text.ts';

const GAIN: Gain = { savedNs: 2e6, lowNs: 1e6, highNs: 3e6, ofNs: 10e6, method: 'the reason' };

test.each<[string, Partial<Gain>]>([
  ['Following this would save about 2 ms (1 ms to 3 ms) of 10 ms of I/O in a run without a tracer.', {}],
  ['Following this would save about 2 ms (1 ms to 3 ms) in a run without a tracer.', { ofNs: null }],
  ['Following this would save between 1 ms and 3 ms of 10 ms of I/O in a run without a tracer.', { savedNs: null }],
  ['Following this would save at most 3 ms of 10 ms of I/O in a run without a tracer.', { savedNs: null, lowNs: 0 }],
  ['Following this would save no time of the run.', { savedNs: null, lowNs: 0, highNs: 0 }],
  ['What following this would save is not known.', { savedNs: null, lowNs: null, highNs: null }],
])('%s', (text, gain) => expect(gainText({ ...GAIN, ...gain })).toBe(text));

test('reports say how it was estimated, or why not', () => {
  const lines = (gain: Partial<Gain>, severity: InsightDocument['severity'] = 'warn'): string[] =>
    gainLines({ severity, gain: { ...GAIN, ...gain } } as InsightDocument);
  expect(lines({})[1]).toBe('(the reason)');
  expect(lines({ savedNs: null })[1]).toBe('(the reason)');
  expect(lines({ savedNs: null, lowNs: null, highNs: null })).toEqual(['Saving not known: the reason.']);
  expect(lines({}, 'ok')).toEqual([]);
});
