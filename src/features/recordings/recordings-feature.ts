import * as vscode from 'vscode';
import { askForPlaces } from '../editor/ask-for-places.ts';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import { openLine, recordingFor, recordingOf } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { worstLine } from '../findings/worst-line.ts';
import { changesReading, sampleFolder } from '../editor/settings.ts';
import { exportEvents } from './event-export.ts';
import { AddedRecordings, JoinedRecordings } from './joined-recordings.ts';
import { KeptOpen } from './kept-open.ts';
import { RecentRecordings } from './recent-recordings.ts';
import { pickRecording } from './recordings-picker.ts';
import type { OpenRecording } from './recordings.ts';
import { SourceLocating } from './source-locating.ts';
import { chooseRecording, StatusBar } from './status-bar.ts';

/** Opening recordings, choosing among those that are open, joining and following them, and where their sources are. */
export class RecordingsFeature {
  readonly sources: SourceLocating;
  readonly statusBar: StatusBar;
  readonly keptOpen: KeptOpen;
  readonly recent: RecentRecordings;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, dismissals, state } = services;
    this.sources = new SourceLocating(recordings, state);
    this.statusBar = new StatusBar(recordings, dismissals);
    this.keptOpen = new KeptOpen(services);
    this.recent = new RecentRecordings(recordings);
    contributions.own(
      this.sources,
      this.statusBar,
      this.keptOpen,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (changesReading(event)) void this.offerReading();
      }),
    );
    contributions.command('openRecording', (clicked?: unknown, selected?: unknown) => this.open(clicked, selected));
    contributions.command('openSample', () => this.open(uriOf(`${sampleFolder()}/heat.strace.gz`)));
    contributions.command('closeRecording', (row?: unknown) => this.close(row));
    contributions.command('recentRecordings', () => pickRecording(this.recent));
    contributions.command('chooseRecording', (wanted?: unknown) => this.choose(wanted));
    contributions.command('exportEvents', (row?: unknown) => this.exportEvents(row));
    contributions.command('locateSource', (row?: unknown) => this.sources.locate(row));
    contributions.command('learnedPrefixes', () => this.sources.showLearned());
    contributions.command('showLog', () => recordings.showLog());
    this.joins(contributions);
    this.follows(contributions);
  }

  /** Commands on recordings of the same run; each takes the row of a recording, without it the current one is meant. */
  private joins(contributions: Contributions): void {
    const { recordings, state } = this.services;
    const joined = new JoinedRecordings(recordings, new AddedRecordings(state));
    contributions.command('addRecording', (row?: unknown, other?: unknown) => joined.addTo(row, other));
    contributions.command('setClockOffset', (row?: unknown) => joined.setOffset(row));
    contributions.command('separateRecordings', (row?: unknown) => joined.separate(row));
  }

  /** Commands on recordings that are written; each takes the row of a recording, without it the current one is meant. */
  private follows(contributions: Contributions): void {
    const { live } = this.services;
    contributions.command('followRecording', (row?: unknown) => live.follow(recordingOf(row)));
    contributions.command('stopFollowing', (row?: unknown) => live.stop(recordingOf(row)));
  }

  /** Settings that recordings are read with have changed. */
  private async offerReading(): Promise<void> {
    const { recordings } = this.services;
    if (recordings.all().length === 0) return;
    const again = vscode.l10n.t('Read Again');
    const text = vscode.l10n.t('I/O Lens: open recordings were read with other settings.');
    if ((await vscode.window.showInformationMessage(text, again)) === again) await recordings.reopen();
  }

  /** From the palette (asks), or from the explorer with what was clicked. */
  private async open(clicked?: unknown, selected?: unknown): Promise<void> {
    const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
    const list = Array.isArray(selected) ? selected.filter(isUri) : [];
    const uris =
      list.length > 0
        ? list
        : isUri(clicked)
          ? [clicked]
          : await askForPlaces(vscode.l10n.t('Open a Recording'), vscode.l10n.t('Open Recording'), true);
    if (uris === undefined || uris.length === 0) return;
    const recording = await this.services.recordings.add(uris.map(pathOf));
    if (recording !== undefined) await this.reveal(recording);
  }

  /** Brings the costliest line into the editor. */
  private async reveal(recording: OpenRecording): Promise<void> {
    const { recordings, dismissals } = this.services;
    await vscode.commands.executeCommand('iolens.insights.focus');
    const site = worstLine(recording, dismissals);
    if (site !== undefined) await openLine(site.file, recordings.lines.now(recording, site.file, site.line));
  }

  private async close(row?: unknown): Promise<void> {
    const { recordings } = this.services;
    const recording = recordingOf(row) ?? recordings.current;
    if (recording !== undefined) await recordings.remove(recording);
  }

  /** @param wanted a recording's number (from a link) or its row; without it the user is asked. */
  private async choose(wanted?: unknown): Promise<void> {
    const { recordings } = this.services;
    const recording = recordingOf(wanted) ?? recordings.all().find(({ id }) => id === wanted);
    if (recording === undefined) await chooseRecording(this.services);
    else await recordings.choose(recording);
  }

  private async exportEvents(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.services.recordings);
    if (recording !== undefined) await exportEvents(this.services, recording);
  }
}
