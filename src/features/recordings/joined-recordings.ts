import * as vscode from 'vscode';
import type { AddedRecording } from '../../session/reading/open-request.ts';
import type { RecordingSource } from '../../trace/trace.ts';
import { askForPlaces } from '../editor/ask-for-places.ts';
import { pathOf } from '../editor/locations.ts';
import { recordingFor } from '../editor/places.ts';
import { keyOf } from './recording-paths.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

const ADDED = 'iolens.addedRecordings';

/** What was added to which recording in this workspace: it is joined again when the recording is opened again. */
export class AddedRecordings {
  constructor(private readonly state: vscode.Memento) {}

  of(paths: readonly string[]): readonly AddedRecording[] {
    return this.all()[keyOf(paths)] ?? [];
  }

  async set(paths: readonly string[], added: readonly AddedRecording[]): Promise<void> {
    const others = Object.entries(this.all()).filter(([key]) => key !== keyOf(paths));
    const own = added.length === 0 ? [] : [[keyOf(paths), added] as const];
    await this.state.update(ADDED, Object.fromEntries([...others, ...own]));
  }

  private all(): Readonly<Record<string, readonly AddedRecording[]>> {
    return this.state.get(ADDED, {});
  }
}

/** Recordings of one run by several tools, shown as one. */
export class JoinedRecordings {
  constructor(
    private readonly recordings: Recordings,
    private readonly added: AddedRecordings,
  ) {}

  /**
   * @param row of the recording that another is added to; without it the current one is meant.
   * @param given location of the other one; without it the user is asked.
   */
  async addTo(row?: unknown, given?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording === undefined) return;
    const place = given instanceof vscode.Uri ? given : await askForOther(recording.name);
    if (place === undefined) return;
    const joined = await this.change(recording, [...this.added.of(recording.paths), { paths: [pathOf(place)] }]);
    const source = joined?.info.sources?.at(-1);
    if (source !== undefined) tellAdded(source);
  }

  /** Asks by how much the times of an added recording are to be moved. */
  async setOffset(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording === undefined) return;
    const added = this.added.of(recording.paths);
    const [, ...sources] = recording.info.sources ?? [];
    const number = await chooseSource(sources.map(({ path }) => path));
    const source = number === undefined ? undefined : sources[number];
    if (number === undefined || source === undefined || added[number] === undefined) return;
    const given = await vscode.window.showInputBox({
      title: vscode.l10n.t('Clock offset of {0}', source.path),
      prompt: vscode.l10n.t('Seconds to add to its times; empty: worked out automatically'),
      value: String(source.offsetNs / 1e9),
      validateInput: (text) =>
        Number.isFinite(Number(text)) ? undefined : vscode.l10n.t('A number of seconds is expected.'),
    });
    if (given === undefined) return;
    const { paths } = added[number];
    const offset = given.trim() === '' ? {} : { offsetNs: Math.round(Number(given) * 1e9) };
    await this.change(recording, added.with(number, { paths, ...offset }));
  }

  async separate(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording === undefined) return;
    if (this.added.of(recording.paths).length === 0) tellNothingAdded();
    else await this.change(recording, []);
  }

  /** Reads the recording anew; what cannot be read so stays as it was. */
  private async change({ paths }: OpenRecording, added: readonly AddedRecording[]): Promise<OpenRecording | undefined> {
    const before = this.added.of(paths);
    await this.added.set(paths, added);
    const joined = await this.recordings.add(paths);
    if (joined === undefined) await this.added.set(paths, before);
    return joined;
  }
}

async function askForOther(name: string): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Add a recording of the same run to {0}', name);
  return (await askForPlaces(title, vscode.l10n.t('Add Recording'), false))?.[0];
}

/** Where the clocks were brought together wrongly, as for recordings of two runs, the number shows it. */
function tellAdded({ path, offsetNs }: RecordingSource): void {
  const added = path.split('/').at(-1)!;
  const seconds = (offsetNs / 1e9).toFixed(3);
  const text = vscode.l10n.t('I/O Lens: added {0}, times moved by {1} s.', added, seconds);
  void vscode.window.showInformationMessage(text);
}

function tellNothingAdded(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: nothing was added to this recording.'));
}

/** The number of the source that is meant; the user is asked where there are several. */
async function chooseSource(names: readonly string[]): Promise<number | undefined> {
  if (names.length === 0) tellNothingAdded();
  if (names.length < 2) return names.length === 0 ? undefined : 0;
  const items = names.map((label, number) => ({ label, number }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Clock offset of which recording?') }))
    ?.number;
}
