import { expect, test } from 'vitest';
import { writtenReplayText } from './written-replay-text.ts';

test('one of each is in the singular, thousands are told apart', () => {
  const amounts = { tasks: 1, operations: 1, inputs: 1, synchronisations: { kept: 1, found: 4000 } };
  expect(writtenReplayText('/tmp/a', ['replay.fio', 'prepare.sh'], amounts)).toBe(
    '/tmp/a: replay.fio, prepare.sh\n1 task, 1 operation, 1 input file\n1 synchronisation between tasks (4,000 before redundant ones were left out)\n',
  );
});
