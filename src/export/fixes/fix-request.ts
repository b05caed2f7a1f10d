import type { FixLanguage, FixRequest } from '../../analysis/fixes/fix.ts';
import { snippetsOf } from '../analysis/advice.ts';
import type { InsightDocument, SiteDocument } from '../analysis/documents.ts';

/** What is asked about a finding at a place, whoever asks: the editor, with its documents, or the command line. */

const LANGUAGES: readonly (readonly [ending: RegExp, language: FixLanguage])[] = [
  [/\.(f|for|ftn|fpp|f77|f90|f95|f03|f08|f18)$/i, 'fortran'],
  [/\.py$/, 'python'],
  [/\.c$/, 'c'],
  // A header may be either's: what is right in C++ is written as in C where it can be.
  [/\.(c|cc|cp|cpp|cxx|c\+\+|h|hh|hp|hpp|hxx|h\+\+|inl|ipp|tcc|tpp|txx|cu|cuh)$/i, 'cpp'],
];

/** The language of a source by its name; undefined where no fix can be made in it. */
export function languageOfFile(file: string): FixLanguage | undefined {
  return LANGUAGES.find(([ending]) => ending.test(file))?.[1];
}

/** Sources that the recording saw run for the files of a place: those of its callers, and what else uses its files. */
export function recordedSources({ file, closedAt, touchedAt, stack }: SiteDocument): string[] {
  const all = [{ file }, ...closedAt.filter(({ mayRead }) => mayRead), ...touchedAt, ...stack];
  return [...new Set(all.map((place) => place.file))].filter((name) => name !== '');
}

/** A finding at a place as it stands now. */
interface FindingPlace {
  readonly insight: Pick<InsightDocument, 'trigger' | 'recommendations'>;
  readonly site: SiteDocument;
  /** Where its line stands now, from 1. */
  readonly line: number;
}

/**
 * All but the sources.
 * @param now where a line of the analysis stands now.
 */
export function fixRequest(
  { insight, site, line }: FindingPlace,
  language: FixLanguage,
  now: (file: string, line: number) => number,
): Omit<FixRequest, 'sources'> {
  const moved = <Place extends { readonly file: string; readonly line: number }>(place: Place): Place => ({
    ...place,
    line: now(place.file, place.line),
  });
  return {
    trigger: insight.trigger,
    language,
    place: { file: site.file, line },
    plainFiles: site.plainFiles,
    count: site.events,
    medianBytes: site.medianBytes,
    threaded: site.threaded,
    closedAt: site.closedAt.map(moved),
    touchedAt: site.touchedAt.map(moved),
    examples: insight.recommendations.flatMap(snippetsOf).filter((snippet) => fits(snippet.language, language)),
  };
}

/** What is written in another language, and lines for a job script, do not help in this file; C is valid C++. */
function fits(snippet: string, document: FixLanguage): boolean {
  return snippet === document || (snippet === 'c' && document === 'cpp');
}
