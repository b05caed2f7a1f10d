import { expect, test } from 'vitest';
import { isFromWorkflowView, isWorkflowViewState } from './protocol.ts';

test.each([
  { kind: 'ready', protocol: 1 },
  { kind: 'drawn', jobs: 5, mode: 'timeline' },
  { kind: 'openRecording', job: 0, step: 3, as: 'timeline' },
  { kind: 'readAgain' },
  { kind: 'picture', format: 'svg', content: '<svg/>' },
])('takes what the view says: $kind', (message) => expect(isFromWorkflowView(message)).toBe(true));

test.each([
  null,
  'ready',
  {},
  { kind: 'ready' },
  { kind: 'drawn', jobs: -1, mode: 'timeline' },
  { kind: 'drawn', jobs: 5, mode: 'other' },
  { kind: 'openRecording', job: 0.5, step: 0, as: 'timeline' },
  { kind: 'openRecording', job: '__proto__', step: 0, as: 'timeline' },
  { kind: 'openRecording', job: 0, step: 0, as: 'shell' },
  { kind: 'picture', format: 'exe', content: '' },
  { kind: 'picture', format: 'png', content: new Uint8Array(4) },
])('takes nothing else (%#)', (message) => expect(isFromWorkflowView(message)).toBe(false));

test('a state is one of ours, or none', () => {
  const state = { folder: '/x', mode: 'duration', tab: 'files' };
  expect(isWorkflowViewState(state)).toBe(true);
  for (const change of [{ folder: '' }, { folder: 3 }, { mode: 'x' }, { tab: null }, { folder: 'x'.repeat(5_000) }])
    expect(isWorkflowViewState({ ...state, ...change })).toBe(false);
});
