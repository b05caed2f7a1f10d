import { expect, test } from 'vitest';
import { heard, keptState } from '../../base/page-line.ts';
import { FROM_WORKFLOW, WORKFLOW } from './protocol.ts';

test.each([
  { ready: 1 },
  { say: 'drawn', value: { jobs: 5, mode: 'timeline' } },
  { say: 'openRecording', value: { job: 0, step: 3, as: 'timeline' } },
  { say: 'readAgain' },
  { say: 'picture', value: { format: 'svg', content: '<svg xmlns="…"/>' } },
])('takes what the view says: $say', (message) => expect(heard(FROM_WORKFLOW, message)).toEqual(message));

test.each([
  null,
  'ready',
  {},
  { ready: '1' },
  { say: 'delete' },
  { say: 'constructor' },
  { say: 'drawn', value: { jobs: -1, mode: 'timeline' } },
  { say: 'drawn', value: { jobs: 5, mode: 'other' } },
  { say: 'openRecording', value: { job: 0.5, step: 0, as: 'timeline' } },
  { say: 'openRecording', value: { job: '__proto__', step: 0, as: 'timeline' } },
  { say: 'openRecording', value: { job: 0, step: 0, as: 'shell' } },
  { say: 'picture', value: { format: 'exe', content: '' } },
  { say: 'picture', value: { format: 'png', content: new Uint8Array(4) } },
])('takes nothing else (%#)', (message) => expect(heard(FROM_WORKFLOW, message)).toBeUndefined());

test('a state is one of ours, or none', () => {
  const state = { folder: '/x', mode: 'duration', tab: 'files' };
  expect(keptState(WORKFLOW, state)).toEqual(state);
  for (const change of [{ folder: '' }, { folder: 3 }, { mode: 'x' }, { tab: null }, { folder: 'x'.repeat(5_000) }])
    expect(keptState(WORKFLOW, { ...state, ...change })).toBeUndefined();
});
