import { Language } from 'web-tree-sitter';

/**
 * What V8 would do later with a grammar: compile a function when it is called first, and compile those that are called often
 * once more, with all optimisations. For the lexer of Fortran, one function of a megabyte, that takes minutes of
 * processor time, during which no other grammar is loaded and the process cannot end (docs/decisions/0031). What is
 * compiled at once and once only parses ten thousand lines in 0.3 s.
 */
const LATER = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up'];

let loading = 0;

/** Loads a grammar so that it is compiled at once, quickly, and never again. */
export async function loadGrammar(bytes: Uint8Array): Promise<Language> {
  if (loading++ === 0) setFlags('--no-');
  try {
    return await Language.load(bytes);
  } finally {
    // A module keeps what was set when it was compiled; those of others are compiled as before.
    if (--loading === 0) setFlags('--');
  }
}

/** In a browser's worker there is nothing to set. */
function setFlags(prefix: '--' | '--no-'): void {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  const v8 = process?.getBuiltinModule?.('node:v8');
  for (const flag of LATER) v8?.setFlagsFromString(`${prefix}${flag}`);
}
