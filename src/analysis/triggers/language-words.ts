import type { SourceLanguage } from '../sites/source-language.ts';
import type { Recommendation } from './insight.ts';

/** What stands in a text of ours, written for C, and what says it in another language. */
type Phrase = readonly [pattern: RegExp, words: string | ((...found: string[]) => string)];

/** h5py, netCDF4-python and mpi4py. */
const PYTHON: readonly Phrase[] = [
  [/ by one H5Dread: select the whole block/, ' by one slice of the data set (block = data[first:end])'],
  [
    / by one H5Dwrite: select the whole block/,
    ' by one assignment to a slice of the data set (data[first:end] = block)',
  ],
  [/call H5Dread with a property list of H5Pset_dxpl_mpio/, 'read their parts within "with dataset.collective:"'],
  [/call H5Dwrite with a property list of H5Pset_dxpl_mpio/, 'assign their parts within "with dataset.collective:"'],
  [/with each H5Dwrite/, 'with each assignment'],
  [/H5Pset_alignment;/, 'alignment_threshold and alignment_interval of h5py.File;'],
  [/unless H5Pset_chunk_cache says otherwise/, 'unless rdcc_nbytes of h5py.File says otherwise'],
  [/\(nc_var_par_access\): all processes call nc_put_vara/, '(set_collective): all processes assign their parts'],
  [/\(nc_var_par_access\): all processes call nc_get_vara/, '(set_collective): all processes read their slices'],
  [
    /^Read an array by one call(, with counts above 1,| \(nc_get_vara with counts above 1\))/,
    'Read an array as one slice',
  ],
  [
    /^Write an array by one call(, with counts above 1,| \(nc_put_vara with counts above 1\))/,
    'Assign an array to one slice',
  ],
  [/MPI_File_open and MPI_File_close/, 'MPI.File.Open and Close'],
  [/MPI_File_(i?)(read|write|sync)/g, methodOfFile],
];

/** mpi4py calls `MPI_File_write_at_all` `Write_at_all`. */
function methodOfFile(_name: string, nonBlocking = '', verb = ''): string {
  return nonBlocking === '' ? verb[0]!.toUpperCase() + verb.slice(1) : `I${verb}`;
}

function inPython(text: string): string {
  return PYTHON.reduce(
    (told, [pattern, words]) => told.replace(pattern, typeof words === 'string' ? () => words : words),
    text,
  );
}

/** The modules hdf5 and netcdf have the same functions, under names of their own. */
function inFortran(text: string): string {
  return text
    .replace(/\bH5([A-Z]\w*)/g, (_name, rest: string) => `h5${rest.toLowerCase()}_f`)
    .replace(/\bnc_(get|put)_vara\b/g, 'nf90_$1_var')
    .replace(/\bnc__?(?=[a-z])/g, 'nf90_');
}

const WORDS: Partial<Readonly<Record<SourceLanguage, (text: string) => string>>> = {
  python: inPython,
  fortran: inFortran,
};

/** An advice with the names that its functions have in the language of all lines of a finding. */
export function withNamesOf(each: Recommendation, languages: ReadonlySet<SourceLanguage>): Recommendation {
  const [language, ...others] = languages;
  const words = language === undefined || others.length > 0 ? undefined : WORDS[language];
  const text = words?.(each.text) ?? each.text;
  if (text === each.text) return each;
  // A number that is said no longer is none to be looked up.
  let at = 0;
  const slots = each.slots?.filter((slot) => {
    const found = text.indexOf(slot.text, at);
    if (found >= 0) at = found + slot.text.length;
    return found >= 0;
  });
  return { ...each, text, ...(slots !== undefined && { slots }) };
}
