import { getOrCreate } from '../../../base/grouping.ts';
import { LAYERS, OPERATION } from '../../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import { LAYER_ROLE, type LayerRoles } from '../../metrics/layer-role.ts';
import type { CallSites, SiteIndex } from '../../sites/call-sites.ts';
import { languageOfSite, type SourceLanguage } from '../../sites/source-language.ts';
import { NINETY_PERCENT } from '../cost.ts';
import { estimate, NOTHING, scaled, type Estimate } from '../estimate.ts';

/** Nanoseconds that a language takes beside one call at most, as measured with its usual statements (docs/gain.md). */
interface Most {
  readonly call: number;
  /** Between two calls of one statement that are not alike: what np.load does with a header that it has read. */
  readonly withinStatement: number;
  /** Of HDF5: h5py makes selections and types for each statement. */
  readonly hdf5Call: number;
  /** Of NetCDF: netCDF4-python works out slices, scales and masks, too. */
  readonly netcdfCall: number;
}

/** Languages whose statements do much besides the calls that they become. */
const MOST: Partial<Readonly<Record<SourceLanguage, Most>>> = {
  python: { call: 3_500, withinStatement: 60_000, hdf5Call: 80_000, netcdfCall: 200_000 },
  fortran: { call: 1_500, withinStatement: 1_500, hdf5Call: 3_000, netcdfCall: 1_500 },
};

/** Nanoseconds before a call that may be a statement's own where it does more than most (np.load, a commit of sqlite3). */
const LONGEST = 100_000;

/**
 * What of the time before a call goes when the call does: the rest is that of the loop around it, and of what is still to
 * be done (a line is formatted, whether it is buffered or not).
 */
const GOES: Estimate = estimate(0.65, 0.35 / NINETY_PERCENT);
/** Where Python's transfers are joined their statements stay: what they do is handed to a buffer, or taken from one. */
const GOES_OF_JOINED: Estimate = estimate(0.3, 0.3 / NINETY_PERCENT);
/** Before a call of a data library nearly all of it is made for the call. */
const GOES_OF_LIBRARIES: Estimate = estimate(0.8, 0.4 / NINETY_PERCENT);

const HDF5 = LAYERS.indexOf('HDF5');
const NETCDF = LAYERS.indexOf('NetCDF');

interface Work {
  readonly isLibrary: boolean;
  readonly isTransfer: boolean;
  calls: number;
  ns: number;
  /** Nanoseconds that the language may have taken, of which `ns` are likely. */
  mostNs: number;
}

/**
 * What the interpreter of Python and the run-time of Fortran do for a statement beside its calls: making objects, asking,
 * locking, keeping units. A recording without a tracer shows it between the calls, together with what the program computes
 * there: of a long pause no more counts than such statements usually take.
 */
export class LanguageWork {
  private readonly most: readonly (Most | undefined)[];
  private readonly ofSite = new Map<SiteIndex, Map<number, Work>>();

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly roles: LayerRoles | undefined,
  ) {
    this.most = callSites.sites.map((site) => MOST[languageOfSite(site) ?? 'c']);
    const isSeen = !trace.form.tracerStopsProgram && trace.counters === undefined && trace.capabilities.duration;
    if (isSeen && this.most.some((most) => most !== undefined)) this.look();
  }

  /** The language, in words, whose work is known beside the calls of a place. */
  languageOf(site: SiteIndex): string | undefined {
    if (!this.ofSite.has(site)) return undefined;
    return languageOfSite(this.callSites.sites[site]!) === 'python' ? 'Python' : 'Fortran';
  }

  /** Nanoseconds that go with each call of a name at a place. */
  of(site: SiteIndex, call: number): Estimate {
    return each(this.ofSite.get(site)?.get(call));
  }

  /** The same of the calls of data libraries there. */
  ofLibraries(site: SiteIndex): Estimate {
    const works = [...(this.ofSite.get(site)?.values() ?? [])].filter(({ isLibrary }) => isLibrary);
    const sum = (of: 'calls' | 'ns'): number => works.reduce((all, work) => all + work[of], 0);
    return each({ isLibrary: true, isTransfer: false, calls: sum('calls'), ns: sum('ns') });
  }

  /** Nanoseconds that go with all calls of a place: those that are likely, and those that there may be at most. */
  ofAll(site: SiteIndex): { readonly likelyNs: number; readonly mostNs: number } {
    let [likelyNs, mostNs] = [0, 0];
    for (const work of this.ofSite.get(site)?.values() ?? []) {
      likelyNs += each(work).value * work.calls;
      mostNs += work.mostNs;
    }
    return { likelyNs, mostNs };
  }

  /** A statement of Fortran that makes a call of its own is one that goes. */
  private isTransfer(site: SiteIndex, call: number): boolean {
    const operation = this.trace.calls.operation[call];
    const moves = operation === OPERATION.read || operation === OPERATION.write;
    return moves && languageOfSite(this.callSites.sites[site]!) === 'python';
  }

  private look(): void {
    const { calls, events, streams } = this.trace;
    const ends = new Float64Array(streams.length).fill(NaN);
    const lastSite = new Int32Array(streams.length).fill(NONE);
    const lastCall = new Int32Array(streams.length).fill(NONE);
    events.chunks.forEach((chunk, number) => {
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        if (this.roles !== undefined && !(this.roles.of(chunk, i) & LAYER_ROLE.outermost)) continue;
        const stream = chunk.stream[i]!;
        const gap = chunk.start[i]! - ends[stream]!;
        ends[stream] = chunk.start[i]! + (chunk.duration[i]! || 0);
        const node = chunk.stack[i]!;
        const call = chunk.call[i]!;
        const site = node === NONE ? NONE : this.callSites.siteOfNode[node]!;
        const last = lastCall[stream]!;
        // What follows a close is the next round of a loop.
        const isGoingOn = lastSite[stream] === site && last !== NONE && calls.operation[last] !== OPERATION.close;
        const isWithin = isGoingOn && last !== call;
        lastSite[stream] = site;
        lastCall[stream] = call;
        if (site === NONE || !(gap >= 0) || chunk.flags[i]! & NOT_COUNTED) continue;
        const most = this.most[site];
        if (most === undefined) continue;
        const layer = chunk.layer[i]!;
        const isLibrary = layer === HDF5 || layer === NETCDF;
        const usual =
          layer === NETCDF ? most.netcdfCall : isLibrary ? most.hdf5Call : isWithin ? most.withinStatement : most.call;
        const ofCall = getOrCreate(this.ofSite, site, () => new Map<number, Work>());
        const work = getOrCreate(ofCall, call, () => ({
          isLibrary,
          isTransfer: this.isTransfer(site, call),
          calls: 0,
          ns: 0,
          mostNs: 0,
        }));
        work.calls++;
        work.ns += Math.min(gap, usual);
        work.mostNs += Math.min(gap, Math.max(LONGEST, usual));
      }
    });
  }
}

function each(work: Omit<Work, 'mostNs'> | undefined): Estimate {
  if (work === undefined || work.calls === 0) return NOTHING;
  const goes = work.isLibrary ? GOES_OF_LIBRARIES : work.isTransfer ? GOES_OF_JOINED : GOES;
  return scaled(goes, work.ns / work.calls);
}
