import { machine } from '#machine';
import { hexDigest } from '../../../base/digest.ts';
import { getOrCreate } from '../../../base/grouping.ts';
import { isLibrarySource } from '../../../symbols/library-modules.ts';
import { moduleKey, placesToKeep, type KeptModule } from '../../../symbols/kept-places.ts';
import { NONE } from '../../../trace/events.ts';
import { NameTable } from '../../../trace/names.ts';
import { quotedSources, textsOf } from '../../sources/quoted-sources.ts';
import { companionNames, PLACES_ENDING } from '../companions.ts';
import type { OpenedRecording } from '../opened-recording.ts';
import type { PlacesDocument } from './read-places.ts';
import { companionOf } from './recording-head.ts';

/** Lines that are kept on both sides of one that a call stack names. */
const REACH = 6;

/** What was kept of a recording. */
export interface Kept {
  readonly file: string;
  readonly bytes: number;
  /** Addresses. */
  readonly places: number;
  /** Lines of sources. */
  readonly lines: number;
  readonly sources: number;
  /** Modules that were left out: they may have been built anew since the recording. */
  readonly doubtful: readonly string[];
}

/**
 * Keeps beside a recording what its addresses are now, and the lines of sources around the calls: only lines that may be
 * quoted, and of no source that was edited since the program was built. What was kept before stays: it is as it was
 * recorded, which nobody can say of what is here now.
 *
 * @param withTexts false: no line of a source is kept.
 * @returns undefined where nothing is known of its addresses.
 * @throws Error when the file cannot be written.
 */
export async function keepPlaces(recording: OpenedRecording, withTexts: boolean): Promise<Kept | undefined> {
  const { trace, resolved } = recording;
  const [first] = trace.parts;
  if (first === undefined || first.path === '-') return undefined;
  const { modules: found, doubtful } = placesToKeep(trace, resolved, recording.recordedUntil);
  const names = new Set(found.map(({ path, build }) => moduleKey(path, build)));
  const before = [...(recording.kept.places?.modules ?? [])].filter(([key]) => !names.has(key));
  const modules = [...found, ...before.map(([, module]) => module)];
  if (modules.length === 0) return undefined;
  const sources = withTexts ? await sourcesToKeep(recording, modules) : [];
  const document: PlacesDocument = {
    schema: 'iolens/places@1',
    of: await companionOf(first.path),
    tool: resolved.tool.replace(/, when the recording was made$/, ''),
    ...modulesOf(modules),
    sources,
  };
  const file = `${companionNames(first.path)[0]!}${PLACES_ENDING}`;
  const text = `${JSON.stringify(document)}\n`;
  await machine.writeText(file, text);
  const runs = sources.flatMap(({ lines }) => Object.values(lines));
  return {
    file,
    bytes: new TextEncoder().encode(text).length,
    places: modules.reduce((sum, { places }) => sum + places.size, 0),
    lines: runs.reduce((sum, { length }) => sum + length, 0),
    sources: sources.length,
    doubtful,
  };
}

function modulesOf(modules: readonly KeptModule[]): Pick<PlacesDocument, 'names' | 'modules'> {
  const names = new NameTable(['']);
  const written = modules.map(({ path, build, isLibrary, places }) => ({
    path,
    build,
    library: isLibrary,
    places: Object.fromEntries(
      [...places].map(([key, frames]) => [
        key,
        frames.map(({ functionName, file, line, column }) => {
          return [names.intern(functionName), names.intern(file), line, column] as const;
        }),
      ]),
    ),
  }));
  return { names: names.names, modules: written };
}

async function sourcesToKeep(
  recording: OpenedRecording,
  modules: readonly KeptModule[],
): Promise<PlacesDocument['sources']> {
  const wanted = linesOfStacks(modules);
  const { kept: before, resolved } = recording;
  const stale = new Set(recording.sourceReports.filter((report) => report.stale).map(({ source }) => source));
  const isAsRecorded = (source: string): boolean =>
    !stale.has(source) && resolved.shifts.get(resolved.names.find(source) ?? NONE)?.isEmpty !== false;
  const here = [...wanted.keys()].filter(
    (source) => !before.sources.has(source) && recording.localSource(source).isHere && isAsRecorded(source),
  );
  const localOf = (source: string): string => recording.localSource(source).file;
  const known = await textsOf(await quotedSources(here.map(localOf), recording.request), here.map(localOf));
  const kept = [...before.sources].map(([path, { hash, lines }]) => ({ path, hash, lines: runsOf(lines) }));
  for (const source of here) {
    const text = known.get(localOf(source));
    if (text === undefined) continue;
    const hash = await hexDigest(new TextEncoder().encode(text));
    const texts = text.split(/\r?\n/);
    kept.push({ path: source, hash, lines: runsOf(linesAround(wanted.get(source)!, texts)) });
  }
  return kept;
}

/** The lines of each source of the user's own that a call stack names. */
function linesOfStacks(modules: readonly KeptModule[]): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>();
  for (const { isLibrary, places } of modules) {
    if (isLibrary) continue;
    for (const { file, line } of [...places.values()].flat())
      if (file !== '' && line > 0 && !isLibrarySource(file)) getOrCreate(wanted, file, () => new Set()).add(line);
  }
  return wanted;
}

/** These lines with those beside them. */
function linesAround(lines: ReadonlySet<number>, texts: readonly string[]): Map<number, string> {
  const around = new Map<number, string>();
  for (const line of lines) {
    if (line > texts.length) continue;
    for (let at = Math.max(1, line - REACH); at <= Math.min(texts.length, line + REACH); at++)
      around.set(at, texts[at - 1]!);
  }
  return around;
}

/** Runs of lines by the number of their first. */
function runsOf(lines: ReadonlyMap<number, string>): Record<string, string[]> {
  const runs: Record<string, string[]> = {};
  let run: string[] = [];
  let end = NaN;
  for (const [line, text] of [...lines].sort(([a], [b]) => a - b)) {
    if (line !== end) runs[line] = run = [];
    run.push(text);
    end = line + 1;
  }
  return runs;
}
