import type { CallSite } from './call-sites.ts';

export type SourceLanguage = 'c' | 'cpp' | 'fortran' | 'python';

const LANGUAGES: readonly (readonly [RegExp, SourceLanguage])[] = [
  [/\.(c|h)$/, 'c'],
  [/\.(cc|cpp|cxx|c\+\+|C|hh|hpp|hxx|H|ipp|tpp|cu)$/, 'cpp'],
  [/\.(f|for|ftn|f77|f90|f95|f03|f08)$/i, 'fortran'],
  [/\.pyw?$/, 'python'],
];

/** The language of a line that makes calls; undefined where its file does not tell. */
export function languageOfSite({ file, standsForPython }: CallSite): SourceLanguage | undefined {
  return standsForPython === true ? 'python' : LANGUAGES.find(([pattern]) => pattern.test(file))?.[1];
}
