import * as vscode from 'vscode';
import type { FunctionDocument } from '../../export/analysis/caller-documents.ts';
import { costNs, costText, costWithShare, type Costly } from '../../export/analysis/cost-text.ts';
import { formatBytes, formatCount } from '../../base/quantities.ts';
import { functionLine } from './function-line.ts';
import type { LineCosts } from './line-costs.ts';
import { ALL_FILES, pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** Shows over each function what it costs in the current recording; the setting `iolens.codeLens` turns it on. */
export function activateCodeLens(recordings: Recordings, costs: LineCosts): vscode.Disposable {
  const provider = new FunctionLenses(recordings, costs);
  return vscode.Disposable.from(provider, vscode.languages.registerCodeLensProvider(ALL_FILES, provider));
}

class FunctionLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly functions = new WeakMap<OpenRecording, Promise<FunctionDocument[]>>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly recordings: Recordings,
    private readonly costs: LineCosts,
  ) {
    this.subscriptions = [
      costs.onDidChange(() => this.changed.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('iolens.codeLens')) this.changed.fire();
      }),
    ];
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { current } = this.recordings;
    const isOn = vscode.workspace.getConfiguration('iolens', document.uri).get<boolean>('codeLens', false);
    if (current === undefined || !isOn) return [];
    let asked = this.functions.get(current);
    if (asked === undefined) {
      asked = this.recordings.session.lines.functions(current.id);
      this.functions.set(current, asked);
      // What failed is asked again the next time.
      asked.catch(() => this.functions.delete(current));
    }
    const file = pathOf(document.uri);
    const here = (await asked).filter((cost) => cost.isHere && cost.file === file);
    const lines = here.length === 0 ? [] : document.getText().split(/\r?\n/);
    return here.flatMap((cost) => {
      const lens = this.lens(current, cost, lines);
      return [lens, selectLens(lens.range, cost)];
    });
  }

  private lens(recording: OpenRecording, cost: FunctionDocument, lines: readonly string[]): vscode.CodeLens {
    const inside = Math.min(this.costs.lineNow(cost.file, cost.firstLine), lines.length - 1);
    const line = functionLine(lines, cost.function, inside) ?? inside;
    const hottest = recording.sites
      .filter((site) => site.file === cost.file && site.function === cost.function)
      .reduce<OpenRecording['sites'][number] | undefined>(
        (best, site) => (best === undefined || costNs(site) > costNs(best) ? site : best),
        undefined,
      );
    const title = lensTitle(recording, cost);
    const command =
      hottest === undefined
        ? { command: '', title }
        : { command: 'iolens.openLine', title, arguments: [hottest.file, hottest.line], tooltip: hottestTip(hottest) };
    return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

function selectLens(range: vscode.Range, { file, function: name }: FunctionDocument): vscode.CodeLens {
  const title = vscode.l10n.t('select');
  const tooltip = vscode.l10n.t('Select the calls below {0} in all views', name);
  return new vscode.CodeLens(range, { command: 'iolens.selectFunction', title, tooltip, arguments: [file, name] });
}

function hottestTip(site: OpenRecording['sites'][number]): string {
  return vscode.l10n.t('Go to the costliest line: {0} ({1})', site.line, costText(site));
}

/** `4,096 I/O calls · 400 KiB · 2.3 ms, 66 % of the run (recorded: 194 ms) · including what it calls: …` */
function lensTitle({ sites, analysis }: OpenRecording, cost: FunctionDocument): string {
  const total = analysis.timing[0]?.ioTimeNs ?? 0;
  const costs = (calls: Costly): string => costWithShare(calls, total === 0 ? 0 : calls.timeNs / total);
  const parts: string[] = [];
  if (cost.events > 0) {
    const bytes = sites
      .filter((site) => site.file === cost.file && site.function === cost.function)
      .reduce((sum, site) => sum + site.bytes, 0);
    parts.push(
      vscode.l10n.t('{0} I/O calls', formatCount(cost.events)),
      ...(bytes > 0 ? [formatBytes(bytes)] : []),
      costs(cost),
    );
  }
  if (cost.totalEvents > cost.events) {
    const text = costs({ timeNs: cost.totalTimeNs, ...(cost.totalCost && { cost: cost.totalCost }) });
    parts.push(vscode.l10n.t('including what it calls: {0} I/O calls, {1}', formatCount(cost.totalEvents), text));
  }
  return parts.join(' · ');
}
