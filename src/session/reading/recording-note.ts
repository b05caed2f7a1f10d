import { machine } from '#machine';
import { formatCount } from '../../base/quantities.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { Damage } from '../../trace/damage.ts';
import type { StorageSamples } from '../../trace/storage-samples.ts';
import type { MachineLoad, ProcessLife } from '../../trace/trace.ts';
import { companionFiles, NOTE_ENDING } from './companions.ts';
import { belongs, isCompanionOf, type CompanionOf } from './kept/recording-head.ts';

/**
 * What `iolens record` notes beside a recording, because the recording's text has no place for it: which revision of the
 * sources was checked out, and which build of the program ran. Stands in `RECORDING.iolens.json`.
 */
export interface RecordingNote {
  readonly schema: 'iolens/recorded@1';
  /** Absent in notes that were made before it was kept. */
  readonly of?: CompanionOf;
  /** Full name of the revision; '' when the folder is in no git work tree. */
  readonly revision: string;
  /** Root of the work tree of which that is a revision; absent in notes that were made before it was kept. */
  readonly root?: string;
  /** Files of the work tree that had changes which were not committed. */
  readonly changed: readonly string[];
  /** Build ids of programs by their absolute paths. */
  readonly buildIds: Readonly<Record<string, string>>;
  /** Of a folder of the recorder library: the files of its processes. Ones that went on may have added more. */
  readonly processFiles?: number;
  /** How long the program and its children ran and processors worked for them, nanoseconds. */
  readonly life?: ProcessLife;
  /** How busy other programs kept the machine meanwhile. */
  readonly load?: MachineLoad;
  /** What the machine's storage did meanwhile. */
  readonly storage?: StorageSamples;
}

/** A note that is larger than this was not written by us. */
const LARGEST_NOTE = 4 << 20;

/** What lies beside a recording. */
interface FoundNote {
  /** undefined when there is none, or none that can be understood. */
  readonly note: RecordingNote | undefined;
  /** For the user: what lies there and is not used. */
  readonly notes: readonly string[];
}

export async function readNote(recordings: readonly string[]): Promise<FoundNote> {
  const notes: string[] = [];
  for (const [file, recording] of companionFiles(recordings, NOTE_ENDING)) {
    const status = await machine.files.status(file).catch(() => undefined);
    if (status?.kind !== 'file' || status.size > LARGEST_NOTE) continue;
    const note = await machine.files.text(file).then(parseNote, () => undefined);
    if (note === undefined) continue;
    if (note.of === undefined || (await belongs(note.of, file, recording))) return { note, notes };
    notes.push(`${file} is not used: it is of another recording than the one beside it`);
  }
  return { note: undefined, notes };
}

/** What of a folder of the recorder library is gone: without its file nothing tells of a process. */
export async function missingFiles(files: readonly Pick<RecordingFile, 'path'>[]): Promise<Damage[]> {
  const paths = files.map((file) => file.path).filter((name) => name.endsWith('.iorec'));
  if (paths.length === 0) return [];
  const { processFiles = 0 } = (await readNote(paths)).note ?? {};
  const missing = processFiles - paths.length;
  if (!(missing > 0)) return [];
  const what = `${formatCount(missing)} of the ${formatCount(processFiles)} files that it had ${missing === 1 ? 'is' : 'are'} not here`;
  return [{ where: 'the recording', what, lost: 'the calls of these processes' }];
}

/** Notes travel with recordings, so they are as untrusted as these. */
export function parseNote(text: string): RecordingNote | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { schema, of, revision, root, changed, buildIds, life, load, storage, processFiles } = value as Partial<
    Record<keyof RecordingNote, unknown>
  >;
  if (schema !== 'iolens/recorded@1' || typeof revision !== 'string') return undefined;
  const ids = typeof buildIds === 'object' && buildIds !== null ? Object.entries(buildIds) : [];
  return {
    schema,
    revision,
    ...(isCompanionOf(of) && { of }),
    ...(typeof root === 'string' && { root }),
    changed: Array.isArray(changed) ? changed.filter((name): name is string => typeof name === 'string') : [],
    ...(isLife(life) && { life }),
    ...(isLoad(load) && { load }),
    ...(isStorage(storage) && { storage }),
    ...(typeof processFiles === 'number' && { processFiles }),
    buildIds: Object.fromEntries(ids.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
}

function isLife(value: unknown): value is ProcessLife {
  if (typeof value !== 'object' || value === null) return false;
  const { lastedNs, userNs, systemNs } = value as Partial<Record<keyof ProcessLife, unknown>>;
  return [lastedNs, userNs, systemNs].every(isAmount);
}

function isLoad(value: unknown): value is MachineLoad {
  if (typeof value !== 'object' || value === null) return false;
  const { processors, lastedNs, othersNs, ownNs = 0 } = value as Partial<Record<keyof MachineLoad, unknown>>;
  return [processors, lastedNs, othersNs, ownNs].every(isAmount) && processors !== 0 && lastedNs !== 0;
}

function isStorage(value: unknown): value is StorageSamples {
  if (typeof value !== 'object' || value === null) return false;
  const { at, read, written, stalled = at } = value as Partial<Record<keyof StorageSamples, unknown>>;
  if (!isGrowing(at) || at.length < 2 || at.some((time, i) => i > 0 && time === at[i - 1])) return false;
  return [read, written, stalled].every((sums) => isGrowing(sums) && sums.length === at.length);
}

function isGrowing(values: unknown): values is number[] {
  return Array.isArray(values) && values.every((value, i) => isAmount(value) && (i === 0 || value >= values[i - 1]));
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
