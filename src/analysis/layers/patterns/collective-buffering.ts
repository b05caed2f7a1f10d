import { getOrCreate } from '../../../base/grouping.ts';
import { OPERATION } from '../../../trace/calls.ts';
import { NONE } from '../../../trace/events.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import { counted, formatBytes, formatCount } from '../../../base/quantities.ts';
import { countOf, naming, say, slot, type Sentence } from '../../triggers/message.ts';
import { formatRanks, hasRanks, processName } from '../../metrics/process-noun.ts';
import { SizeDistribution } from '../../metrics/sizes.ts';
import type { Amount, Recommendation, TimeOfStreams } from '../../triggers/insight.ts';
import type { LayerCalls } from './layer-calls.ts';
import { lowerRowsOf, offsetBar } from './lower-rows.ts';
import { findSeries, groupMoments, type MomentGroup } from './moments.ts';
import { apartText, hostsOf, timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture, type PictureBar, type PictureLane } from './picture.ts';
import * as snippets from './snippets.ts';

/** One process that moves data at the lowest layer, for itself or for others. */
interface Aggregator {
  readonly stream: StreamIndex;
  /** What it moves below, of what all ask for above. */
  calls: number;
  bytes: number;
}

/** What became of collective transfers from one place. */
interface Buffering {
  readonly group: MomentGroup;
  readonly isRead: boolean;
  readonly files: ReadonlyMap<number, Amount>;
  readonly upper: Amount;
  /** Nanoseconds by stream in the calls above, and in those below. */
  readonly upperTimes: TimeOfStreams;
  readonly lowerTimes: TimeOfStreams;
  readonly lowerCalls: number;
  readonly lowerBytes: number;
  readonly lowerNs: number;
  readonly lowerSizes: SizeDistribution;
  readonly aggregators: readonly Aggregator[];
  /** The part of the file that one aggregator moves in one moment. */
  readonly domainBytes: SizeDistribution;
  /** Domains that reach into the one of another aggregator. */
  readonly overlappingDomains: number;
}

interface Domain {
  readonly from: number;
  readonly to: number;
}

class Adding {
  readonly files = new Map<number, Amount>();
  readonly upper: Amount = { events: 0, bytes: 0, timeNs: 0 };
  readonly upperTimes = new Map<StreamIndex, number>();
  readonly lowerTimes = new Map<StreamIndex, number>();
  lowerCalls = 0;
  lowerBytes = 0;
  lowerNs = 0;
  readonly lowerSizes = new SizeDistribution();
  readonly aggregators = new Map<number, Aggregator>();
  readonly domainBytes = new SizeDistribution();
  overlappingDomains = 0;

  constructor(
    private readonly calls: LayerCalls,
    private readonly isRead: boolean,
  ) {}

  add(moment: readonly number[]): void {
    const domains: Domain[] = [];
    for (const index of moment) {
      this.addUpper(index);
      const entry = this.calls.upper!.entryOf[this.calls.collectives.row.at(index)]!;
      if (entry !== NONE && this.calls.upper!.transfers[entry]! > 0) domains.push(this.addLower(entry));
    }
    this.compare(domains);
  }

  private addUpper(index: number): void {
    const { collectives } = this.calls;
    const file = collectives.file.at(index);
    const of = this.files.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
    for (const sum of [of, this.upper]) {
      sum.events++;
      sum.bytes += collectives.bytes.at(index);
      sum.timeNs += collectives.duration.at(index);
    }
    this.files.set(file, of);
    spend(this.upperTimes, collectives.stream.at(index), collectives.duration.at(index));
  }

  private addLower(entry: number): Domain {
    const { upper } = this.calls;
    const stream = upper!.stream[entry]!;
    const transfers = upper!.transfers[entry]!;
    const bytes = this.isRead ? upper!.readBytes[entry]! : upper!.writtenBytes[entry]!;
    const aggregator = this.aggregators.get(stream) ?? { stream, calls: 0, bytes: 0 };
    aggregator.calls += transfers;
    aggregator.bytes += bytes;
    this.aggregators.set(stream, aggregator);
    this.lowerCalls += transfers;
    this.lowerBytes += bytes;
    this.lowerNs += upper!.lowerNs[entry]!;
    spend(this.lowerTimes, stream, upper!.lowerNs[entry]!);
    this.lowerSizes.add(Math.round(bytes / transfers));
    return { from: upper!.firstOffset[entry]!, to: upper!.lastEnd[entry]! };
  }

