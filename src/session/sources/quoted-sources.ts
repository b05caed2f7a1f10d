import { machine } from '#machine';
import { isLocation } from '../machine/editor-files.ts';
import type { OpenRequest } from '../reading/open-request.ts';
import { isSourceName } from './source-names.ts';

/**
 * Whose text may be shown. Recordings name files as they like, and what shows a line of theirs is passed on: reports, exports,
 * answers to language models. So a file's text is read on a recording's word only where the user keeps sources: below the
 * working folder, the workspace or a path rule, under the name of a source file, wherever links lead.
 */
export type SourceFolders = Pick<OpenRequest, 'workspaceFolders' | 'pathRules' | 'learnedRules'>;

/** Files of which lines may be quoted. */
interface QuotedSources {
  /** The file that a path leads to in the end, by that path. */
  readonly real: ReadonlyMap<string, string>;
  /** Sources that are here, in other folders: the user can name these. */
  readonly outside: ReadonlySet<string>;
}

/** A source file larger than this is generated: nobody wants its lines. */
export const LARGEST_SOURCE = 8 << 20;

export async function quotedSources(files: Iterable<string>, folders: SourceFolders): Promise<QuotedSources> {
  const roots = await rootsOf(folders);
  const real = new Map<string, string>();
  const outside = new Set<string>();
  for (const file of new Set(files)) {
    const place = isSourceName(file) ? await realPath(file) : undefined;
    if (place === undefined || !isSourceName(place) || !(await isReadableText(place))) continue;
    if (roots.some((root) => isBelow(place, root))) real.set(file, place);
    else outside.add(file);
  }
  return { real, outside };
}

/** The texts of those of the files that may be quoted. */
export async function textsOf(sources: QuotedSources, files: Iterable<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of new Set(files)) {
    const place = sources.real.get(file);
    const text = place === undefined ? undefined : await machine.files.text(place).catch(() => undefined);
    if (text !== undefined) found.set(file, text);
  }
  return found;
}

/** Their lines. */
export async function linesOf(
  sources: QuotedSources,
  files: Iterable<string>,
): Promise<Map<string, readonly string[]>> {
  const texts = await textsOf(sources, files);
  return new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)]));
}

/** What the user is told of lines that are named without their text; nothing where there are none. */
export function withheldNotes(sources: QuotedSources, places: readonly { file: string; line: number }[]): string[] {
  const withheld = places.filter(({ file, line }) => line > 0 && sources.outside.has(file));
  const lines = new Set(withheld.map(({ file, line }) => `${file}:${line}`)).size;
  if (lines === 0) return [];
  const [what, whose] = lines === 1 ? ['one line', 'its file lies'] : [`${lines} lines`, 'their files lie'];
  return [
    `the text of ${what} is not shown: ${whose} outside the working folder and the workspace; --source-map FROM=TO, or the setting iolens.pathRules, names a folder of sources`,
  ];
}

/** The folders below which texts may be read, links followed. */
export async function rootsOf({ workspaceFolders, pathRules, learnedRules }: SourceFolders): Promise<string[]> {
  const learned = learnedRules.map(({ to }) => to).filter((to) => !/^\/*$/.test(to));
  const named = [...workspaceFolders, ...pathRules.map(({ to }) => to), ...learned];
  const real = await Promise.all([...new Set(named)].map((folder) => realPath(folder)));
  return real.filter((folder) => folder !== undefined);
}

/** Undefined when there is no such file or folder. */
async function realPath(file: string): Promise<string | undefined> {
  return machine.files.real(file).catch(() => undefined);
}

async function isReadableText(file: string): Promise<boolean> {
  const status = await machine.files.status(file).catch(() => undefined);
  return status?.kind === 'file' && status.size <= LARGEST_SOURCE;
}

/** @param root a folder, or the only file that a rule is about. */
function isBelow(file: string, root: string): boolean {
  if (isLocation(file) !== isLocation(root)) return false;
  return file === root || file.startsWith(root.endsWith('/') ? root : `${root}/`);
}
