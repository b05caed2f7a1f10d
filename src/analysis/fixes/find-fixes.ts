import { Language, Parser } from 'web-tree-sitter';
import { exampleFix, FIXERS } from './c-fixes.ts';
import type { ParsedSource } from './c-syntax.ts';
import type { Fix, FixRequest } from './fix.ts';

/** The bytes of the parser and of its grammars. */
export interface GrammarFiles {
  load(name: 'web-tree-sitter' | 'tree-sitter-c' | 'tree-sitter-cpp'): Promise<Uint8Array>;
}

/** Finds fixes in C and C++ sources; the grammars are loaded with the first request. */
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
      const repairs = (FIXERS[request.trigger] ?? []).map((fixer) => fixer(request, { main, all }));
      const examples = request.examples.map(({ title, code }) => exampleFix(request, main, title, code));
      return [...repairs.filter((fix) => fix !== undefined), ...examples];
    } finally {
      for (const { tree } of all) tree.delete();
      parser.delete();
    }
  }

  private async language(name: 'c' | 'cpp'): Promise<Language> {
    this.ready ??= this.start();
    await this.ready;
    let language = this.languages.get(name);
    if (language === undefined) {
      language = this.grammars
        .load(name === 'c' ? 'tree-sitter-c' : 'tree-sitter-cpp')
        .then((bytes) => Language.load(bytes));
      this.languages.set(name, language);
    }
    return language;
  }

  private async start(): Promise<void> {
    const wasmBinary = await this.grammars.load('web-tree-sitter');
    await Parser.init({ wasmBinary });
  }
}