  private compare(domains: Domain[]): void {
    domains.sort((a, b) => a.from - b.from);
    domains.forEach(({ from, to }, number) => {
      if (to > from) this.domainBytes.add(to - from);
      if (number > 0 && from < domains[number - 1]!.to) this.overlappingDomains++;
    });
  }
}

function spend(times: Map<StreamIndex, number>, stream: StreamIndex, ns: number): void {
  times.set(stream, (times.get(stream) ?? 0) + ns);
}

/** Collective reads and writes whose lower layer was recorded, each call site by itself. */
export function bufferingOf(calls: LayerCalls): readonly Buffering[] {
  const buffering = getOrCreate(known, calls, () => workOut(calls));
  return buffering;
}

const known = new WeakMap<LayerCalls, readonly Buffering[]>();

function workOut(calls: LayerCalls): Buffering[] {
  const { trace, upper } = calls;
  if (upper === undefined) return [];
  const moves = (operation: number): boolean => operation === OPERATION.read || operation === OPERATION.write;
  const series = findSeries(calls).filter(
    ({ call, streams }) => streams.length > 1 && moves(trace.calls.operation[call]!),
  );
  return groupMoments(calls, series)
    .map((group) => {
      const isRead = trace.calls.operation[group.call] === OPERATION.read;
      const adding = new Adding(calls, isRead);
      for (const moment of group.moments) adding.add(moment);
      const { files, upper: above, lowerSizes, domainBytes, overlappingDomains } = adding;
      const { lowerCalls, lowerBytes, lowerNs, upperTimes, lowerTimes } = adding;
      const aggregators = [...adding.aggregators.values()].sort((a, b) => b.bytes - a.bytes || a.stream - b.stream);
      const lower = { lowerCalls, lowerBytes, lowerNs, lowerSizes, domainBytes, overlappingDomains };
      return { group, isRead, files, upper: above, upperTimes, lowerTimes, aggregators, ...lower };
    })
    .filter(({ lowerCalls }) => lowerCalls > 0);
}

/** Requests of several processes are put together: fewer processes or fewer calls reach the file. */
function isJoined({ aggregators, group, lowerCalls, upper }: Buffering): boolean {
  return aggregators.length < group.streams.size || lowerCalls < upper.events;
}

/** `rank 0`, `ranks 0, 24, 48`, `process 4711`. */
function nameStreams({ trace }: LayerCalls, streams: readonly StreamIndex[]): Sentence {
  if (hasRanks(trace))
    return [naming('processNames', formatRanks(streams.map((stream) => trace.streams[stream]!.rank!)))];
  const named = naming(
    'processNames',
    streams
      .slice(0, 4)
      .map((stream) => processName(trace.streams[stream]!))
      .join(', '),
  );
  return streams.length > 4 ? say`${named} and ${slot('otherProcesses', streams.length - 4)} more` : [named];
}

function evidenceOf(calls: LayerCalls, of: Buffering): Record<string, number> {
  const { aggregators, group, upper } = of;
  return {
    moments: group.moments.length,
    processes: group.streams.size,
    aggregators: aggregators.length,
    nodes: hostsOf(calls, group.streams).size,
    nodesWithAggregators: hostsOf(
      calls,
      aggregators.map(({ stream }) => stream),
    ).size,
    upperCalls: upper.events,
    lowerCalls: of.lowerCalls,
    upperBytes: upper.bytes,
    lowerBytes: of.lowerBytes,
    upperMeanBytes: upper.bytes / upper.events,
    lowerMeanBytes: of.lowerBytes / of.lowerCalls,
    domains: of.domainBytes.total,
    domainMedianBytes: of.domainBytes.total === 0 ? 0 : of.domainBytes.median(),
    overlappingDomains: of.overlappingDomains,
  };
}

