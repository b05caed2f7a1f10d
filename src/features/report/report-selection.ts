import type { Selection } from '../../analysis/selection/selection.ts';
import type { ReportMarks } from './protocol.ts';
import type { SelectionDocument, SelectionMethods } from '../selection/methods.ts';
import { selectionLabels } from '../selection/selection-text.ts';

/** What a report marks of a selection. */
export async function reportSelection(
  session: { readonly selection: SelectionMethods },
  recording: number,
  selection: Selection,
): Promise<ReportMarks> {
  const labels = selectionLabels(selection);
  const document =
    selection.length === 0 ? undefined : await session.selection.selected(recording, selection).catch(() => undefined);
  // What names nothing here marks nothing: to dim everything would help nobody.
  return document === undefined || document.reasons.length > 0
    ? { labels, isMarked: false, findings: [], files: [], filesAreCut: false, ranks: [] }
    : { labels, isMarked: true, ...takingPart(document) };
}

function takingPart({
  insights,
  files,
  rankNumbers,
}: SelectionDocument): Pick<ReportMarks, 'findings' | 'files' | 'filesAreCut' | 'ranks'> {
  return {
    findings: insights.map(({ code }) => code),
    files: files.first.map(({ path }) => path),
    filesAreCut: files.total > files.first.length,
    ranks: rankNumbers,
  };
}
