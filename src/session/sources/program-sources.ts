import { machine } from '#machine';
import type { FixLanguage } from '../../analysis/fixes/fix.ts';
import { partsOfProgram } from '../../analysis/fixes/program-parts.ts';
import { readBuild, type Build } from './compile-commands.ts';
import { quotedSources, rootsOf, textsOf, type SourceFolders } from './quoted-sources.ts';

/** The sources of a program, as far as they may be read. */
export interface ProgramSources {
  /** Texts by file. */
  readonly sources: Readonly<Record<string, string>>;
  /** Why there may be more; undefined where these are all. */
  readonly unseen?: string;
}

interface ProgramQuestion {
  readonly language: FixLanguage;
  /** The source that it is about. */
  readonly file: string;
  /** Others that a recording has seen run. */
  readonly recorded: readonly string[];
  readonly folders: SourceFolders;
  /** Texts that win over those on disk. */
  readonly edited: Readonly<Record<string, string>>;
}

/** What is looked at to find the sources of a program. */
const MOST_CANDIDATES = 400;
const MOST_ENTRIES = 5000;
const MOST_CANDIDATE_BYTES = 8 << 20;
/** What a program may have to be looked at as a whole: all of it is parsed, in less than a second. */
const MOST_PARTS = 80;
const MOST_BYTES = 1 << 20;
const TOO_MANY = `the program may have more sources than are read (${MOST_PARTS} files, 1 MiB)`;

const C = /\.(c|cc|cp|cpp|cxx|c\+\+|cu|h|hh|hp|hpp|hxx|h\+\+|inl|ipp|tcc|tpp|txx|cuh)$/i;
const ENDINGS: Readonly<Record<FixLanguage, RegExp>> = {
  c: C,
  cpp: C,
  fortran: /\.(f|for|ftn|fpp|f77|f90|f95|f03|f08|f18|inc)$/i,
  python: /\.py$/,
};

/**
 * Finds the sources of programs: those of their build, else those of their folder. Folders are listed, builds and files read
 * once.
 */
export class ProgramReader {
  private readonly builds = new Map<string, Promise<Build | undefined>>();
  private readonly onDisk = new Map<string, Promise<Map<string, string>>>();
  private readonly listed = new Map<string, Promise<string[] | undefined>>();
  private readonly known = new Map<string, Promise<ProgramSources>>();

  /** The same question is answered once. */
  sourcesOf(question: ProgramQuestion): Promise<ProgramSources> {
    const { language, file, recorded, folders, edited } = question;
    const key = JSON.stringify([language, file, recorded.toSorted(), folders, edited]);
    const known = this.known.get(key) ?? this.find(question);
    this.known.set(key, known);
    return known;
  }

  private async find({ language, file, recorded, folders, edited }: ProgramQuestion): Promise<ProgramSources> {
    const own = [...new Set([file, ...recorded.filter((one) => ENDINGS[language].test(one))])];
    const root = await rootOf(file, folders);
    const build = root === undefined ? undefined : await readBuild(file, root, this.builds);
    if (build !== undefined && build.files.length > MOST_CANDIDATES)
      return answered(own, await this.read(own, folders, edited), TOO_MANY);
    const listed = root === undefined ? undefined : await this.candidates(root, own, language);
    const candidates = [...new Set([...own, ...(build?.files ?? []), ...(listed ?? [])])];
    const texts = await this.read(candidates, folders, edited);
    const roots = own.filter((one) => texts.has(one));
    if (root === undefined) return answered(roots, texts, 'the folder of the program is not known');
    const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
    if ((listed === undefined && build === undefined) || bytes > MOST_CANDIDATE_BYTES)
      return answered(roots, texts, TOO_MANY);
    const { files, unseen } = partsOfProgram(language, roots, partsOnly(texts, build?.files));
    const found = answered(files, texts, unseen);
    if (build === undefined || build.defines === '' || ENDINGS[language] !== C) return found;
    return { ...found, sources: { ...found.sources, [build.file]: build.defines } };
  }