/** What all places of collective transfers have in common. */
function placeOf(calls: LayerCalls, of: Buffering): Omit<PatternPlace, 'subject' | 'recommendations'> {
  const { group, upper, files } = of;
  return {
    site: group.site,
    amount: upper,
    weight: upper.events,
    lostNs: upper.timeNs,
    timeOfStreams: of.upperTimes,
    files,
    streams: group.streams.size,
    medianBytes: Math.round(upper.bytes / upper.events),
    evidence: evidenceOf(calls, of),
    picture: () => picture(calls, of),
  };
}

/** Who of the nodes takes part; nothing on one node. */
function nodesText(calls: LayerCalls, { aggregators, group }: Buffering): Sentence {
  const all = hostsOf(calls, group.streams);
  if (all.size < 2) return [];
  const byHost = new Map<string, number>();
  for (const { stream } of aggregators) {
    const host = calls.trace.streams[stream]!.host;
    byHost.set(host, (byHost.get(host) ?? 0) + 1);
  }
  const numbers = [...byHost.values()];
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const fewest = least === most ? [] : say`${slot('aggregatorsOfNode', least)} to `;
  return say`, on ${slot('nodesWithAggregators', byHost.size)} of ${countOf('nodes', all.size, 'node')} (${fewest}${slot('aggregatorsOfNode', most)} each)`;
}

function joinedSubject(calls: LayerCalls, of: Buffering): Sentence {
  const { group, upper, aggregators, lowerCalls, lowerBytes } = of;
  const { names } = calls.trace.calls;
  const who = nameStreams(
    calls,
    aggregators.map(({ stream }) => stream),
  );
  const size = slot('meanSize', Math.round(upper.bytes / upper.events));
  const domain =
    of.domainBytes.total === 0 ? [] : say`, in domains of ${slot('domainSize', of.domainBytes.median())} of the file`;
  const crossing =
    of.overlappingDomains === 0 ? [] : say`, ${slot('overlappingDomains', of.overlappingDomains)} of which overlap`;
  const verb = of.isRead ? 'read' : 'write';
  return say`${timesCall(upper.events, names[group.call]!)} of ${slot('processes', group.streams.size)} processes (${slot('upperBytes', upper.bytes)}, ${size} each) become ${countOf('lowerCalls', lowerCalls, verb)} of ${slot('lowerMeanSize', Math.round(lowerBytes / lowerCalls))} by ${who} alone${nodesText(calls, of)}${domain}${crossing} (collective buffering); they`;
}

/** Section 3.3.1.2 of Tschüter, figures 3.19 to 3.21 and 5.11: some processes move the data of all. */
export const COLLECTIVE_BUFFERING: LayerPattern = {
  code: 'L23',
  name: 'collective-buffering',
  title: 'Collective calls are joined by aggregators',
  find: (calls) =>
    bufferingOf(calls)
      .filter(isJoined)
      .map((of) => {
        const nodes = hostsOf(calls, of.group.streams).size;
        const idle =
          nodes -
          hostsOf(
            calls,
            of.aggregators.map(({ stream }) => stream),
          ).size;
        return {
          ...placeOf(calls, of),
          // How data go to the file is worth knowing however seldom they do.
          weight: Infinity,
          subject: joinedSubject(calls, of),
          severity: idle > 0 ? ('info' as const) : ('ok' as const),
          recommendations: idle > 0 ? moreAggregators(of, nodes) : [],
        };
      }),
};

function moreAggregators({ isRead }: Buffering, nodes: number): Recommendation[] {
  const direction = isRead ? 'read' : 'write';
  return [
    {
      audience: 'code',
      text: 'Some nodes have no aggregator, so their network links move nothing to the file: one aggregator on each node uses all of them.',
      snippet: snippets.bufferingHints('c', direction, nodes),
      alternatives: [snippets.bufferingHints('fortran', direction, nodes)],
    },
  ];
}

