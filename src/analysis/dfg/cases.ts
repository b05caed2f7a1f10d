import type { Trace } from '../../trace/trace.ts';

/**
 * What makes events one case (section IV of the paper): the recording file (the paper's cid, host, rid), the process or
 * thread, or the launched process that several files belong to. In the log of a whole job all of these are its ranks.
 */
export type CaseGrouping = 'file' | 'pid' | 'rank';

export interface Cases {
  readonly names: readonly string[];
  /** Case of each stream. */
  readonly caseOfStream: Int32Array;
}

export function groupCases(trace: Trace, grouping: CaseGrouping): Cases {
  const names: string[] = [];
  const indices = new Map<string, number>();
  const caseOfStream = Int32Array.from(trace.streams, ({ pid, part, rank: number }) => {
    const { name, commandId, host, launchId } = trace.parts[part]!;
    const plain = name.replace(/\.(gz|xz|bz2|zst)$/, '');
    const file = plain.replace(/\.(st|darshan)$/, '');
    const rank = launchId === '' ? file : `${commandId}_${host}_${launchId}`;
    // One log holds all ranks of a job: only what one of them does has an order.
    const ofJob = trace.parts.length > 1 ? `${file} rank ${number}` : `rank ${number}`;
    const ofProcess = grouping === 'file' ? file : grouping === 'rank' ? rank : `${rank} ${pid}`;
    const label = number === undefined ? ofProcess : ofJob;
    // Two files of one name (in different folders) are two cases.
    const key = grouping === 'rank' ? label : `${part} ${label}`;
    let index = indices.get(key);
    if (index === undefined) {
      index = names.push(label) - 1;
      indices.set(key, index);
    }
    return index;
  });
  return { names, caseOfStream };
}
