import { Language, Parser } from 'web-tree-sitter';
import { FIXERS } from './c-fixes.ts';
import type { ParsedSource } from './c-syntax.ts';
import { exampleFix } from './example-fix.ts';
import { examplesFor } from './examples.ts';
import type { Fix, FixLanguage, FixRequest } from './fix.ts';
import { FORTRAN_FIXERS } from './fortran-fixes.ts';
import { PYTHON_FIXERS } from './python-fixes.ts';

/** The bytes of the parser and of its grammars. */
export interface GrammarFiles {
  load(name: 'web-tree-sitter' | `tree-sitter-${FixLanguage}`): Promise<Uint8Array>;
}

/** Finds fixes in C, C++, Fortran and Python sources; the grammars are loaded with the first request. */
export class FixFinder {
  private ready: Promise<void> | undefined;
  private readonly languages = new Map<string, Promise<Language>>();

  constructor(private readonly grammars: GrammarFiles) {}

  /** The fixes for a finding, those that repair the call itself first. */
  async find(request: FixRequest): Promise<Fix[]> {
    const language = await this.language(request.language);
    const parser = new Parser();
    parser.setLanguage(language);
    const all: ParsedSource[] = [];
    try {
      for (const [file, text] of Object.entries(request.sources)) {
        const tree = parser.parse(text);
        if (tree !== null) all.push({ file, text, tree });
      }
      const main = all.find(({ file }) => file === request.place.file);
      if (main === undefined) return [];
      const repairs = repairsFor(request, main, all);
      const examples = examplesFor(request).map(({ title, code }) => exampleFix(request, main, title, code));
      return [...repairs.filter((fix) => fix !== undefined), ...examples];
    } finally {
      for (const { tree } of all) tree.delete();
      parser.delete();
    }
  }

  private async language(name: FixLanguage): Promise<Language> {
    this.ready ??= this.start();
    await this.ready;
    let language = this.languages.get(name);
    if (language === undefined) {
      language = this.grammars.load(`tree-sitter-${name}`).then((bytes) => Language.load(bytes));
      this.languages.set(name, language);
    }
    return language;
  }

  private async start(): Promise<void> {
    const wasmBinary = await this.grammars.load('web-tree-sitter');
    // Its place is asked for although it is here: what runs in a browser's worker from a text has none.
    await Parser.init({ wasmBinary, locateFile: (name: string) => name });
  }
}

function repairsFor(request: FixRequest, main: ParsedSource, all: readonly ParsedSource[]): (Fix | undefined)[] {
  const { language, trigger } = request;
  if (language === 'c' || language === 'cpp') return (FIXERS[trigger] ?? []).map((fix) => fix(request, { main, all }));
  const fixers = language === 'fortran' ? FORTRAN_FIXERS : PYTHON_FIXERS;
  return (fixers[trigger] ?? []).map((fix) => fix(request, main));
}
