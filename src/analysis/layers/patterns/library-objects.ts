import { NONE } from '../../../trace/events.ts';
import type { FileIndex, HandleIndex, StreamIndex } from '../../../trace/indices.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import type { Amount, Recommendation } from '../../triggers/insight.ts';
import { countOf, say } from '../../triggers/message.ts';
import type { LayerCalls } from './layer-calls.ts';
import { attributesOnce, outermostGroups, timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import * as snippets from './snippets.ts';

type ObjectUse = 'create' | 'open' | 'close';

/** What calls of HDF5 and NetCDF do to objects within a file. */
const USES: readonly (readonly [ObjectUse, RegExp])[] = [
  ['create', /^(H5[DGA]create|nc_def_(var|grp)$)/],
  ['open', /^H5([DGA]open|Oopen(_async)?$)/],
  // h5py opens objects of any kind, and gives each back by its count of references.
  ['close', /^(H5[DGAO]close|H5Idec_ref$)/],
];

/** Of the transfers of a file so many follow an opening of their own, at least, where that is what is wrong with them. */
const MOSTLY = 0.5;

interface ObjectCalls {
  readonly site: SiteIndex;
  readonly call: number;
  readonly use: ObjectUse;
  readonly amount: Amount;
  readonly files: Map<FileIndex, Amount>;
  /** Objects by name, each as often as threads open it; and how many of the calls tell no name. */
  readonly objects: Set<string>;
  nameless: number;
  readonly timeOfStreams: Map<StreamIndex, number>;
}

/** How often objects of a file were made, and opened. */
interface FileObjects {
  create: number;
  open: number;
  close: number;
}

interface Gathered {
  readonly groups: readonly ObjectCalls[];
  readonly files: ReadonlyMap<FileIndex, Readonly<FileObjects>>;
}

function gather({ trace, metadata }: LayerCalls): Gathered {
  const objectOf = objectNames(trace);
  const useOf = trace.calls.names.map((name) => USES.find(([, names]) => names.test(name))?.[0]);
  const groups = new Map<string, ObjectCalls>();
  const files = new Map<FileIndex, FileObjects>();
  for (let index = 0; index < metadata.length; index++) {
    const call = metadata.call.at(index);
    const use = useOf[call];
    if (use === undefined) continue;
    const file = metadata.file.at(index);
    const site = metadata.site.at(index);
    const ofFile = files.get(file) ?? { create: 0, open: 0, close: 0 };
    ofFile[use]++;
    files.set(file, ofFile);
    const key = `${site === NONE ? `file ${file}` : `site ${site}`} ${call}`;
    const group = groups.get(key) ?? {
      ...{ site, call, use, amount: { events: 0, bytes: 0, timeNs: 0 } },
      ...{ files: new Map<FileIndex, Amount>(), timeOfStreams: new Map<StreamIndex, number>() },
      ...{ objects: new Set<string>(), nameless: 0 },
    };
    groups.set(key, group);
    // Those that count within a group name that.
    const object = trace.calls.names[call]!.includes('idx') ? undefined : objectOf(metadata.handle.at(index));
    if (object === undefined) group.nameless++;
    else group.objects.add(`${metadata.stream.at(index)} ${file} ${object}`);
    const own = group.files.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
    group.files.set(file, own);
    for (const sum of [group.amount, own]) {
      sum.events++;
      sum.timeNs += metadata.duration.at(index);
    }
    const stream = metadata.stream.at(index);
    group.timeOfStreams.set(stream, (group.timeOfStreams.get(stream) ?? 0) + metadata.duration.at(index));
  }
  return { groups: [...groups.values()], files };
}

/** What leads to an object of a file: the names of those it lies in, where the recording has them. */
function objectNames({ definitions, handles }: Trace): (handle: HandleIndex) => string | undefined {
  const names = definitions?.handleNames;
  const known = new Map<HandleIndex, string | undefined>();
  const pathOf = (handle: HandleIndex): string | undefined => {
    const parts: string[] = [];
    // What lies in itself, as an archive may claim, has no path that ends.
    const seen = new Set<HandleIndex>();
    for (let at = handle; at !== NONE && !seen.has(at); at = handles.parent.at(at)) {
      const name = names?.get(at);
      if (name === undefined) break;
      seen.add(at);
      parts.unshift(name);
      if (name.startsWith('/')) break;
    }
    return parts.length === 0 ? undefined : parts.join('/');
  };
  return (handle) => {
    if (!known.has(handle)) known.set(handle, pathOf(handle));
    return known.get(handle);
  };
}

/** So many openings of each object are no second look at it. */
const OFTEN = 4;

/** What there is of the files of a group: only where objects were made in the recording is known which are opened again. */
function sumsOf({ files }: Gathered, group: ObjectCalls): Readonly<FileObjects> {
  const sum = { create: 0, open: 0, close: 0 };
  for (const file of group.files.keys()) {
    const { create, open, close } = files.get(file)!;
    sum.create += create;
    sum.open += open;
    sum.close += close;
  }
  return sum;
}

/** Where names do not tell which objects are opened again, that they are more than were made in the recording does. */
function areReopened(gathered: Gathered, group: ObjectCalls): boolean {
  if (group.use === 'create') return false;
  if (group.nameless === 0) return group.amount.events >= OFTEN * group.objects.size;
  const { create, open } = sumsOf(gathered, group);
  return create > 0 && open >= OFTEN * create;
}

/** Many in each file, for each process. */
function areMany(gathered: Gathered, group: ObjectCalls, most: number): boolean {
  if (group.use === 'open') return false;
  const { create, open } = sumsOf(gathered, group);
  const isMade = group.use === 'create' || create >= group.objects.size;
  const isNamed = group.nameless === 0 && isMade && !areReopened(gathered, group);
  const objects = isNamed ? group.objects.size : create >= open ? create : 0;
  return objects / group.files.size / group.timeOfStreams.size >= most;
}

function place(
  calls: LayerCalls,
  group: ObjectCalls,
  subject: string,
  recommendations: readonly Recommendation[],
): PatternPlace {
  const { site, amount, files, timeOfStreams } = group;
  const many = files.size === 1 ? [] : say` in ${countOf('files', files.size, 'file')}`;
  return {
    ...{ site, amount, files, timeOfStreams, recommendations },
    weight: amount.events,
    lostNs: amount.timeNs,
    streams: timeOfStreams.size,
    medianBytes: NaN,
    subject: say`${timesCall(amount.events, calls.trace.calls.names[group.call]!)}${many} ${subject}`,
    evidence: { objectCalls: amount.events, objectFiles: files.size },
    picture: () => undefined,
  };
}

function isHdf5({ trace }: LayerCalls, { call }: ObjectCalls): boolean {
  return trace.calls.names[call]!.startsWith('H5');
}

const FEWER = 'Make fewer, larger objects';

function fewerObjects(isOfHdf5: boolean): Recommendation {
  return isOfHdf5
    ? {
        audience: 'code',
        text: `${FEWER}: one data set with a dimension for what are now separate data sets, one attribute that holds an array (or one data set of a compound type) instead of many. The library describes each object in the file, and looks its name up.`,
        snippet: snippets.hdf5OneDataset('c'),
        alternatives: [snippets.hdf5OneDataset('fortran'), snippets.h5pyOneDataset()],
      }
    : { audience: 'code', text: `${FEWER}: one variable with a dimension for what are now separate variables.` };
}

/** Data sets, groups and attributes each of which holds little: what describes them costs more than they do. */
export const MANY_OBJECTS: LayerPattern = {
  code: 'L40',
  name: 'many-library-objects',
  title: 'Many objects made in a file of HDF5 or NetCDF',
  find(calls, { metadata_events }) {
    const gathered = gather(calls);
    return gathered.groups
      .filter((group) => areMany(gathered, group, metadata_events))
      .map((group) => {
        const verb = group.use === 'create' ? 'each make an object of their own' : 'each close an object';
        return place(calls, group, `${verb}; they`, [fewerObjects(isHdf5(calls, group))]);
      });
  },
  explainedBy: ['L42'],
  explains: ['L14', 'P06', 'P17', 'L28'],
};

/** Data sets that are opened and closed around each access: what the library keeps of them is written and read each time. */
export const REOPENED_OBJECTS: LayerPattern = {
  code: 'L42',
  name: 'objects-opened-in-loop',
  title: 'Data sets opened and closed around each access',
  find(calls) {
    const gathered = gather(calls);
    return gathered.groups
      .filter((group) => areReopened(gathered, group))
      .map((group) => ({
        ...place(calls, group, `${opensOrCloses(group)}; they`, [openOnce(calls, group)]),
        around: transfersOf(calls, gathered, group),
      }));
  },
  explains: ['L14', 'P06', 'P09', 'P10', 'P11', 'P13', 'P17', 'L05', 'L21', 'L28'],
};

function opensOrCloses({ use, objects, nameless }: ObjectCalls): string {
  const again =
    nameless === 0 && objects.size === 1
      ? 'the same data set, group or attribute'
      : 'a data set, group or attribute each';
  return `${use} ${again}`;
}

function openOnce({ trace }: LayerCalls, { call }: ObjectCalls): Recommendation {
  const name = trace.calls.names[call]!;
  if (name.startsWith('H5A')) return attributesOnce(true);
  const isOfH5py = /^H5(Oopen|Idec_ref)$/.test(name);
  const h5py = isOfH5py ? " With h5py f['x'] opens the data set: x = f['x'] before the loop, x[i] in it." : '';
  return {
    audience: 'code',
    text: `Open each data set once before the loop and keep it open until the last access: at each close the library writes out what it holds of it, and at the next open it has to find and read it again.${h5py}`,
  };
}

/** Places that read and write the objects of a file, nearly each time after an opening of its own. */
function transfersOf(calls: LayerCalls, { files }: Gathered, group: ObjectCalls): SiteIndex[] {
  return outermostGroups(calls)
    .filter(({ operation, site }) => site !== NONE && (operation === 'read' || operation === 'write'))
    .filter((transfers) => {
      const opened = [...group.files.keys()].reduce((sum, file) => sum + files.get(file)!.open, 0);
      const isOfFiles = [...transfers.files.keys()].every((file) => group.files.has(file));
      // Few transfers beside many openings are others.
      return isOfFiles && opened >= MOSTLY * transfers.calls && transfers.calls >= MOSTLY * group.amount.events;
    })
    .map(({ site }) => site);
}
