import type { FixLanguage } from './fix.ts';

/**
 * Which sources of a folder make up the program that a place belongs to: by the words that they have in common, without a
 * parse. What is taken in needlessly makes fixes rarer; what runs without being named (constructors, objects that register
 * themselves) is always taken in.
 */
interface ProgramParts {
  readonly files: readonly string[];
  /** Why there may be more; undefined where these are all. */
  readonly unseen?: string;
}

/** What a source offers to others, and the words that it has. */
interface Outline {
  readonly words: ReadonlySet<string>;
  /** What others can name; a program is known by its `main`. */
  readonly defines: ReadonlySet<string>;
  readonly isMain: boolean;
  /** Something of it may run although nobody names it. */
  readonly actsByItself: boolean;
  /** Endings of paths of other sources that belong to it: headers, and what implements them. */
  readonly includes: readonly string[];
}

/**
 * @param roots files that are parts of the program for certain: those of the place and of recorded stacks.
 * @param texts of all sources that may be parts, roots too, by file.
 */
export function partsOfProgram(
  language: FixLanguage,
  roots: readonly string[],
  texts: ReadonlyMap<string, string>,
): ProgramParts {
  const outlines = new Map([...texts].map(([file, text]) => [file, outlineOf(language, file, text)]));
  if (language === 'python')
    return { files: [...closure([...roots, ...importersOf(roots[0]!, outlines)], outlines, [])] };
  const mains = [...outlines].filter(([, { isMain }]) => isMain).map(([file]) => file);
  // What a fix changes is changed for all programs that are made of it.
  const [main, ...others] = mains.filter(
    (file) => roots.includes(file) || closure([file], outlines, mains).has(roots[0]!),
  );
  if (others.length > 0) return { files: [...roots], unseen: 'several programs are made of this source' };
  return { files: [...closure(main === undefined ? roots : [...roots, main], outlines, mains)] };
}

/** The sources that import one, by way of others too. */
function importersOf(file: string, outlines: ReadonlyMap<string, Outline>): string[] {
  const found = [file];
  for (const imported of found) {
    const names = outlines.get(imported)?.defines ?? new Set();
    for (const [other, { words }] of outlines)
      if (!found.includes(other) && [...names].some((name) => words.has(name))) found.push(other);
  }
  return found;
}

/** All that is named from some files on; a file with another `main` is part of another program. */
function closure(
  from: readonly string[],
  outlines: ReadonlyMap<string, Outline>,
  mains: readonly string[],
): Set<string> {
  const found = new Set(from);
  const words = new Set<string>();
  const wanted: string[] = [];
  const open = new Map([...outlines].filter(([file]) => !found.has(file) && !mains.includes(file)));
  const take = (file: string): void => {
    found.add(file);
    open.delete(file);
    const outline = outlines.get(file);
    for (const word of outline?.words ?? []) words.add(word);
    wanted.push(...(outline?.includes ?? []));
  };
  from.forEach(take);
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const [file, outline] of open) {
      const isNamed = outline.actsByItself || [...outline.defines].some((name) => words.has(name));
      if (isNamed || wanted.some((end) => file.endsWith(end))) take(file);
    }
  }
  return found;
}

function outlineOf(language: FixLanguage, file: string, text: string): Outline {
  if (language === 'python') return outlineOfPython(file, text);
  return language === 'fortran' ? outlineOfFortran(text) : outlineOfC(file, text);
}

