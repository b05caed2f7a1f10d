import { onlyAsks } from '../../metrics/questions.ts';
import type { Metric } from '../../metrics/metric-table.ts';
import type { CallKind } from '../call-kinds.ts';
import { groupsOf, mainGroup, Savings, total, type GainModel } from './model.ts';

/** One of each file's synchronisations remains, and writes what the others would have. */
export const synchronisations: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  const last = new Set<number>();
  for (const cell of cells) {
    const group = mainGroup(cell, 'sync');
    if (group === undefined) continue;
    savings.add(group, cell.get('writeSyncs') - (last.has(cell.file) ? 0 : 1));
    last.add(cell.file);
  }
  return savings.result(total(cells, 'writeSyncs'), 'synchronisation');
};

/** Those go that follow another one of the same file: a file that takes the place of another keeps its own. */
export const repeatedSynchronisations: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const group = mainGroup(cell, 'sync');
    if (group !== undefined) savings.add(group, cell.get('repeatedSyncs'));
  }
  return savings.result(total(cells, 'syncs'), 'synchronisation');
};

/** Of each file the first open and the last close remain; so do the questions that a language asks with them. */
export const repeatedOpens: GainModel = ({ cells, costs, laneShare }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const [opens, closes] = [mainGroup(cell, 'open') ?? mainGroup(cell, 'open-to-write'), mainGroup(cell, 'close')];
    if (opens !== undefined) savings.addOffending(cell.get('reopenTime'), opens, cell.get('reopens'));
    if (closes !== undefined) savings.addOffending(cell.get('recloseTime'), closes, cell.get('recloses'));
    const again = cell.get('reopens') + cell.get('recloses');
    const all = cell.get('opens') + cell.get('closes');
    if (again === 0 || all === 0) continue;
    for (const group of groupsOf(cell, ASKED_WITH_OPENS))
      if (costs.work.languageOf(group.site) !== undefined) savings.addBesides(group, (group.events * again) / all);
  }
  // In these the processes of MPI wait for the last one: they will at the next call.
  if (total(cells, 'mpiReopenings') > 0)
    return savings.atMost('processes wait for each other in them, and would in another call', laneShare);
  return savings.result(total(cells, 'reopens') + total(cells, 'recloses'), 'open or close', 'opens and closes');
};

/** What Python and Fortran ask of a file that they open or close: how long it is, whether it is a terminal, where they are. */
const ASKED_WITH_OPENS: readonly CallKind[] = ['fstat', 'stat', 'seek', 'other'];

/** pread and pwrite cost what read and write do: all seeks in front of accesses go. */
export const seeks = seeksThat('accessSeeks', 'accessSeekTime');
/** Who counts along has no need to ask where he is. */
export const idleSeeks = seeksThat('idleSeeks', 'idleSeekTime');

function seeksThat(go: Metric, time: Metric): GainModel {
  return ({ cells, costs }) => {
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, 'seek');
      if (group !== undefined) savings.addOffending(cell.get(time), group, cell.get(go));
    }
    return savings.result(total(cells, go), 'seek');
  };
}

const PATH_QUESTIONS: ReadonlySet<CallKind> = new Set(['stat', 'access']);

/** A question about a path is asked once, and its answer remembered. */
export const repeatedQuestions = questionsAgain(() => true);
/** The same of those alone that found nothing, and of those that found something by a path. */
export const missingQuestions = questionsAgain((kind) => kind.startsWith('missing'));
export const answeredQuestions = questionsAgain((kind) => PATH_QUESTIONS.has(kind));

const UNKNOWN_INSTEAD = 'the recording cannot tell what fewer calls would do instead';

function questionsAgain(isMeant: (kind: CallKind) => boolean): GainModel {
  return ({ cells, costs, callName }) => {
    const savings = new Savings(costs);
    let all = 0;
    const asked = new Set<string>();
    for (const cell of cells) {
      const answered = cell.get('repeatedQuestions');
      let left = answered;
      for (const group of cell.groups) {
        const { kind } = group.of;
        if (!isMeant(kind) || (!onlyAsks(callName(group.call)) && kind !== 'missing-open')) continue;
        all += group.events;
        // One for each file is needed, whichever line asks it.
        const key = `${kind} ${cell.file}`;
        const again = group.events - (asked.has(key) ? 0 : 1);
        asked.add(key);
        if (answered === 0 || !PATH_QUESTIONS.has(kind)) {
          savings.add(group, again);
          continue;
        }
        // The first question about a path searches for it, as does that after a change: these are needed, and what they took
        // is no price of those that follow.
        const spared = Math.min(again, left);
        left -= spared;
        savings.addOffending((cell.get('repeatedQuestionTime') * spared) / answered, group, spared);
      }
    }
    if (total(cells, 'truncations') > 0 && all === 0)
      return 'fewer changes of the length also save mappings and work of the file system, which is not in the bound';
    if (all === 0) return `none of these calls only asks about a path: ${UNKNOWN_INSTEAD}`;
    // What has changed since is asked about for the first time again.
    const needed = total(cells, 'firstQuestions');
    if (savings.calls < all / 4 || needed > (all * 3) / 4)
      return `nearly every path is asked about only once, or again after it was changed: ${UNKNOWN_INSTEAD}`;
    return savings.result(all, 'question');
  };
}

/** What goes into one file is opened once; what the index of its parts takes is not counted. */
export const filesBecomeOne: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  let left = 1;
  for (const cell of cells) {
    const opens = mainGroup(cell, 'open-to-write');
    const closes = mainGroup(cell, 'close');
    if (opens === undefined) continue;
    savings.add(opens, cell.get('opens') - cell.get('reopens') - left);
    if (closes !== undefined) savings.add(closes, cell.get('closes') - cell.get('recloses') - left);
    left = 0;
  }
  return savings.result(total(cells, 'opens') + total(cells, 'closes'), 'open or close', 'opens and closes');
};
