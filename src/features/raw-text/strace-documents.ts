import * as vscode from 'vscode';
import type { StackLineFrame } from '../answers/stack-lines.ts';
import { uriOf } from '../editor/locations.ts';
import { plain } from '../editor/markdown.ts';
import { folds, frameColumns, stackAround, stackLines, type Bounds } from './strace-lines.ts';

/** Resolves the lines of one stack; it loads the rest of the extension when it is first asked. */
type ResolveStack = (document: vscode.TextDocument, lines: readonly string[]) => Promise<StackLineFrame[][]>;

const STRACE: vscode.DocumentSelector = { language: 'strace' };
/** Links of a document. In longer ones the frames further down still have "Go to Definition", which needs no list. */
const MOST_LINKS = 10_000;

/**
 * What an open strace text offers: stacks fold under their calls, and a frame leads to its source line by a link, by
 * "Go to Definition" and in its hover. Nothing is resolved before it is asked for.
 */
export function activateStraceDocuments(resolve: ResolveStack): vscode.Disposable {
  const frames = new StackFrames(resolve);
  return vscode.Disposable.from(
    vscode.languages.registerFoldingRangeProvider(STRACE, { provideFoldingRanges }),
    vscode.languages.registerDocumentLinkProvider(STRACE, { provideDocumentLinks }),
    vscode.languages.registerDefinitionProvider(STRACE, frames),
    vscode.languages.registerHoverProvider(STRACE, frames),
    vscode.commands.registerCommand('iolens.openFrame', (uri: string, line: number) => frames.open(uri, line)),
  );
}

function bounds(most: number, token: vscode.CancellationToken): Bounds {
  return {
    most,
    pause: () =>
      new Promise((resolve) => {
        setImmediate(() => resolve(!token.isCancellationRequested));
      }),
  };
}

async function provideFoldingRanges(
  document: vscode.TextDocument,
  _context: vscode.FoldingContext,
  token: vscode.CancellationToken,
): Promise<vscode.FoldingRange[]> {
  // More than this the editor does not show.
  const most = vscode.workspace.getConfiguration('editor', document).get<number>('foldingMaximumRegions', 5000);
  return (await folds(document, bounds(most, token))).map(({ call, last }) => new vscode.FoldingRange(call, last));
}

async function provideDocumentLinks(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentLink[]> {
  const links: vscode.DocumentLink[] = [];
  for (const line of await stackLines(document, bounds(MOST_LINKS, token))) {
    const range = frameRange(document, line);
    if (range === undefined) continue;
    // The link holds a place in the document, nothing of its text.
    const place = encodeURIComponent(JSON.stringify([document.uri.toString(), line]));
    const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:iolens.openFrame?${place}`));
    link.tooltip = vscode.l10n.t('Open the source line');
    links.push(link);
  }
  return links;
}

function frameRange(document: vscode.TextDocument, line: number): vscode.Range | undefined {
  const columns = frameColumns(document.lineAt(line).text);
  return columns === undefined ? undefined : new vscode.Range(line, columns.start, line, columns.end);
}

class StackFrames implements vscode.DefinitionProvider, vscode.HoverProvider {
  constructor(private readonly resolve: ResolveStack) {}

  private async framesAt(document: vscode.TextDocument, line: number): Promise<StackLineFrame[]> {
    const stack = stackAround(document, line);
    if (stack === undefined) return [];
    return (await this.resolve(document, stack.lines))[line - stack.first] ?? [];
  }

  async provideDefinition(
    document: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const originSelectionRange = frameRange(document, line);
    if (originSelectionRange === undefined) return undefined;
    return (await this.framesAt(document, line)).filter(isSource).map((frame) => {
      const targetRange = rangeOf(frame);
      return { originSelectionRange, targetUri: uriOf(frame.file), targetRange };
    });
  }

  async provideHover(document: vscode.TextDocument, { line }: vscode.Position): Promise<vscode.Hover | undefined> {
    const range = frameRange(document, line);
    if (range === undefined) return undefined;
    return new vscode.Hover(describe(await this.framesAt(document, line)), range);
  }

  /** Opens the innermost source line of a frame that is on this machine. */
  async open(uri: string, line: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const frames = await this.framesAt(document, line);
    const frame = frames.find(isSource);
    if (frame !== undefined) {
      await vscode.window.showTextDocument(uriOf(frame.file), { selection: rangeOf(frame) });
      return;
    }
    const recorded = frames.find((candidate) => candidate.line > 0);
    const message =
      recorded === undefined
        ? noSourceLine()
        : vscode.l10n.t(
            '{0} is not on this machine. Map it with the setting iolens.pathRules.',
            `${recorded.file}:${recorded.line}`,
          );
    void vscode.window.showInformationMessage(`I/O Lens: ${message}`);
  }
}

function isSource(frame: StackLineFrame): boolean {
  return frame.isHere && frame.line > 0;
}

function rangeOf({ line, column }: StackLineFrame): vscode.Range {
  const start = new vscode.Position(line - 1, Math.max(column - 1, 0));
  return new vscode.Range(start, start);
}

function noSourceLine(): string {
  return vscode.l10n.t('No source line is known for this frame: its binary is not here, or was compiled without -g.');
}

/** The chain of inlined calls, innermost first. */
function describe(frames: readonly StackLineFrame[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const known = frames.filter(({ line }) => line > 0);
  if (known.length === 0) {
    text.appendText(noSourceLine());
    return text;
  }
  known.forEach((frame, at) => {
    const place = plain(`${frame.file.split('/').at(-1)!}:${frame.line}`);
    const uri = uriOf(frame.file).with({ fragment: `L${frame.line}` });
    const link = isSource(frame)
      ? `[${place}](${uri.toString()})`
      : `${place} (${plain(vscode.l10n.t('not on this machine'))})`;
    const inlined = at + 1 < known.length ? `, ${vscode.l10n.t('inlined into')}` : '';
    text.appendMarkdown(`**${plain(frame.function)}** ${link}${inlined}\n\n`);
  });
  return text;
}
