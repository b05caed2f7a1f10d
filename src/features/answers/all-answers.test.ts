import { expect, test } from 'vitest';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { remote } from '../../session/worker/topics.ts';
import { localSession, type Session } from './all-answers.ts';

test('the types hold both sides of the worker to each other', () => {
  const session = localSession({ folder: 'dist' });
  const { summary, ...others } = session.timeline;
  // @ts-expect-error a timeline without summary is no timeline
  const lacking: Session = { ...session, timeline: others };
  expect([summary, lacking.timeline]).toBeDefined();
});

test('the far side of a session passes on what is asked, as it is asked', async () => {
  const far = remote<Session>((topic, method) => Promise.reject(new CancelledError(`${topic}.${method}`)));
  await expect(far.timeline.summary([1])).rejects.toThrow('timeline.summary');
  // @ts-expect-error nobody answers this
  expect(far.timeline.summaries).toBeDefined();
});