  private async read(
    files: readonly string[],
    folders: SourceFolders,
    edited: Readonly<Record<string, string>>,
  ): Promise<Map<string, string>> {
    const key = JSON.stringify([files, folders]);
    const known = this.onDisk.get(key) ?? textsOnDisk(files, folders);
    this.onDisk.set(key, known);
    const texts = new Map(await known);
    for (const file of files) if (edited[file] !== undefined) texts.set(file, edited[file]);
    return texts;
  }

  /** The sources below the root, or below what the recorded ones have in common; undefined where there are too many. */
  private async candidates(
    root: string,
    roots: readonly string[],
    language: FixLanguage,
  ): Promise<string[] | undefined> {
    return (await this.list(root, language)) ?? this.list(commonFolder(roots, root), language);
  }

  private list(folder: string, language: FixLanguage): Promise<string[] | undefined> {
    const key = `${ENDINGS[language].source} ${folder}`;
    const known = this.listed.get(key) ?? sourcesBelow(folder, ENDINGS[language]);
    this.listed.set(key, known);
    return known;
  }
}

function answered(
  files: readonly string[],
  texts: ReadonlyMap<string, string>,
  unseen: string | undefined,
): ProgramSources {
  const here = files.flatMap((file) => {
    const text = texts.get(file);
    return text === undefined ? [] : [[file, text] as const];
  });
  const bytes = here.reduce((sum, [, text]) => sum + text.length, 0);
  const isMore = here.length > MOST_PARTS || bytes > MOST_BYTES;
  const why = unseen ?? (isMore ? TOO_MANY : undefined);
  const sources = Object.fromEntries(isMore ? here.slice(0, 1) : here);
  return { sources, ...(why === undefined ? {} : { unseen: why }) };
}

/** The folder of the user's sources that a file lies in; the outermost, where one holds another. */
async function rootOf(file: string, folders: SourceFolders): Promise<string | undefined> {
  const known = [...folders.workspaceFolders, ...(await rootsOf(folders))].filter((one) => file.startsWith(`${one}/`));
  return known.sort((a, b) => a.length - b.length)[0];
}

/** What a build does not compile is no part of it, but for headers. */
function partsOnly(
  texts: ReadonlyMap<string, string>,
  built: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  if (built === undefined) return texts;
  const compiled = new Set(built);
  return new Map([...texts].filter(([file]) => compiled.has(file) || !/\.(c|cc|cp|cpp|cxx|c\+\+|cu)$/i.test(file)));
}

/** The texts of files, the first ones first, until they are more than is looked at. */
async function textsOnDisk(files: readonly string[], folders: SourceFolders): Promise<Map<string, string>> {
  const quoted = await quotedSources(files, folders);
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const file of files) {
    const text = (await textsOf(quoted, [file])).get(file);
    if (text === undefined) continue;
    // As the editor has it.
    texts.set(file, text.replace(/^\uFEFF/, ''));
    bytes += text.length;
    if (bytes > MOST_CANDIDATE_BYTES) break;
  }
  return texts;
}

function commonFolder(files: readonly string[], root: string): string {
  let folder = files[0]!.slice(0, files[0]!.lastIndexOf('/'));
  while (folder.length > root.length && !files.every((file) => file.startsWith(`${folder}/`)))
    folder = folder.slice(0, folder.lastIndexOf('/'));
  return folder;
}

/** Links are not followed, hidden folders and those of packages not looked at. */
async function sourcesBelow(folder: string, endings: RegExp): Promise<string[] | undefined> {
  const found: string[] = [];
  const waiting = [folder];
  let entries = 0;
  for (const at of waiting) {
    for (const { name, kind } of await machine.files.list(at).catch(() => [])) {
      if (++entries > MOST_ENTRIES) return undefined;
      if (kind === 'folder' && !/^\.|^(node_modules|CMakeFiles|__pycache__)$/.test(name)) waiting.push(`${at}/${name}`);
      if (kind !== 'folder' && endings.test(name)) found.push(`${at}/${name}`);
      if (found.length > MOST_CANDIDATES) return undefined;
    }
  }
  return found;
}