/** Collective calls that each process carries out by itself, in small pieces: nothing is gained by calling together. */
export const COLLECTIVE_NOT_JOINED: LayerPattern = {
  code: 'L29',
  name: 'collective-not-joined',
  title: 'Collective calls are carried out one by one',
  find: (calls, { small_bytes }) =>
    bufferingOf(calls)
      .filter((of) => !isJoined(of) && of.lowerBytes / of.lowerCalls < small_bytes)
      .map((of) => {
        const { group, upper, lowerCalls, lowerBytes } = of;
        const nodes = hostsOf(calls, group.streams).size;
        const direction = of.isRead ? 'read' : 'write';
        const belowNs = Math.min(upper.timeNs, of.lowerNs);
        return {
          ...placeOf(calls, of),
          amount: { ...upper, timeNs: belowNs },
          lostNs: belowNs,
          timeOfStreams: of.lowerTimes,
          remark: apartText(upper.timeNs, belowNs),
          weight: lowerCalls,
          subject: say`${timesCall(upper.events, calls.trace.calls.names[group.call]!)} of ${slot('processes', group.streams.size)} processes become ${countOf('lowerCalls', lowerCalls, direction)} of ${slot('lowerMeanSize', Math.round(lowerBytes / lowerCalls))}, each process its own: nobody joins them, although the calls are collective; the calls below`,
          recommendations: [
            {
              audience: 'code',
              text: 'Turn collective buffering on: aggregators then move large pieces for all.',
              snippet: snippets.bufferingHints('c', direction, nodes),
              alternatives: [snippets.bufferingHints('fortran', direction, nodes)],
            },
          ],
        };
      }),
  unless: ['L22'],
  explains: ['P05', 'P06', 'P15', 'P16'],
};

/** Figure 3.19: the pieces of all processes above, the domains of the aggregators below, along the file. */
function picture(calls: LayerCalls, of: Buffering): PatternPicture | undefined {
  const { group, aggregators } = of;
  const { collectives, upper, trace } = calls;
  const moment = group.moments.reduce((most, each) => (each.length > most.length ? each : most));
  const rows = moment.map((index) => collectives.row.at(index));
  const below = lowerRowsOf(calls, rows);
  const name = trace.calls.names[group.call]!;
  const asked = rows.map((row): PictureBar | undefined => {
    const from = trace.events.value('offset', row);
    const bytes = trace.events.value('bytes', row);
    return Number.isNaN(from) || bytes === 0 ? undefined : { from, to: from + bytes, kind: 'call' };
  });
  const lanes: PictureLane[] = aggregators.flatMap(({ stream }) => {
    const row = rows.find((each) => upper!.stream[upper!.entryOf[each]!] === stream);
    const lower = row === undefined ? [] : below.get(row)!;
    const bars = lower.map((each) => offsetBar(calls, each)).filter((bar) => bar !== undefined);
    if (bars.length === 0) return [];
    const bytes = bars.reduce((sum, bar) => sum + bar.to - bar.from, 0);
    return [
      {
        label: processName(trace.streams[stream]!),
        amount: `${counted(bars.length, of.isRead ? 'read' : 'write')}, ${formatBytes(bytes)}`,
        bars,
      },
    ];
  });
  if (lanes.length === 0) return undefined;
  const total = moment.reduce((sum, index) => sum + collectives.bytes.at(index), 0);
  const places = asked.filter((bar) => bar !== undefined);
  const above: PictureLane = {
    label: `${name} of ${formatCount(moment.length)}`,
    amount: formatBytes(total),
    bars: places,
  };
  return pictureOf(
    {
      title: `Who moves what for one ${name} of ${formatCount(moment.length)} processes`,
      description: `Along the file: above ${formatBytes(total)} that ${formatCount(moment.length)} processes ask for; below, for each aggregator, the part of the file that it moves: ${lanes.map(({ label, amount }) => `${label} ${amount}`).join('; ')}.`,
      axis: 'offset',
    },
    places.length > 0 ? [above, ...lanes] : lanes,
  );
}
