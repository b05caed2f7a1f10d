import type { Trace } from '../../trace/trace.ts';
import { leftOutFiles, leftOutRecords } from '../counters/left-out-records.ts';
import { LAYER_PATTERNS } from '../layers/patterns/pattern-catalogue.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import type { UnseenWay } from '../metrics/unseen-ways.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { CATALOGUE } from './catalogue.ts';
import { COUNTER_CATALOGUE } from './counters/counter-catalogue.ts';
import { FLUSHED_STREAMS } from './counters/flushes.ts';
import { hidesPython } from '../sites/interpreted.ts';
import type { OwnTrigger } from './own/own-trigger.ts';

/** What the triggers had to look at: where nothing was found, this is all that can be said for sure. */
export interface Examined {
  /** Codes of the triggers for which the recording holds something, the user's own among them. */
  readonly triggers: readonly string[];
  /** Calls that count. */
  readonly calls: number;
  readonly files: number;
  /** Source lines that the calls come from; 0 where the recording does not know. */
  readonly lines: number;
  /** Calls that move bytes through pipes and sockets. */
  readonly pipeTransfers: number;
  /** Ways by which bytes move that the recording does not show. */
  readonly unseen: readonly UnseenWay[];
  /** An interpreter ran the program, and the recorder saw lines of that alone. */
  readonly interpreter?: 'Python';
  /** Records of counters by Darshan's modules. */
  readonly records: Readonly<Record<string, number>>;
}

/** Modules of Darshan whose records no trigger judges. */
const NOT_JUDGED = new Set(['HEATMAP', 'LUSTRE', 'APMPI', 'BG/Q']);

/** @param own triggers of the user that could be evaluated. */
export function examinedBy(trace: Trace, metrics: Metrics, callSites: CallSites, own: readonly OwnTrigger[]): Examined {
  const { cells, siteOfCell, fileOfCell, pipes } = metrics;
  let calls = 0;
  const files = new Set<number>();
  const lines = new Set<string>();
  for (let cell = 0; cell < cells.length; cell++) {
    const events = cells.get(cell, 'events');
    if (events === 0) continue;
    calls += events;
    files.add(fileOfCell[cell]!);
    const site = callSites.sites[siteOfCell[cell]!];
    if (site !== undefined && site.line > 0) lines.add(`${site.file}:${site.line}`);
  }
  const records = recordsOf(trace, metrics.ignored);
  const over = { files: calls > 0, pipes: pipes.transfers > 0, modules: records };
  const all = [...CATALOGUE, ...COUNTER_CATALOGUE, FLUSHED_STREAMS, ...own].filter((each) => hasMatter(each, over));
  // What goes through several layers is looked at where there are calls at all.
  const codes = [...all, ...(over.files ? LAYER_PATTERNS : [])].map(({ code }) => code);
  return {
    triggers: [...new Set(codes)],
    calls,
    files: files.size,
    lines: lines.size,
    pipeTransfers: pipes.transfers,
    unseen: metrics.unseen,
    ...(hidesPython(trace, callSites) && { interpreter: 'Python' }),
    records,
  };
}

/** Records of files that count. */
function recordsOf(trace: Trace, ignored: Uint8Array): Record<string, number> {
  const leftOut = leftOutFiles(trace, ignored);
  const judged = (trace.counters?.modules ?? []).filter(({ module }) => !NOT_JUDGED.has(module));
  const records = judged.map((table): [string, number] => {
    const ofOthers = leftOutRecords(table, leftOut)?.reduce((sum, one) => sum + one, 0) ?? 0;
    return [table.module, table.length - ofOthers];
  });
  return Object.fromEntries(records.filter(([, length]) => length > 0));
}

/** What a recording holds of each kind that triggers are about. */
interface Matter {
  readonly files: boolean;
  readonly pipes: boolean;
  readonly modules: Readonly<Record<string, number>>;
}

function hasMatter(trigger: OwnTrigger | (typeof CATALOGUE)[number], { files, pipes, modules }: Matter): boolean {
  if (trigger.kind === 'counters')
    return trigger.module === undefined ? Object.keys(modules).length > 0 : trigger.module in modules;
  return trigger.kind === 'site' && trigger.over === 'pipes' ? pipes : files;
}
