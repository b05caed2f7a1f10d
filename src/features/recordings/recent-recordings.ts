import * as vscode from 'vscode';
import { namedProgram } from '../../record/timed-name.ts';
import {
  CALIBRATION_ENDING,
  companionNames,
  NOTE_ENDING,
  PLACES_ENDING,
  stackSamplesOf,
} from '../../session/reading/companions.ts';
import { pathOf } from '../editor/locations.ts';
import { recordingsPlace } from './recordings-place.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

/** As many as are looked at again; older ones are in the folder. */
const MOST_LISTED = 10;
/** A folder that is called `.iolens` and nothing else is no recording. */
const ENDING = /(?<=.)\.(iolens|strace(?:\.(?:gz|xz|bz2|zst))?)$/;
const STACKS = /\.stacks\.strace(\.\w+)?$/;

/** A recording in the folder of the workspace's recordings. */
export interface RecentRecording {
  readonly uri: vscode.Uri;
  /** Without its ending. */
  readonly name: string;
  readonly ending: string;
  readonly program: string;
  /** When it was written, milliseconds since 1970. */
  readonly written: number;
}

/** The recordings that programs of this workspace left, on disk: what can be done with them without a view of files. */
export class RecentRecordings {
  constructor(private readonly recordings: Recordings) {}

  /** The newest first. */
  async list(): Promise<readonly RecentRecording[]> {
    const places = (vscode.workspace.workspaceFolders ?? []).map(recordingsPlace);
    const found = await Promise.all(places.map(recordingsIn));
    return found.flat().sort((a, b) => b.written - a.written);
  }

  /** Those that are listed. */
  newest(all: readonly RecentRecording[]): readonly RecentRecording[] {
    return all.slice(0, MOST_LISTED);
  }

  /** The last one before of the same program. */
  before({ program, written, uri }: RecentRecording, all: readonly RecentRecording[]): RecentRecording | undefined {
    return all.find((other) => other.uri !== uri && other.program === program && other.written <= written);
  }

  openOf({ uri }: RecentRecording): OpenRecording | undefined {
    return this.recordings.withPaths([pathOf(uri)]);
  }

  /** Makes it the current one. @returns undefined when it cannot be read; the user was told. */
  async open(recent: RecentRecording): Promise<OpenRecording | undefined> {
    const known = this.openOf(recent);
    if (known === undefined) return this.recordings.add([pathOf(recent.uri)]);
    await this.recordings.choose(known);
    return known;
  }

  async compare(before: RecentRecording, recent: RecentRecording): Promise<void> {
    const [base, changed] = [await this.open(before), await this.open(recent)];
    if (base === undefined || changed === undefined) return;
    const row = (recording: OpenRecording): object => ({ kind: 'recording', recording });
    await vscode.commands.executeCommand('iolens.compareRecordings', row(base), row(changed));
  }

  /**
   * Gives it another name, with all that lies beside it; one that is open is open under that name afterwards.
   * @param name without the ending.
   * @throws what the file system says.
   */
  async rename(recent: RecentRecording, name: string): Promise<void> {
    const open = this.openOf(recent);
    const isCurrent = open !== undefined && open === this.recordings.current;
    const to = vscode.Uri.joinPath(recent.uri, '..', `${name}${recent.ending}`);
    // What lies there would be taken for this one's, or stop half way.
    if ((await filesOf(to, to)).length > 1)
      throw new Error(vscode.l10n.t('There are files beside a recording of that name'));
    for (const [from, target] of (await filesOf(recent.uri, to)).reverse())
      await vscode.workspace.fs.rename(from, target);
    if (open === undefined) return;
    await this.recordings.remove(open);
    await (isCurrent ? this.recordings.add([pathOf(to)]) : this.recordings.bringBack([pathOf(to)]));
  }

  /** Deletes it, with all that lies beside it: to where the user can take it back from, where there is such a place. */
  async remove(recent: RecentRecording): Promise<void> {
    const open = this.openOf(recent);
    if (open !== undefined) await this.recordings.remove(open);
    for (const [file] of (await filesOf(recent.uri, recent.uri)).reverse()) await deleted(file);
  }
}

async function deleted(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(file, { recursive: true, useTrash: true });
  } catch {
    await vscode.workspace.fs.delete(file, { recursive: true });
  }
}

async function recordingsIn(place: vscode.Uri): Promise<RecentRecording[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(place)).catch(() => []);
  const found = entries.flatMap(([own, type]) => {
    const [ending] = ENDING.exec(own) ?? [];
    const isFolder = (type & vscode.FileType.Directory) !== 0;
    if (ending === undefined || STACKS.test(own) || isFolder !== (ending === '.iolens')) return [];
    const uri = vscode.Uri.joinPath(place, own);
    return [{ uri, name: own.slice(0, -ending.length), ending, program: namedProgram(own) }];
  });
  const times = await Promise.all(
    found.map(({ uri }) => Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined)),
  );
  return found.flatMap((each, i) => (times[i] === undefined ? [] : [{ ...each, written: times[i].mtime }]));
}

/** A recording and what lies beside it, as far as it is there, each with what it is to be called. */
async function filesOf(from: vscode.Uri, to: vscode.Uri): Promise<[from: vscode.Uri, to: vscode.Uri][]> {
  const endings = [NOTE_ENDING, CALIBRATION_ENDING, PLACES_ENDING];
  const beside = ({ path }: vscode.Uri): string[] => [
    ...companionNames(path).flatMap((name) => endings.map((ending) => `${name}${ending}`)),
    ...stackSamplesOf(path),
  ];
  const names = beside(to);
  const pairs = beside(from).flatMap((path, i): [vscode.Uri, vscode.Uri][] => [
    [from.with({ path }), to.with({ path: names[i]! })],
  ]);
  const isThere = await Promise.all(
    pairs.map(([file]) =>
      Promise.resolve(vscode.workspace.fs.stat(file)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return [[from, to], ...pairs.filter((_, i) => isThere[i])];
}
