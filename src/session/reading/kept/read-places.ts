import { messageOf } from '../../../base/error-message.ts';
import { moduleKey, type KeptFrame, type KeptModule, type KeptPlaces } from '../../../symbols/kept-places.ts';
import { machine } from '#machine';
import { companionFiles, PLACES_ENDING } from '../companions.ts';
import { belongs, isCompanionOf, type CompanionOf } from './recording-head.ts';

/** What a recording keeps of a source file. */
export interface KeptSource {
  /** Of the whole file, as it was: SHA-256 in hexadecimal digits. */
  readonly hash: string;
  /** Some of its lines, by their numbers counted from 1. */
  readonly lines: ReadonlyMap<number, string>;
}

/** What stands in `RECORDING.places.json`; names are indices into `names`. */
export interface PlacesDocument {
  readonly schema: 'iolens/places@1';
  readonly of: CompanionOf;
  readonly tool: string;
  readonly names: readonly string[];
  readonly modules: readonly {
    readonly path: string;
    readonly build: string;
    readonly library: boolean;
    /** By address: function, file, line, column of each frame, innermost first. */
    readonly places: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>>;
  }[];
  readonly sources: readonly {
    readonly path: string;
    readonly hash: string;
    /** By the number of the first of them. */
    readonly lines: Readonly<Record<string, readonly string[]>>;
  }[];
}

/** All that lies beside the files of a recording. */
export interface KeptWithIt {
  readonly places: KeptPlaces | undefined;
  /** By the names that debug information has for them. */
  readonly sources: ReadonlyMap<string, KeptSource>;
  /** For the user: what lies there and is not used. */
  readonly notes: readonly string[];
}

export const NOTHING_KEPT: KeptWithIt = { places: undefined, sources: new Map(), notes: [] };

/** A larger one was not written by us. */
const LARGEST = 64 << 20;

/** What is kept beside a recording's files; of several files the first says what an address is. */
export async function readKeptPlaces(recordings: readonly string[]): Promise<KeptWithIt> {
  const notes: string[] = [];
  const documents: PlacesDocument[] = [];
  for (const [file, recording] of companionFiles(recordings, PLACES_ENDING)) {
    const status = await machine.files.status(file).catch(() => undefined);
    if (status === undefined) continue;
    try {
      if (status.kind !== 'file' || status.size > LARGEST) throw new Error('it is no small file');
      const document = parsePlaces(await machine.files.text(file));
      if (await belongs(document.of, file, recording)) documents.push(document);
      else notes.push(`${file} is not used: it is of another recording than the one beside it`);
    } catch (error) {
      notes.push(`${file} is not used: ${messageOf(error)}`);
    }
  }
  return documents.length === 0 ? { ...NOTHING_KEPT, notes } : { ...merged(documents), notes };
}

function merged(documents: readonly PlacesDocument[]): Omit<KeptWithIt, 'notes'> {
  const modules = new Map<string, KeptModule>();
  const sources = new Map<string, KeptSource>();
  for (const { names, modules: ofDocument, sources: texts } of documents) {
    for (const { path, build, library, places } of ofDocument) {
      const frames = Object.entries(places).map(([key, at]) => [key, at.map((frame) => named(frame, names))] as const);
      const before = modules.get(moduleKey(path, build));
      const all = new Map([...frames, ...(before?.places ?? [])]);
      modules.set(moduleKey(path, build), { path, build, isLibrary: before?.isLibrary ?? library, places: all });
    }
    for (const { path, hash, lines } of texts)
      if (!sources.has(path)) sources.set(path, { hash, lines: linesOf(lines) });
  }
  return { places: { tool: documents[0]!.tool, modules }, sources };
}

function named([functionName, file, line, column]: readonly number[], names: readonly string[]): KeptFrame {
  return { functionName: names[functionName!]!, file: names[file!]!, line: line!, column: column! };
}

function linesOf(runs: Readonly<Record<string, readonly string[]>>): Map<number, string> {
  return new Map(
    Object.entries(runs).flatMap(([first, texts]) => texts.map((text, i) => [Number(first) + i, text] as const)),
  );
}

/** @throws Error in words for the user: it travels with the recording and is as little trusted. */
function parsePlaces(text: string): PlacesDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
  if (!isPlaces(value)) throw new Error('it is no document of kept places (iolens/places@1)');
  return value;
}

function isPlaces(value: unknown): value is PlacesDocument {
  if (!isRecord(value) || value['schema'] !== 'iolens/places@1') return false;
  const { of, tool, names, modules, sources } = value;
  if (!isCompanionOf(of) || typeof tool !== 'string' || !isArrayOf(names, isText)) return false;
  const isName = (index: unknown): boolean => isNumber(index) && index < names.length;
  const isFrame = (frame: unknown): boolean =>
    isArrayOf(frame, isNumber) && frame.length === 4 && isName(frame[0]) && isName(frame[1]);
  const isModule = (module: unknown): boolean =>
    isRecord(module) &&
    isText(module['path']) &&
    isText(module['build']) &&
    typeof module['library'] === 'boolean' &&
    isRecord(module['places']) &&
    Object.values(module['places']).every((frames) => isArrayOf(frames, isFrame));
  const isSource = (source: unknown): boolean =>
    isRecord(source) &&
    isText(source['path']) &&
    isText(source['hash']) &&
    isRecord(source['lines']) &&
    Object.entries(source['lines']).every(([first, texts]) => /^[1-9]\d{0,8}$/.test(first) && isArrayOf(texts, isText));
  return isArrayOf(modules, isModule) && isArrayOf(sources, isSource);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** An index, a line or a column. */
function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffffffff;
}

function isArrayOf<T>(value: unknown, is: (each: unknown) => each is T): value is T[];
function isArrayOf(value: unknown, is: (each: unknown) => boolean): value is unknown[];
function isArrayOf(value: unknown, is: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
