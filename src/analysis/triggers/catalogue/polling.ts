import { say, slot } from '../message.ts';
import { waitedForChange } from '../storage-snippets.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, plus } from './amounts.ts';

function pauseOf(group: GroupView): number {
  const polls = group.get('polls');
  // Opens count only where all of the file is read again.
  if (group.offence.events === polls) return group.get('pollPauses') / polls;
  return (group.get('pollPauses') + group.get('openPollPauses')) / (polls + group.get('openPolls'));
}

/** Who asks again and again with pauses waits for something: the calls cost little, and to remember the answer is no help. */
const polling: SiteTrigger = {
  kind: 'site',
  code: 'L38',
  name: 'polling',
  title: 'The same asked again and again, with pauses',
  operations: ['open', 'read', 'metadata'],
  offending: (cell, { isReadWhole }) => {
    const asked = { events: cell.get('polls'), bytes: 0, timeNs: cell.get('pollTime') };
    return isReadWhole ? plus(asked, amount(cell, 'openPolls', null, 'openPollTime')) : asked;
  },
  unless: ['files-read-in-turns'],
  // A few pauses between many questions are none of somebody who waits.
  local: (group) =>
    group.offence.events >= (group.get('repeatedQuestions') + group.get('missing') + group.get('reopens')) / 2,
  subject: (group) =>
    say`${calls(group, 'call')} that ${group.offence.events === 1 ? 'asks' : 'ask'} for the same path again, or read the same small file or its end again, each after a pause (${slot('pause', pauseOf(group))} on average),`,
  evidence: (group) => ({ pauseNs: pauseOf(group) }),
  recommend: () => [
    {
      audience: 'code',
      text: 'If it waits for a file or its contents to change, let the system tell it (inotify on a local file system), or whoever makes the change (a pipe, a signal, a message); where neither is possible, pause longer. Fewer questions do not make the run shorter, but they spare a shared file system.',
      snippet: waitedForChange(),
    },
  ],
};

export const POLLING: readonly SiteTrigger[] = [polling];
