import { countOf, say, slot, type Sentence } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Amount, InsightFile, Recommendation } from '../insight.ts';
import * as languages from '../language-snippets.ts';
import * as parallel from '../parallel-snippets.ts';
import type { CounterFinding, CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import type { FileAmounts } from './file-groups.ts';
import { areMovedForAll, collectiveFiles, filesReadForAll, filesReadForWrites, WRITES } from './mpi-io-counters.ts';
import type { ModuleView, RecordView } from './module-view.ts';
import { everything, measured, READ, WRITE, type Direction } from './posix-counters.ts';
import { stripingAdvice } from './striping.ts';

const EVEN_PARTS: Recommendation = {
  audience: 'code',
  text: 'Divide the data evenly over the processes, or let collective MPI-IO do it.',
  snippet: parallel.evenParts(),
};

/** Of a file that collective calls read and write: not how the data is divided can be changed, but who moves it. */
export const MORE_AGGREGATORS: Recommendation = {
  audience: 'job',
  text: 'Let more processes make the requests of collective calls (the hint cb_nodes: one for each compute node at least; on Lustre give the file as many stripes), so that each of them has less to do.',
};

function striping(view: CounterView, files: readonly InsightFile[]): Recommendation[] {
  return stripingAdvice(view, files, say`On Lustre, spread the files over more storage targets.`);
}

/** How far two values of a shared record are apart, as a share of all; NaN where something was not measured. */
function difference(record: RecordView, [slowest, fastest]: readonly [string, string], all: number): number {
  return all > 0 ? Math.abs(record.get(slowest) - record.get(fastest)) / all : NaN;
}

const BYTES = ['POSIX_SLOWEST_RANK_BYTES', 'POSIX_FASTEST_RANK_BYTES'] as const;
const TIMES = ['POSIX_F_SLOWEST_RANK_TIME', 'POSIX_F_FASTEST_RANK_TIME'] as const;

const dataImbalance: CounterTrigger = {
  kind: 'counters',
  code: 'P18',
  name: 'posix-data-imbalance',
  title: 'Processes move unequal amounts of a shared file',
  severity: 'high',
  module: 'POSIX',
  examine: (view, { imbalance_stragglers }) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    const isForAll = areMovedForAll(view);
    let worst = 0;
    const uneven = (isAggregated: boolean): FileAmounts =>
      posix.files((record): Amount | undefined => {
        const bytes = measured(record, [READ.bytes, WRITE.bytes]);
        const part = difference(record, BYTES, bytes);
        if (!(part > imbalance_stragglers) || bytes < view.floor.bytes) return undefined;
        if (isForAll(record) !== isAggregated) return undefined;
        worst = Math.max(worst, part);
        return everything(record);
      }, 'shared');
    const [byAggregators, files] = [uneven(true), uneven(false)];
    const count = files.count + byAggregators.count;
    if (count === 0) return undefined;
    const message = say`In ${countOf('files', count, 'shared file')} the bytes that the slowest and the fastest process move differ by up to ${slot('imbalance', worst)} of all bytes of the file.`;
    const evidence = { files: count, imbalance: worst, filesOfAggregators: byAggregators.count };
    if (files.count === 0) return inOrder(message, evidence, byAggregators.files);
    return {
      message: withAggregators(message, byAggregators.count),
      evidence,
      files: files.files,
      amount: files.amount,
      recommendations: [EVEN_PARTS, ...striping(view, files.files)],
    };
  },
};

const timeImbalance: CounterTrigger = {
  kind: 'counters',
  code: 'P19',
  name: 'posix-time-imbalance',
  title: 'Processes spend unequal times on a shared file',
  severity: 'high',
  module: 'POSIX',
  examine: (view, { imbalance_stragglers }) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    const isForAll = areMovedForAll(view);
    let worst = 0;
    let longest = { ns: 0, isForAll: false };
    const files = posix.files((record): Amount | undefined => {
      const all = measured(record, [READ.time, WRITE.time, 'POSIX_F_META_TIME']);
      const part = difference(record, TIMES, all);
      const differenceNs = part * all * 1e9;
      if (!(part > imbalance_stragglers) || differenceNs < view.floor.differenceNs) return undefined;
      worst = Math.max(worst, part);
      if (differenceNs > longest.ns) longest = { ns: differenceNs, isForAll: isForAll(record) };
      return everything(record);
    }, 'shared');
    if (files.count === 0) return undefined;
    return {
      message: say`On ${countOf('files', files.count, 'shared file')} the slowest process spends more time than the fastest: up to ${slot('timeDifference', longest.ns)}, and up to ${slot('imbalance', worst)} of the time that all of them spend.${longest.isForAll ? ' By collective calls some processes make the requests of all, who wait for the slowest of these.' : ''}`,
      evidence: { files: files.count, imbalance: worst, timeDifferenceNs: longest.ns },
      files: files.files,
      amount: files.amount,
      recommendations: [longest.isForAll ? MORE_AGGREGATORS : EVEN_PARTS, ...striping(view, files.files)],
    };
  },
};

