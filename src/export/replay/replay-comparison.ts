import { formatBytes } from '../../base/quantities.ts';

/** One run of a replay, as far as a comparison needs it. */
interface Run {
  readonly seconds: number;
  readonly operations: number;
  readonly backends: readonly { readonly backend: string; readonly values: Readonly<Record<string, unknown>> }[];
}

/** Runs of a replay as recorded and as advised (session/replay/recorded-replays). */
interface ReplayComparison {
  readonly recorded: readonly Run[];
  readonly advised: readonly Run[];
}

/** What one side of a comparison took, over its runs. */
interface Side {
  /** Median, least and most. */
  readonly seconds: number;
  readonly least: number;
  readonly most: number;
  readonly operations: number;
  readonly requests: number;
  readonly bytes: number;
}

/** For scripts (docs/cli.md): `ratio` is how many times faster the advised replay is. */
export function replayComparisonDocument(comparison: ReplayComparison): Record<string, unknown> {
  const recorded = sideOf(comparison.recorded);
  const advised = sideOf(comparison.advised);
  const runs = comparison.recorded.length;
  return { schema: 'iolens/replay-comparison@1', runs, recorded, advised, ratio: ratioOf(recorded, advised) };
}

export function replayComparisonText(comparison: ReplayComparison): string {
  const recorded = sideOf(comparison.recorded);
  const advised = sideOf(comparison.advised);
  const line = (name: string, { seconds, least, most, requests, bytes, operations }: Side): string =>
    `${name}  ${seconds.toFixed(3)} s (${least.toFixed(3)} to ${most.toFixed(3)} s), ${requests} transfers of ${formatBytes(bytes)}, ${operations} operations`;
  const ratio = ratioOf(recorded, advised);
  const runs = comparison.recorded.length;
  const overlap = advised.most >= recorded.least && recorded.most >= advised.least;
  return [
    `${runs} ${runs === 1 ? 'run' : 'runs'} of each, in turns; medians`,
    line('as recorded', recorded),
    line('as advised ', advised),
    `ratio ${ratio.toFixed(2)}: the advised replay takes ${((100 * advised.seconds) / recorded.seconds).toFixed(0)} % of the time`,
    ...(overlap ? ['the times of both overlap: repeat more often, or replay more, to be sure'] : []),
    '',
  ].join('\n');
}

function ratioOf(recorded: Side, advised: Side): number {
  return recorded.seconds / advised.seconds;
}

function sideOf(runs: readonly Run[]): Side {
  const seconds = runs.map((run) => run.seconds).sort((a, b) => a - b);
  const last = runs.at(-1)!;
  const sum = (value: 'calls' | 'bytes'): number =>
    last.backends
      .filter(({ backend }) => backend === 'ReadBandwidth' || backend === 'WriteBandwidth')
      .reduce((total, { values }) => total + Number(values[value]), 0);
  const middle = seconds.length >> 1;
  const median = seconds.length % 2 === 1 ? seconds[middle]! : (seconds[middle - 1]! + seconds[middle]!) / 2;
  return {
    seconds: median,
    least: seconds[0]!,
    most: seconds.at(-1)!,
    operations: last.operations,
    requests: sum('calls'),
    bytes: sum('bytes'),
  };
}
