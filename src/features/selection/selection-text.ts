import * as vscode from 'vscode';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { formatDuration } from '../../base/quantities.ts';

/** Names from recordings can be of any length; a breadcrumb cannot. */
const LONGEST_NAME = 60;

/** A part in a few words: `heat.c:22`, `rank 3`, `write:/scratch → read:/scratch`. */
export function partLabel(part: SelectionPart): string {
  return short(plainLabel(part));
}

function plainLabel(part: SelectionPart): string {
  switch (part.kind) {
    case 'line':
      return `${lastPart(part.file)}:${part.line}`;
    case 'function':
      return `${part.name}()`;
    case 'activity':
      return part.activity;
    case 'edge':
      return `${part.from} → ${part.to}`;
    case 'file':
      return lastPart(part.path);
    case 'rank':
      return vscode.l10n.t('rank {0}', part.rank);
    case 'process':
      return processLabel(part);
    case 'host':
      return part.host === '' ? vscode.l10n.t('unknown host') : vscode.l10n.t('host {0}', part.host);
    case 'layer':
      return part.layer;
    case 'call':
      return `${part.call}()`;
    case 'operation':
      return part.operation;
    case 'below':
      return vscode.l10n.t('below {0}', `${part.call}() ${lastPart(part.file)}:${part.line}`);
    case 'span':
      return `${formatDuration(part.fromNs)} – ${formatDuration(part.toNs)}`;
    case 'insight':
      return part.file === undefined ? part.code : `${part.code} ${lastPart(part.file)}:${part.line ?? 0}`;
  }
}

/** Everything that the label leaves out, for hover. */
export function partDescription(part: SelectionPart): string {
  switch (part.kind) {
    case 'line':
      return vscode.l10n.t('calls from {0}', `${part.file}:${part.line}`);
    case 'function':
      return vscode.l10n.t('calls below {0}', `${part.name} (${part.file})`);
    case 'activity':
      return vscode.l10n.t('calls of the activity {0} (mapping {1})', part.activity, part.mapping);
    case 'edge':
      return vscode.l10n.t('calls where {0} directly follows {1} (mapping {2})', part.to, part.from, part.mapping);
    case 'file':
      return vscode.l10n.t('calls on {0}', part.path);
    case 'below':
      return vscode.l10n.t(
        '{0} and the calls of lower layers that it became',
        `${part.call} (${part.file}:${part.line})`,
      );
    case 'insight':
      return vscode.l10n.t('calls of the finding {0}', plainLabel(part));
    case 'span':
      return vscode.l10n.t('calls between {0} and {1}', formatDuration(part.fromNs), formatDuration(part.toNs));
    default:
      return vscode.l10n.t('calls of {0}', plainLabel(part));
  }
}

export function selectionLabels(selection: Selection): string[] {
  return selection.map(partLabel);
}

const ICONS: Readonly<Record<SelectionPart['kind'], string>> = {
  line: 'location',
  function: 'symbol-function',
  activity: 'type-hierarchy',
  edge: 'arrow-right',
  file: 'file',
  rank: 'server-process',
  process: 'server-process',
  host: 'server',
  layer: 'layers',
  call: 'symbol-method',
  operation: 'symbol-method',
  below: 'type-hierarchy-sub',
  span: 'clock',
  insight: 'lightbulb',
};

export function partIcon({ kind }: SelectionPart): vscode.ThemeIcon {
  return new vscode.ThemeIcon(ICONS[kind]);
}

function processLabel({ host, process, thread }: Extract<SelectionPart, { kind: 'process' }>): string {
  const at = host === '' ? '' : `@${host}`;
  return thread === undefined || thread === process
    ? vscode.l10n.t('process {0}', `${process}${at}`)
    : vscode.l10n.t('thread {0}', `${thread}${at}`);
}

function lastPart(path: string): string {
  const name = path.split('/').at(-1)!;
  return name === '' ? path : name;
}

function short(text: string): string {
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME / 2)}…${text.slice(1 - LONGEST_NAME / 2)}` : text;
}