const IMPORT = /^[ \t]*(?:from|import)\b([^\n#]*(?:\([^)]*\))?)/gm;

/** Modules are known by the names of their files. */
function outlineOfPython(file: string, text: string): Outline {
  const words = new Set([...text.matchAll(IMPORT)].flatMap(([, names]) => names!.match(/\w+/g) ?? []));
  const [name, folder] = file.replace(/\.py$/, '').split('/').reverse();
  const defines = new Set([name === '__init__' ? folder! : name!]);
  return { words, defines, isMain: false, actsByItself: false, includes: [] };
}

const FORTRAN_UNIT =
  /^[ \t]*(?:[\w() ,=*]*\b)?(program|module|submodule|subroutine|function|block\s*data)\b([^\n!]*)/gim;

function outlineOfFortran(text: string): Outline {
  const plain = text.replaceAll(/!.*|"[^"\n]*"|'[^'\n]*'/g, ' ').toLowerCase();
  const defines = new Set<string>();
  let isMain = false;
  for (const [line, unit, rest] of plain.matchAll(FORTRAN_UNIT)) {
    if (/^\s*end\b/.test(line)) continue;
    if (unit === 'program') isMain = true;
    // A submodule is named by the module that it implements; a procedure by itself, also in a module.
    const names = rest!.match(/\w+/g) ?? [];
    if (names[0] !== undefined && unit !== 'program') defines.add(names[0]);
  }
  const blockData = /\bblock\s*data\b/.test(plain);
  return { words: new Set(plain.match(/[a-z]\w*/g)), defines, isMain, actsByItself: blockData, includes: [] };
}

const BLANKED = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/g;
/** What makes the linker or the language run something by itself. */
const ACTS = /\bconstructor\b|\binit_array\b|\bsection\s*\(|\boperator\b/;

function outlineOfC(file: string, text: string): Outline {
  const includes = [...text.matchAll(INCLUDE)].map(([, path]) => `/${path!.replace(/^(\.\.?\/)+/, '')}`);
  const plain = text.replaceAll(BLANKED, ' ');
  const top = outsideOfBraces(plain.replaceAll(/^[ \t]*#(?:\\\n|[^\n])*/gm, ' '));
  const named = top.map(nameDefinedBy).filter((name) => name !== undefined);
  const isMain = named.includes('main');
  const hasObjects = CPP.test(file) && top.some(isObject);
  return {
    words: new Set(plain.match(/[A-Za-z_]\w*/g)),
    defines: new Set(named.filter((name) => name !== 'main')),
    isMain,
    actsByItself: ACTS.test(plain) || hasObjects,
    includes: [...includes, ...includes.flatMap(implementations)],
  };
}

const INCLUDE = /^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]/gm;
const CPP = /\.(cc|cp|cpp|cxx|c\+\+|cu)$/i;
const TYPE = /^\s*(typedef|using|template|(class|struct|union|enum)\b[^()]*$)/;

/** The function or variable that other sources can use. */
function nameDefinedBy({ head, hasBody }: TopLevel): string | undefined {
  if (/^\s*(static|extern)\b/.test(head) && !hasBody) return undefined;
  const callable = /([A-Za-z_]\w*)\s*\(/.exec(head)?.[1];
  if (callable !== undefined) return hasBody ? callable : undefined;
  return TYPE.test(head) ? undefined : /([A-Za-z_]\w*)\s*(\[[^\]]*\]\s*)*(=.*)?$/s.exec(head)?.[1];
}

const PLAIN_TYPE =
  /^\s*((static|const|constexpr|inline|volatile)\s+)*(int|long|short|double|float|char|bool|unsigned|size_t|FILE|void)\b/;

/** `Logger log("run.log");`: what makes it runs before main. */
function isObject({ head, hasBody }: TopLevel): boolean {
  if (TYPE.test(head) || /^\s*extern\b/.test(head) || PLAIN_TYPE.test(head)) return false;
  return hasBody ? !head.includes('(') && head.trim() !== '' : /\w[\s*&>]+\w+\s*([(=[]|$)/.test(head);
}

/** What implements a header has its name. */
function implementations(header: string): string[] {
  const stem = header.replace(/\.\w+$/, '.');
  return ['c', 'cc', 'cpp', 'cxx', 'C'].map((ending) => stem + ending);
}

interface TopLevel {
  /** Up to its body or its semicolon. */
  readonly head: string;
  readonly hasBody: boolean;
}

/** Declarations and definitions that stand in no braces but those of namespaces and `extern "C"`. */
function outsideOfBraces(text: string): TopLevel[] {
  const parts: TopLevel[] = [];
  let depth = 0;
  let start = 0;
  for (const { index, 0: mark } of text.matchAll(/[{};]/g)) {
    const head = text.slice(start, index);
    if (mark === '{') {
      if (depth === 0 && /^\s*(inline\s+)?namespace\b[^(]*$|^\s*extern\s*$/.test(head)) {
        start = index + 1;
        continue;
      }
      if (depth++ === 0) parts.push({ head, hasBody: !/=\s*$/.test(head) });
    } else if (mark === '}') depth = Math.max(0, depth - 1);
    else if (depth === 0) parts.push({ head, hasBody: false });
    if (depth === 0) start = index + 1;
  }
  return parts;
}
