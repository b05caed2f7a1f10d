import * as vscode from 'vscode';
import type { Selection } from '../../analysis/selection/selection.ts';
import { messageOf } from '../../base/error-message.ts';
import type { SelectionDocument } from './methods.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionChange, SelectionModel, SelectionOrigin } from './selection.ts';

/** What is selected of the current recording. */
interface Selected {
  readonly recording: OpenRecording;
  readonly selection: Selection;
  readonly document: SelectionDocument;
  readonly origin: SelectionOrigin;
}

/**
 * What takes part in the selection, of the current recording: what the trees, the editor and the breadcrumb highlight.
 * Asked for once for all of them, when the selection or the recording changes.
 */
export class SelectedCalls implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private selected: Selected | undefined;
  private names: { lines: Set<string>; files: Set<string>; insights: Set<string> } | undefined;
  /** Only the latest question is answered. */
  private generation = 0;
  private asked: OpenRecording | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly recordings: Recordings,
    selection: SelectionModel,
  ) {
    this.subscriptions = [
      selection.onDidChange((change) => void this.ask(change)),
      recordings.onDidChange(() => {
        if (recordings.current !== this.asked) void this.ask({ selection: selection.current, origin: 'recording' });
      }),
    ];
  }

  /** Undefined when nothing is selected or no recording is open. */
  get current(): Selected | undefined {
    return this.selected;
  }

  /** Whether a line takes part; also when nothing is selected, or nobody can say. */
  hasLine(file: string, line: number): boolean {
    const list = this.selected?.document.lines;
    return this.isIn('lines', lineKey(file, line), list);
  }

  hasFile(path: string): boolean {
    return this.isIn('files', path, this.selected?.document.files);
  }

  hasInsight(code: string): boolean {
    return this.isIn('insights', code, undefined);
  }

  private isIn(
    what: 'lines' | 'files' | 'insights',
    name: string,
    list: { readonly first: readonly unknown[]; readonly total: number } | undefined,
  ): boolean {
    // A selection that names nothing here highlights nothing: to dim everything would help nobody.
    if (this.names === undefined || this.selected?.document.reasons.length !== 0) return true;
    const isCut = list !== undefined && list.total > list.first.length;
    return isCut || this.names[what].has(name);
  }

  private async ask({ selection, origin }: SelectionChange): Promise<void> {
    const generation = ++this.generation;
    const recording = this.recordings.current;
    this.asked = recording;
    if (recording === undefined || selection.length === 0) {
      this.become(undefined);
      return;
    }
    const document = await this.recordings.session.selection.selected(recording.id, selection).catch(nothingFor);
    if (generation === this.generation) this.become({ recording, selection, document, origin });
  }

  private become(selected: Selected | undefined): void {
    this.selected = selected;
    this.names = selected && {
      lines: new Set(selected.document.lines.first.map(({ file, line }) => lineKey(file, line))),
      files: new Set(selected.document.files.first.map(({ path }) => path)),
      insights: new Set(selected.document.insights.map(({ code }) => code)),
    };
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

function lineKey(file: string, line: number): string {
  return `${file}:${line}`;
}

/** The recording was closed meanwhile, or the worker was lost: that is a reason, too. */
function nothingFor(error: unknown): SelectionDocument {
  const none = { first: [], total: 0 };
  return {
    reasons: [messageOf(error)],
    totals: { rows: 0, events: 0, bytes: 0, timeNs: 0, counted: 0, share: 0 },
    ...{ lines: none, files: none, streams: none, insights: [], ranks: '', rankNumbers: [], activities: [], edges: [] },
  };
}
