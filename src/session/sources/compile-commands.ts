import { machine } from '#machine';

/** What a `compile_commands.json` says of a build. */
export interface Build {
  /** The file itself. */
  readonly file: string;
  /** Sources that are compiled, by absolute path. */
  readonly files: readonly string[];
  /** Macros of the command lines as lines of C; '' where there are none. */
  readonly defines: string;
}

const NAME = 'compile_commands.json';
const LARGEST = 16 << 20;
/** Where builds are made, beside the folder itself. */
const BUILD_FOLDERS = ['', '/build', '/_build', '/out', '/builddir', '/cmake-build-debug', '/cmake-build-release'];

/**
 * The build of a source: that of the nearest folder above it, up to the root, which names it; undefined where none does.
 *
 * @param known builds that were read, by their files.
 */
export async function readBuild(
  source: string,
  root: string,
  known: Map<string, Promise<Build | undefined>>,
): Promise<Build | undefined> {
  for (let folder = parent(source); folder.length >= root.length; folder = parent(folder)) {
    for (const below of BUILD_FOLDERS) {
      const file = `${folder}${below}/${NAME}`;
      const reading = known.get(file) ?? buildIn(file);
      known.set(file, reading);
      const build = await reading;
      if (build?.files.includes(source) === true) return build;
    }
    if (folder === root) return undefined;
  }
  return undefined;
}

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

async function buildIn(file: string): Promise<Build | undefined> {
  const status = await machine.files.status(file).catch(() => undefined);
  if (status?.kind !== 'file' || status.size > LARGEST) return undefined;
  const entries = entriesOf(await machine.files.text(file).catch(() => ''));
  if (entries === undefined) return undefined;
  const files = [...new Set(entries.map(({ directory, file: name }) => joined(directory, name)))];
  const defines = [...new Set(entries.flatMap(definesOf))].join('');
  return { file, files, defines };
}

interface Entry {
  readonly directory: string;
  readonly file: string;
  readonly command?: string;
  readonly arguments?: readonly string[];
}

/** undefined for what is no such list. */
function entriesOf(text: string): Entry[] | undefined {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) && entries.every(isEntry) ? entries : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { directory, file, command, arguments: words } = value as Record<string, unknown>;
  const isCommand = command === undefined || typeof command === 'string';
  const areWords = words === undefined || (Array.isArray(words) && words.every((word) => typeof word === 'string'));
  return typeof directory === 'string' && typeof file === 'string' && isCommand && areWords;
}

/** `-DNAME`, `-D NAME=value` */
function definesOf({ command = '', arguments: words = command.split(/\s+/) }: Entry): string[] {
  return words.flatMap((word, at) => {
    const given = word === '-D' ? words[at + 1] : /^-D(.+)$/.exec(word)?.[1];
    const [, name, value] = /^["']?(\w+(?:\([\w, ]*\))?)(?:=(.*?))?["']?$/s.exec(given ?? '') ?? [];
    return name === undefined ? [] : [`#define ${name} ${(value ?? '1').replaceAll(/\s+/g, ' ')}\n`];
  });
}

/** A path without `.` and `..`. */
function joined(directory: string, name: string): string {
  const parts: string[] = [];
  for (const part of (name.startsWith('/') ? name : `${directory}/${name}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
