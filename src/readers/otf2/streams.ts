import { addToGroup } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import type { Communicator } from '../../trace/definitions.ts';
import type { RecordingPart, Stream } from '../../trace/trace.ts';
import { UNDEFINED_32 } from './byte-cursor.ts';
import type { RawDefinitions, RawGroup, RawLocation } from './definition-records.ts';
import type { SystemTree } from './system-tree.ts';

/** Numbers of OTF2_GroupType, OTF2_GroupFlag, OTF2_Paradigm and OTF2_LocationType. */
const COMM_LOCATIONS = 4;
const COMM_SELF = 6;
const GLOBAL_MEMBERS = 1;
const MPI = 4;
const METRIC_LOCATION = 3;

/** A location whose events are read, and the stream that they go to. */
export interface LocationStream extends RawLocation {
  readonly stream: number;
}

/** The streams of a trace, those of one process behind each other, with one part of the recording for each. */
export function streamsOf(
  raw: RawDefinitions,
  tree: SystemTree,
  fileOf: (location: string) => { readonly name: string; readonly path: string },
): { locations: LocationStream[]; streams: Stream[]; parts: RecordingPart[] } {
  const ranks = ranksOf(raw);
  const byGroup = new Map<number, RawLocation[]>();
  for (const location of raw.locations) {
    // Metrics of a whole node have a location of their own: no program runs there.
    if (location.type === METRIC_LOCATION) continue;
    addToGroup(byGroup, location.group, location);
  }
  const locations: LocationStream[] = [];
  const streams: Stream[] = [];
  const parts: RecordingPart[] = [];
  let thread = Math.max(0, ...numbersBelow(byGroup.keys(), UNDEFINED_32)) + 1;
  for (const [group, members] of byGroup) {
    const host = tree.hostOf(raw.locationGroups.get(group)?.tree ?? UNDEFINED_32);
    const known = members.map(({ id }) => ranks.get(id)).find((rank) => rank !== undefined);
    members.forEach((location, i) => {
      const { name, path } = fileOf(location.id);
      const part = parts.push({ name, path, commandId: '', host, launchId: '', run: '' }) - 1;
      const processId = group === UNDEFINED_32 ? NONE : group;
      // The kernel's numbers are not recorded: processes have that of their group, further threads one of their own.
      const pid = i === 0 ? processId : thread++;
      const rank = known === undefined ? {} : { rank: known };
      locations.push({ ...location, stream: streams.push({ host, pid, processId, part, ...rank }) - 1 });
    });
  }
  return { locations, streams, parts };
}

function numbersBelow(numbers: Iterable<number>, limit: number): number[] {
  return [...numbers].filter((number) => number < limit);
}

/** World rank of each location that takes part in MPI. */
function ranksOf(raw: RawDefinitions): Map<string, number> {
  const list = listOfLocations(raw, MPI);
  return new Map(list.map((id, rank) => [id, rank]));
}

function listOfLocations(raw: RawDefinitions, paradigm: number): readonly string[] {
  for (const group of raw.groups.values()) {
    if (group.type === COMM_LOCATIONS && group.paradigm === paradigm) return group.members;
  }
  return [];
}

/**
 * The communicators, with the streams of their members. Of inter-communicators both sides are members; `firstSides` says
 * how many of these are the first one's.
 */
export function communicatorsOf(
  raw: RawDefinitions,
  locations: readonly LocationStream[],
  text: (reference: number) => string,
): { communicators: Communicator[]; indices: Map<number, number>; firstSides: Map<number, number> } {
  const firstSides = new Map<number, number>();
  const indices = new Map<number, number>();
  const streamOf = new Map(locations.map(({ id, stream }) => [id, stream]));
  for (const reference of raw.communicators.keys()) indices.set(reference, indices.size);
  const lists = new Map<number, readonly string[]>();
  const members = (group: RawGroup | undefined): number[] => {
    if (group === undefined) return [];
    let list = lists.get(group.paradigm);
    if (list === undefined) lists.set(group.paradigm, (list = listOfLocations(raw, group.paradigm)));
    const isGlobal = (group.flags & GLOBAL_MEMBERS) !== 0 || group.type === COMM_LOCATIONS;
    return group.members.map((member) => streamOf.get((isGlobal ? member : list[Number(member)]) ?? '') ?? NONE);
  };
  const communicators = [...raw.communicators.values()].map(({ name, group, otherGroup, parent }, index) => {
    const first = members(raw.groups.get(group));
    const second = members(raw.groups.get(otherGroup));
    if (second.length > 0) firstSides.set(index, first.length);
    const isSelf = raw.groups.get(group)?.type === COMM_SELF;
    return { name: text(name), members: [...first, ...second], parent: indices.get(parent) ?? NONE, isSelf };
  });
  return { communicators, indices, firstSides };
}
