import type { Recommendation } from '../insight.ts';
import { say, type Sentence } from '../message.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, filesOf, plus } from './amounts.ts';

function renames(group: GroupView): number {
  return group.get('repeatedRenames');
}

function removals(group: GroupView): number {
  return group.get('repeatedRemovals');
}

function subject(group: GroupView): Sentence {
  const one = filesOf(group) > 1 ? 'of files that had been' : 'of a file that had been';
  const before = `${one} ${renames(group) > 0 ? 'renamed' : ''}${renames(group) > 0 && removals(group) > 0 ? ' or ' : ''}${removals(group) > 0 ? 'removed' : ''} before`;
  if (removals(group) === 0) return say`${calls(group, 'rename')} ${before}`;
  if (renames(group) === 0) return say`${calls(group, 'removal')} ${before}`;
  return say`${calls(group, 'rename or removal', 'renames and removals')} ${before}`;
}

function recommend(group: GroupView): readonly Recommendation[] {
  const advice: Recommendation[] = [];
  if (renames(group) > 0)
    advice.push({
      audience: 'code',
      text: 'What is rewritten and renamed at every step (a state, a restart file) is needed only every so many steps or seconds: replacing a file by a rename often waits until the storage has its data.',
    });
  if (removals(group) > 0)
    advice.push({
      audience: 'code',
      text: 'Keep the file: hold a lock for several steps, or lock a file that stays (flock, fcntl); empty a scratch file (ftruncate) instead of removing and recreating it. Each creation and each removal changes the folder, which a parallel file system does on its metadata server.',
    });
  return advice;
}

/** A name that is given, or taken away, once is the program's business; the same name time and again is a habit. */
const namesChangedAgain: SiteTrigger = {
  kind: 'site',
  code: 'L45',
  name: 'names-changed-again',
  title: 'The same files renamed or removed again and again',
  operations: ['metadata'],
  offending: (cell) =>
    plus(
      amount(cell, 'repeatedRenames', null, 'repeatedRenameTime'),
      amount(cell, 'repeatedRemovals', null, 'repeatedRemovalTime'),
    ),
  local: () => true,
  // A library that makes each record safe by a journal makes and removes that, too.
  explainedBy: ['synchronisation-for-each-record', 'sync-after-every-write', 'frequent-synchronisation'],
  subject,
  recommend,
};

export const NAMES: readonly SiteTrigger[] = [namesChangedAgain];
