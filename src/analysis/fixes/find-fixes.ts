import { getOrCreate } from '../../base/grouping.ts';
import { Parser, type Language } from 'web-tree-sitter';
import { FIXERS } from './c/fixes.ts';
import type { ParsedSource } from './c/syntax.ts';
import { exampleFix } from './example-fix.ts';
import { examplesFor } from './examples.ts';
import type { Fix, FixLanguage, FixRequest, ParseRequest, Refusal, Repair } from './fix.ts';
import { FORTRAN_FIXERS } from './fortran/fixes.ts';
import { loadGrammar } from './load-grammar.ts';
import { PYTHON_FIXERS } from './python/fixes.ts';

/** The bytes of the parser and of its grammars. */
export interface GrammarFiles {
  load(name: 'web-tree-sitter' | `tree-sitter-${FixLanguage}`): Promise<Uint8Array>;
}

/** How many sources stay parsed, and answers known: an editor asks the same again and again, and large files take long. */
const KEPT_SOURCES = 160;
const KEPT_ANSWERS = 8;

interface KeptSource extends ParsedSource {
  readonly language: FixLanguage;
  /** Tells it from other texts of the same file. */
  readonly serial: number;
}

/** Finds fixes in C, C++, Fortran and Python sources; the grammars are loaded with the first request. */
export class FixFinder {
  private ready: Promise<void> | undefined;
  private readonly languages = new Map<string, Promise<Language>>();
  /** What was asked about lately; the last comes last. */
  private readonly kept: KeptSource[] = [];
  private parsedSoFar = 0;
  /** By all that was asked; the last comes last. */
  private readonly answers = new Map<string, readonly Fix[]>();

  constructor(private readonly grammars: GrammarFiles) {}

  /** The fixes for a finding, those that repair the call itself first. */
  async find(request: FixRequest): Promise<Fix[]> {
    const language = await this.language(request.language);
    const all = this.sources(request, language);
    // Texts are long: their numbers stand for them.
    const asked = JSON.stringify({ ...request, sources: all.map(({ serial }) => serial) });
    const fixes = this.answers.get(asked) ?? this.findIn(all, request);
    this.forgetOlder();
    this.answers.delete(asked);
    this.answers.set(asked, fixes);
    if (this.answers.size > KEPT_ANSWERS) this.answers.delete(this.answers.keys().next().value!);
    return [...fixes];
  }

  private findIn(all: readonly ParsedSource[], request: FixRequest): Fix[] {
    const main = all.find(({ file }) => file === request.place.file);
    if (main === undefined) return [];
    const answers = answersFor(request, main, all).filter((answer) => answer !== undefined);
    const repairs = answers.filter(isRepair);
    const refusal = repairs.length > 0 ? undefined : answers.find((answer) => !isRepair(answer));
    const known = examplesFor(request);
    const examples =
      known.length === 0 && refusal !== undefined ? [{ title: refusal.title, code: refusal.note }] : known;
    return [...repairs, ...examples.map((example) => exampleFix(request, main, example, refusal?.reason))];
  }

  /** Loads the grammar and parses the sources, so that fixes in them are found at once. */
  async prepare(request: ParseRequest): Promise<void> {
    this.sources(request, await this.language(request.language));
    this.forgetOlder();
  }

  /** Until older ones are forgotten: nothing may be awaited meanwhile. */
  private sources({ language, sources }: ParseRequest, grammar: Language): KeptSource[] {
    const parser = new Parser();
    parser.setLanguage(grammar);
    try {
      return Object.entries(sources).flatMap(([file, text]) => this.parsed(parser, { language, file, text }) ?? []);
    } finally {
      parser.delete();
    }
  }

  private parsed(parser: Parser, source: Omit<KeptSource, 'tree' | 'serial'>): KeptSource | undefined {
    const { language, file, text } = source;
    const at = this.kept.findIndex((one) => one.file === file && one.text === text && one.language === language);
    const [known] = at < 0 ? [] : this.kept.splice(at, 1);
    const tree = known?.tree ?? parser.parse(text);
    if (tree === null) return undefined;
    const parsed = { ...source, tree, serial: known?.serial ?? this.parsedSoFar++ };
    this.kept.push(parsed);
    return parsed;
  }

  private forgetOlder(): void {
    for (const { tree } of this.kept.splice(0, Math.max(0, this.kept.length - KEPT_SOURCES))) tree.delete();
  }

  private async language(name: FixLanguage): Promise<Language> {
    this.ready ??= this.start();
    await this.ready;
    const language = getOrCreate(this.languages, name, () =>
      this.grammars.load(`tree-sitter-${name}`).then(loadGrammar),
    );
    return language;
  }

  private async start(): Promise<void> {
    const wasmBinary = await this.grammars.load('web-tree-sitter');
    // Its place is asked for although it is here: what runs in a browser's worker from a text has none.
    await Parser.init({ wasmBinary, locateFile: (name: string) => name });
  }
}

type Answer = Repair | Refusal;

function isRepair(answer: Answer): answer is Repair {
  return 'edits' in answer;
}

function answersFor(request: FixRequest, main: ParsedSource, all: readonly ParsedSource[]): (Answer | undefined)[] {
  const { language, trigger } = request;
  const fixers = { c: FIXERS, cpp: FIXERS, fortran: FORTRAN_FIXERS, python: PYTHON_FIXERS }[language];
  return (fixers[trigger] ?? []).map((fix) => fix(request, { main, all }));
}
