import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { layersPresent } from '../layers/layers-present.ts';
import type { CallSites, SiteIndex } from '../sites/call-sites.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { languageOfSite, type SourceLanguage } from '../sites/source-language.ts';
import type { Insight } from './insight.ts';

/** Libraries with calls of their own for what system calls and MPI-IO would do. */
export type DataLibrary = 'HDF5' | 'NetCDF' | 'SQLite';

/** By the module that makes a line's calls. */
const OF_MODULES: Readonly<Record<string, DataLibrary>> = { sqlite3: 'SQLite' };

/** By the index of their layer in LAYERS. */
const LIBRARY_LAYERS: ReadonlyMap<number, DataLibrary> = new Map(
  (['NetCDF', 'HDF5'] as const).map((layer) => [LAYERS.indexOf(layer), layer]),
);

/** Which language the lines of a finding are written in, and which library they call: advice has to be in both. */
export class AdviceContexts {
  private readonly librariesOfSites = new Map<SiteIndex, DataLibrary>();
  private readonly librariesOfFiles = new Map<FileIndex, DataLibrary>();

  constructor(
    trace: Trace,
    private readonly callSites: CallSites,
  ) {
    this.lookAtStacks();
    if ([...LIBRARY_LAYERS.keys()].some((layer) => (layersPresent(trace).all & (1 << layer)) !== 0))
      this.lookAtCalls(trace);
  }

  private lookAtStacks(): void {
    const { siteOfNode, traitsOfNode } = this.callSites;
    traitsOfNode?.forEach((traits, node) => {
      if (traits & TRAIT.netcdf) note(this.librariesOfSites, siteOfNode[node] ?? NONE, 'NetCDF');
      else if (traits & TRAIT.hdf5) note(this.librariesOfSites, siteOfNode[node] ?? NONE, 'HDF5');
    });
  }

  /** Calls of the program itself: what these become is the library's. */
  private lookAtCalls({ events }: Trace): void {
    const { siteOfNode } = this.callSites;
    events.chunks.forEach((chunk, number) => {
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const library = LIBRARY_LAYERS.get(chunk.layer[i]!);
        if (library === undefined || chunk.parent[i] !== NONE) continue;
        note(this.librariesOfFiles, chunk.file[i]!, library);
        if (chunk.stack[i] !== NONE) note(this.librariesOfSites, siteOfNode[chunk.stack[i]!] ?? NONE, library);
      }
    });
  }

  /** The library that the finding's costliest place calls. */
  libraryOf({ sites, files }: Insight): DataLibrary | undefined {
    if (sites.length > 0) {
      const [{ site }] = sites as [Insight['sites'][number]];
      return this.librariesOfSites.get(site) ?? OF_MODULES[this.callSites.sites[site]!.throughModule ?? ''];
    }
    return files.length > 0 ? this.librariesOfFiles.get(files[0]!.file) : undefined;
  }

  /** By lines of the finding, the costliest first: the module of others that makes its calls; undefined where it does itself. */
  modulesOf({ sites }: Insight): (string | undefined)[] {
    return sites.map(({ site }) => this.callSites.sites[site]!.throughModule);
  }

  /** Languages of the finding's lines, that of the costliest first; none where one of them is not known. */
  languagesOf({ sites }: Insight): ReadonlySet<SourceLanguage> {
    const languages = new Set<SourceLanguage>();
    for (const { site } of sites) {
      const language = languageOfSite(this.callSites.sites[site]!);
      if (language === undefined) return new Set();
      languages.add(language);
    }
    return languages;
  }
}

/** A line that calls NetCDF calls HDF5 through it. */
function note<Key extends number>(libraries: Map<Key, DataLibrary>, key: Key, library: DataLibrary): void {
  if (key !== NONE && libraries.get(key) !== 'NetCDF') libraries.set(key, library);
}
