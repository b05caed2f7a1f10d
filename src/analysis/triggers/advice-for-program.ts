import type { SourceLanguage } from '../sites/source-language.ts';
import type { AdviceContexts } from './advice-context.ts';
import { flushText } from './catalogue/layers.ts';
import { countedText, soughtText } from './catalogue/metadata.ts';
import { collectedText } from './catalogue/requests.ts';
import { keptText } from './catalogue/turns.ts';
import { ownSites, type Insight, type Recommendation, type Snippet } from './insight.ts';
import { advising, say, slot } from './message.ts';
import { withNamesOf } from './language-words.ts';
import { libraryAdvice, type AdvisedProgram } from './library-advice.ts';

/**
 * Advice that fits the program: a line that calls HDF5 or NetCDF is told their own calls, and examples are in the
 * language of the line.
 */
export function adviseProgram(insight: Insight, contexts: AdviceContexts, program: AdvisedProgram): Insight {
  const library = contexts.libraryOf(insight);
  const languages = contexts.languagesOf(insight);
  const own = library === undefined ? runTimeAdvice(insight, languages) : libraryAdvice(insight, library, program);
  if (own === undefined && languages.size === 0) return insight;
  const modules = contexts.modulesOf(insight);
  const general = own ?? insight.recommendations;
  const recommendations = [
    ...(library === undefined ? withModules(insight.trigger, general, languages, modules) : general),
    ...bufferAdvice(insight, modules),
  ];
  return { ...insight, recommendations: recommendations.map((each) => inLanguages(each, languages)) };
}

/** Texts that name what a language has for it, by trigger. */
const IN_WORDS_OF: Readonly<Record<string, (language: SourceLanguage | undefined) => string>> = {
  'flush-after-every-record': flushText,
  'files-read-in-turns': keptText,
  'seeks-without-access': countedText,
  'seek-before-every-access': soughtText,
  'posix-small-writes': collectedText,
};

/** What Fortran's run-time library does by itself. */
const OF_RUN_TIME = 'seek-before-every-access';

const SEEKING: ReadonlySet<string> = new Set([OF_RUN_TIME, 'seeks-without-access']);

/** A Fortran program has no seeks of its own, and each language its own flush. */
function runTimeAdvice(insight: Insight, languages: ReadonlySet<SourceLanguage>): Recommendation[] | undefined {
  const { trigger, recommendations } = insight;
  const [language, ...others] = languages;
  const inWordsOf = language === 'fortran' && trigger === OF_RUN_TIME ? undefined : IN_WORDS_OF[trigger];
  if (inWordsOf !== undefined && language !== undefined && others.length === 0) {
    const general = inWordsOf(undefined);
    return recommendations.map((each) =>
      each.text.startsWith(general) ? { ...each, text: inWordsOf(language) + each.text.slice(general.length) } : each,
    );
  }
  if (trigger !== OF_RUN_TIME || languages.size !== 1 || !languages.has('fortran')) return undefined;
  const text =
    "Fortran's run-time library makes these seeks, for records that are not read or written in their order, or for a file that is opened to append: move several records that lie side by side with one statement, and keep the file open.";
  return [{ audience: 'code', text }];
}

const ASKING = 'repeated-questions';
/** Modules that ask what the line that calls them asks. */
const ASK_FOR_OTHERS: ReadonlySet<string> = new Set(['genericpath', 'posixpath', 'os', 'pathlib', 'glob', 'shutil']);

/** Seeks and questions of a module of Python are nothing that its caller can leave out; a file in memory has no seeks. */
function withModules(
  trigger: string,
  general: readonly Recommendation[],
  languages: ReadonlySet<SourceLanguage>,
  modules: readonly (string | undefined)[],
): readonly Recommendation[] {
  const names = [...new Set(modules.flatMap((name) => name ?? []))];
  if (!languages.has('python') || names.length === 0) return general;
  const areAll = modules.every((name) => name !== undefined);
  const named = names.join(' and ');
  if (trigger === ASKING && areAll && !names.some((name) => ASK_FOR_OTHERS.has(name))) {
    const text = `${names.length === 1 ? `The Python module ${named} asks` : `The Python modules ${named} ask`} this, not the line that calls ${names.length === 1 ? 'it' : 'them'}: call for it less often, or look for a setting, or a method of a subclass, that does without.`;
    return [{ audience: 'code', text }];
  }
  if (!SEEKING.has(trigger)) return general;
  const makes = names.length === 1 ? `The Python module ${named} makes` : `The Python modules ${named} make`;
  const advice: Recommendation = {
    audience: 'code',
    text: `${makes} ${areAll ? 'these' : 'some of these'} seeks, not the line that calls ${names.length === 1 ? 'it' : 'them'}. If the file fits into memory and ${named} can take an open file, hand over one in memory: an io.BytesIO of all that the file holds to read from, or an empty one that is written to the file in one piece at the end.`,
    snippet: {
      language: 'python',
      title: 'A file in memory',
      code: `import io

with open(path, 'rb') as file:
    memory = io.BytesIO(file.read())  # for ${named}, in place of the path
`,
    },
  };
  return areAll ? [advice] : [...general, advice];
}

/** Bytes that gfortran's library fetches at once from unformatted files, since its version 10, unless it is told otherwise. */
const UNFORMATTED_BUFFER = 131_072;

/**
 * A record of direct access is fetched with all that lies behind it, up to a whole buffer. How long the record is no call
 * tells, so the advice says under which condition it holds.
 */
function bufferAdvice(insight: Insight, [module]: readonly (string | undefined)[]): Recommendation[] {
  const [costliest] = ownSites(insight.sites);
  const isOne = insight.trigger === 'posix-random-reads' && module === 'libgfortran';
  if (!isOne || costliest?.medianBytes !== UNFORMATTED_BUFFER) return [];
  const sentence = say`Where the records are much shorter than ${slot('medianSize', UNFORMATTED_BUFFER)}: gfortran's library fetches so much at each place. With the environment variable GFORTRAN_UNFORMATTED_BUFFER_SIZE=${slot('advisedSize', 4096, '4096')} (bytes, for all unformatted files of the run, which are written in such pieces, too) it fetches less.`;
  return [{ audience: 'job', ...advising(sentence) }];
}

/** What loops add to a finding: what a library's line is told says more already, and without MPI there is no file view. */
export function adviseLoop(
  insight: Insight,
  added: readonly Recommendation[],
  contexts: AdviceContexts,
): Recommendation[] {
  if (contexts.libraryOf(insight) !== undefined) return [];
  const languages = contexts.languagesOf(insight);
  return added.map((each) => inLanguages(each, languages));
}

/** Keeps the examples for these languages, that of the costliest line first; what is C is C++, too. */
function inLanguages(of: Recommendation, languages: ReadonlySet<SourceLanguage>): Recommendation {
  const recommendation = withNamesOf(of, languages);
  const { snippet, alternatives = [], ...advice } = recommendation;
  if (snippet === undefined || snippet.language === 'shell' || languages.size === 0) return recommendation;
  const all = [snippet, ...alternatives];
  const kept = new Set<Snippet>();
  for (const language of languages) {
    const own = all.filter((each) => each.language === language);
    const asC = language === 'cpp' && own.length === 0 ? all.filter((each) => each.language === 'c') : [];
    for (const each of [...own, ...asC]) kept.add(each);
  }
  const [first, ...others] = kept;
  return {
    ...advice,
    ...(first !== undefined && { snippet: first }),
    ...(others.length > 0 && { alternatives: others }),
  };
}
