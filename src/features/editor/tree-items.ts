import * as vscode from 'vscode';
import type { FrameDocument } from '../../export/analysis/documents.ts';
import type { Cost } from '../../analysis/gain/cost.ts';
import { costText, recordedText, type Costly } from '../../export/analysis/cost-text.ts';
import { formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { uriOf } from './locations.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** Where a line (counted from 1) of a file stands now, counted from 0: see `LineCosts.lineNow`. */
export type LineNow = (file: string, line: number) => number;

/** The editor's own command: it leaves the focus in the tree for a click, and moves it for the Enter key. */
export function openCommand(file: string, line: number, lineNow: LineNow): vscode.Command {
  const at = lineNow(file, line);
  const selection = new vscode.Range(at, 0, at, 0);
  const values = [uriOf(file), { selection, preview: true }];
  return { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: values };
}

/** A place in the source with what its calls amount to. */
export interface PlaceRow {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly isHere: boolean;
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
  readonly cost?: Cost;
}

export function placeName({ file, line, function: name }: Pick<PlaceRow, 'file' | 'line' | 'function'>): string {
  if (line > 0) return `${file.split('/').at(-1)!}:${line}`;
  return name === '' ? vscode.l10n.t('(no source line)') : name;
}

export function callsText(calls: number): string {
  return calls === 1 ? vscode.l10n.t('1 call') : vscode.l10n.t('{0} calls', formatCount(calls));
}

/** `66 %, 2.3 ms, 4,096 calls, 400 KiB`: what matters most stands first, for side bars are narrow. */
export function amountText(amount: Pick<PlaceRow, 'events' | 'bytes' | 'timeNs' | 'cost'>, share?: number): string {
  return [
    ...(share === undefined ? [] : [formatShare(share)]),
    costText(amount),
    callsText(amount.events),
    ...(amount.bytes > 0 ? [formatBytes(amount.bytes)] : []),
  ].join(', ');
}

/** `recorded: 194 ms`, for tooltips: what a tracer made of the cost; nothing where there was none. */
export function recordedLines(calls: Costly): string[] {
  const recorded = recordedText(calls);
  return recorded === undefined ? [] : [vscode.l10n.t('recorded: {0}', recorded)];
}

/** What a screen reader says about a row with a place: no icons, no abbreviations by position. */
function placeLabel(place: PlaceRow, amount: string): string {
  const where = place.isHere ? '' : vscode.l10n.t(', not on this machine');
  const inside = place.function === '' || place.line === 0 ? '' : vscode.l10n.t(' in {0}', place.function);
  return `${placeName(place)}${inside}: ${amount}${where}`;
}

/** The row of a place: Enter opens the line. @param explanation stands above the path in its tooltip. */
export function placeItem(
  place: PlaceRow,
  amount: string,
  hasCallers: boolean,
  lineNow: LineNow,
  explanation?: string,
): vscode.TreeItem {
  const item = new vscode.TreeItem(placeName(place), hasCallers ? Collapsed : None);
  item.description = amount;
  const path = `${place.file}${place.isHere ? '' : vscode.l10n.t(' (not on this machine)')}`;
  item.tooltip = explanation === undefined ? path : `${explanation}\n${path}`;
  item.iconPath = new vscode.ThemeIcon(place.isHere ? 'location' : 'circle-slash');
  item.accessibilityInformation = { label: placeLabel(place, amount) };
  if (place.isHere && place.line > 0) item.command = openCommand(place.file, place.line, lineNow);
  return item;
}

/** The frames of a stack that called the one at `depth` and have a source line. */
export function callersOf(stack: readonly FrameDocument[], depth: number): FrameDocument[] {
  return stack.slice(depth + 1).filter((frame) => frame.line > 0);
}

export function callerItem(frame: FrameDocument, lineNow: LineNow): vscode.TreeItem {
  const name = frame.function === '' ? frame.module : frame.function;
  const item = new vscode.TreeItem(name);
  item.description = `${frame.file.split('/').at(-1)!}:${frame.line}`;
  item.tooltip = `${frame.file}:${frame.line}`;
  item.iconPath = new vscode.ThemeIcon('call-incoming');
  item.accessibilityInformation = { label: vscode.l10n.t('called from {0}, {1}', name, item.description) };
  item.command = openCommand(frame.file, frame.line, lineNow);
  return item;
}
