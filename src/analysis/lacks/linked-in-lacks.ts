import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { LAYERS, type Layer } from '../../trace/calls.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Lack } from './lacks.ts';
import { layersOf } from '../layers/layers-present.ts';

/** Libraries whose functions the recorder library stands in front of, by names that only they have. */
const LIBRARIES: readonly { layer: Layer; functions: RegExp; file: RegExp }[] = [
  { layer: 'HDF5', functions: /^H5[A-Z]{1,2}(__)?[a-z]\w*$/, file: /^libhdf5/ },
  { layer: 'NetCDF', functions: /^nc_(open|create|close|(get|put)_var\w*)$/, file: /^libnetcdf/ },
  { layer: 'PnetCDF', functions: /^ncmpii?_\w+$/, file: /^libpnetcdf/ },
  { layer: 'MPI-IO', functions: /^P?MPI_File_\w+$/, file: /^lib(mpi|pmpi)/ },
];

/**
 * Libraries that are linked into the program itself: nothing can stand in front of their functions, so the recorder library
 * sees what they do to files and not that they do it. Their functions on the stacks tell.
 */
export function linkedInLacks(trace: Trace, resolved: ResolvedStacks): Lack[] {
  if (!trace.form.seesSharedLibrariesOnly) return [];
  const present = new Set(layersOf(trace).map((layer) => LAYERS[layer]));
  return LIBRARIES.filter(({ layer }) => !present.has(layer)).flatMap(({ layer, functions, file }) => {
    const module = moduleWith(resolved, trace, functions);
    if (module === undefined || file.test(fileName(module))) return [];
    return {
      name: 'layers',
      what: `no calls of ${layer}, which is linked into ${fileName(module)}`,
      consequence: `what ${layer} does shows only in its system calls`,
      remedy: `link the program with the shared library of ${layer}, and record again`,
    } as const;
  });
}

/** The module of the first frame whose function has such a name. */
function moduleWith(resolved: ResolvedStacks, { stacks }: Trace, functions: RegExp): string | undefined {
  const { functionName, names, first, moduleOfPlace } = resolved;
  const isMeant = names.names.map((name) => functions.test(name));
  for (let place = 0; place < first.length; place++) {
    const end = place + 1 < first.length ? first.at(place + 1) : functionName.length;
    for (let at = first.at(place); at < end; at++)
      if (isMeant[functionName.at(at)] === true) return stacks.modules.at(moduleOfPlace[place]!);
  }
  return undefined;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
