/** Lustre's jobstats, looked at several times: what targets did between the looks. */
import type { RecordingFile } from '../../trace/byte-source.ts';
import { linesOf } from './file-lines.ts';
import { IntervalSums } from './interval-sums.ts';
import { JobstatsText, type JobCounters, type TargetDump } from './jobstats-text.ts';
import { growth, NOTHING_KNOWN, QUANTITIES, sumOf, type Amounts, type Quantity } from './load-sample.ts';
import { atMost, loadRow, type ServerLoad } from './load-rows.ts';
import { Losses } from './losses.ts';
import { lustreName, type ServerTarget } from './server-target.ts';

/** Jobs of a target that are remembered although a dump does not show them any more. */
const MOST_JOBS = 1 << 19;

interface TargetState {
  readonly target: ServerTarget;
  readonly sums: IntervalSums;
  /** The last call that any dump shows: what follows in later dumps was done after it. */
  at: number;
  last: Pick<TargetDump, 'isWhole' | 'counters'>;
  jobs: Map<string, JobCounters>;
}

/**
 * @param log key of the content.
 * @throws Error in words for the user when a file cannot be read.
 */
export async function readJobstats(
  files: readonly RecordingFile[],
  log: string,
  signal?: AbortSignal,
): Promise<ServerLoad> {
  const reader = new JobstatsReader();
  for (const file of await inTime(files, signal)) {
    await reader.read(file, signal);
  }
  return reader.load(log);
}

class JobstatsReader {
  private readonly losses = new Losses();
  private readonly targets = new Map<string, TargetState>();

  async read(file: RecordingFile, signal: AbortSignal | undefined): Promise<void> {
    // `cat` of the file itself names it by its folder: obdfilter/scratch-OST0000/job_stats.
    const own = file.path.split('/').slice(-2).reverse().join(' ');
    const named = /([^\s/]*-)?(?:OST|MDT)[0-9a-f]{4}/i.exec(own)?.[0] ?? '';
    const text = new JobstatsText(file.name, named, this.losses);
    for await (const lines of linesOf(file)) {
      signal?.throwIfAborted();
      for (const line of lines) this.apply(text.add(line), file.name);
    }
    this.apply(text.end(), file.name);
  }

  load(log: string): ServerLoad {
    const series = [...this.targets.values()].map(({ target, sums }) => ({ target, samples: sums.samples() }));
    const { bounded, joins } = atMost(series);
    const damage = this.losses.words();
    if (joins > 1) damage.push(`too many samples: ${joins} at a time are joined to one (give shorter times)`);
    const isAlone = [...this.targets.values()].every(({ sums }) => sums.size === 0);
    if (isAlone) damage.push('no target was looked at twice: only differences say what was done');
    const rows = bounded.flatMap(({ target, samples }) => samples.map((sample) => loadRow(log, target, sample)));
    return { rows, damage };
  }

  private apply(dump: TargetDump | undefined, file: string): void {
    if (dump === undefined) return;
    const { target: name, jobs } = dump;
    const found = lustreName(name);
    if (found === undefined) {
      const what = 'a look is left out: no line names its target (obdfilter.NAME.job_stats=; use lctl without -n)';
      this.losses.add(what, file, dump.line);
      return;
    }
    const latest = latestCall(jobs);
    const state = this.targets.get(name);
    if (state === undefined) {
      if (jobs.size === 0) return;
      const target = { ...found, server: null };
      this.targets.set(name, { target, sums: new IntervalSums(), at: latest, last: dump, jobs: new Map(jobs) });
      return;
    }
    if ([...jobs].some(([job, now]) => isBefore(now, state.jobs.get(job)))) {
      this.losses.add('a look that is older than the one before is left out', file, dump.line);
      return;
    }
    advance(state, dump, Math.max(state.at, latest));
  }
}

function latestCall(jobs: ReadonlyMap<string, JobCounters>): number {
  let latest = -Infinity;
  for (const { at } of jobs.values()) latest = Math.max(latest, at);
  return latest;
}

function advance(state: TargetState, dump: TargetDump, end: number): void {
  const { jobs } = dump;
  let done = NOTHING_KNOWN;
  for (const [job, now] of jobs) {
    const before = state.jobs.get(job);
    if (before !== undefined) done = sumOf(done, grown(before, now));
    else if (beganSince(state, dump, now)) done = sumOf(done, now.counters);
    state.jobs.set(job, {
      ...now,
      counters: before === undefined ? now.counters : known(before.counters, now.counters),
    });
  }
  done = state.target.kind === 'OST' ? bytesOf(done) : { ...done, bytesRead: null, bytesWritten: null };
  // Before 2.15 moments are whole seconds: what was done in the second of the last look belongs to that.
  if (end > state.at || QUANTITIES.some((quantity) => (done[quantity] ?? 0) > 0))
    state.sums.add(state.at, end > state.at || state.sums.endsAt(end) ? end : end + 1, done);
  state.at = end;
  state.last = { isWhole: dump.isWhole, counters: dump.counters };
  if (state.jobs.size > MOST_JOBS) state.jobs = new Map([...state.jobs].filter(([job]) => jobs.has(job)));
}

/** Whether a job that the look before did not show began after it, and all that it counted was done since. */
function beganSince({ last, at }: TargetState, dump: TargetDump, { since }: JobCounters): boolean {
  return since === null ? last.isWhole && last.counters === dump.counters : since > at;
}

/** Whether counters were looked at earlier than those that are known. */
function isBefore(now: JobCounters, known: JobCounters | undefined): boolean {
  if (known === undefined || now.at > known.at) return false;
  return now.at < known.at || fell(known.counters, now.counters);
}

function fell(before: Amounts, now: Amounts): boolean {
  return QUANTITIES.some((quantity) => (now[quantity] ?? Infinity) < (before[quantity] ?? 0));
}

/** Objects of a storage target are opened and removed, too, but those are no operations of files. */
function bytesOf({ bytesRead, bytesWritten }: Amounts): Amounts {
  return { ...NOTHING_KNOWN, bytesRead, bytesWritten };
}

function grown(before: JobCounters, now: JobCounters): Amounts {
  const isOther = before.since !== null && now.since !== null && before.since !== now.since;
  if (isOther || fell(before.counters, now.counters)) return now.counters;
  const amounts: Record<Quantity, number | null> = { ...NOTHING_KNOWN };
  for (const quantity of QUANTITIES) amounts[quantity] = growth(before.counters[quantity], now.counters[quantity]);
  return amounts;
}

/** A counter that a damaged look lacks is compared with the last one that there is. */
function known(before: Amounts, now: Amounts): Amounts {
  const amounts: Record<Quantity, number | null> = { ...now };
  for (const quantity of QUANTITIES) amounts[quantity] ??= before[quantity];
  return amounts;
}

/** Files by the last call that each shows, whatever their names are. */
async function inTime(files: readonly RecordingFile[], signal: AbortSignal | undefined): Promise<RecordingFile[]> {
  if (files.length === 1) return [...files];
  const moments: { file: RecordingFile; latest: number }[] = [];
  for (const file of files) {
    let latest = -Infinity;
    for await (const lines of linesOf(file)) {
      signal?.throwIfAborted();
      for (const line of lines) {
        const at = Number(/snapshot_time:\s*([\d.]+)/.exec(line)?.[1] ?? NaN);
        if (at > latest) latest = at;
      }
    }
    moments.push({ file, latest });
  }
  const byName = new Intl.Collator('en', { numeric: true });
  return moments
    .sort((a, b) => a.latest - b.latest || byName.compare(a.file.name, b.file.name))
    .map(({ file }) => file);
}