/** What aggregators do is as it should be. */
function inOrder(
  message: Sentence,
  evidence: CounterFinding['evidence'],
  files: readonly InsightFile[],
): CounterFinding {
  return { severity: 'ok', message: say`${message} Here ${AS_IT_SHOULD}`, evidence, files };
}

function withAggregators(message: Sentence, files: number): Sentence {
  return files === 0
    ? message
    : say`${message} Of ${countOf('filesOfAggregators', files, 'file')} among them ${AS_IT_SHOULD}`;
}

/** Most and least bytes by file, of the processes with a record of a file that not all of them use. */
function extremes(posix: ModuleView, { bytes }: Direction): { most: Float64Array; least: Float64Array } {
  const most = new Float64Array(posix.fileGroups.length);
  const least = new Float64Array(posix.fileGroups.length).fill(Infinity);
  posix.forEach((record) => {
    const moved = record.get(bytes);
    if (Number.isNaN(moved)) return;
    most[record.group] = Math.max(most[record.group]!, moved);
    least[record.group] = Math.min(least[record.group]!, moved);
  }, 'individual');
  return { most, least };
}

function individual(code: string, name: string, title: string, direction: Direction): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'high',
    module: 'POSIX',
    examine: (view, { imbalance_size }) => {
      const posix = view.module('POSIX');
      if (posix === undefined) return undefined;
      const { most, least } = extremes(posix, direction);
      const aggregated = direction.verb === 'read' ? filesReadForAll(view) : collectiveFiles(view, WRITES);
      // What the program does not read is not its to divide.
      const forWrites = direction.verb === 'read' ? filesReadForWrites(view) : undefined;
      let worst = 0;
      const uneven = (isAggregated: boolean): FileAmounts =>
        posix.files((record): Amount | undefined => {
          const part = share(most[record.group]! - least[record.group]!, most[record.group]!);
          if (part <= imbalance_size || most[record.group]! < view.floor.bytes) return undefined;
          if (aggregated.has(record.id) !== isAggregated) return undefined;
          if (!isAggregated && forWrites?.has(record.id) === true) return undefined;
          worst = Math.max(worst, part);
          const bytes = measured(record, [direction.bytes]);
          const timeNs = measured(record, [direction.time]) * 1e9;
          return { events: measured(record, [direction.calls]), bytes, timeNs };
        }, 'individual');
      const byAggregators = uneven(true);
      const files = uneven(false);
      const count = files.count + byAggregators.count;
      if (count === 0) return undefined;
      const message = say`In ${countOf('files', count, 'file')} that Darshan counted for each process by itself, the one that ${direction.verb}s least ${direction.verb}s up to ${slot('imbalance', worst)} less than the one that ${direction.verb}s most.`;
      const evidence = { files: count, imbalance: worst, filesOfAggregators: byAggregators.count };
      if (files.count === 0) return inOrder(message, evidence, byAggregators.files);
      return {
        message: withAggregators(message, byAggregators.count),
        evidence,
        files: files.files,
        amount: files.amount,
        recommendations: [
          EVEN_PARTS,
          {
            audience: 'code',
            text: 'Where one process does it for all, let all of them take part by collective MPI-IO.',
            snippet: parallel.everyRankItsPart(),
          },
          ...(direction.verb === 'write' && (view.usesHdf5 || view.has('PNETCDF_FILE')) ? [NO_FILL] : []),
          ...striping(view, files.files),
        ],
      };
    },
  };
}

/** Aggregators move the bytes of all: who is none moves nothing. */
const AS_IT_SHOULD =
  'collective calls of MPI-IO move these bytes, for which some processes make the requests of all: that is as it should be.';

const NO_FILL: Recommendation = {
  audience: 'code',
  text: 'Do not let HDF5 or PnetCDF fill data sets that are written anyway.',
  snippet: parallel.hdf5NoFill(),
  alternatives: languages.noFillIn(),
};

/** P18, P19, P21 and P22. */
export const BALANCES: readonly CounterTrigger[] = [
  dataImbalance,
  timeImbalance,
  individual('P21', 'posix-write-imbalance-individual', 'Some processes write more of a file than others', WRITE),
  individual('P22', 'posix-read-imbalance-individual', 'Some processes read more of a file than others', READ),
];
