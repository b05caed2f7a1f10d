import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';

/**
 * A finding that the user does not want to see: at one place, in one file, or everywhere. A place is known by the text of
 * its line, not by its number: it stays dismissed in the next recording, after edits elsewhere (docs/decisions/0030).
 */
export type Dismissal =
  | {
      readonly scope: 'place';
      readonly trigger: string;
      readonly title: string;
      /** Relative to the workspace where it lies in it. */
      readonly file: string;
      readonly function: string;
      /** The line's text without blanks around it; its number where the file is not here. */
      readonly text: string;
    }
  | { readonly scope: 'file'; readonly trigger: string; readonly title: string; readonly file: string }
  | { readonly scope: 'trigger'; readonly trigger: string; readonly title: string };

export type DismissalScope = Dismissal['scope'];

/** What a user dismisses: a finding, at a place unless all of the trigger is meant. */
export interface Dismissable {
  readonly insight: Pick<InsightDocument, 'trigger' | 'title'>;
  readonly site: Pick<SiteDocument, 'file' | 'line' | 'function' | 'source'> | undefined;
}

/** @param relative the name of a file that stays the same when the workspace is moved. */
export function dismissalOf(
  { insight: { trigger, title }, site }: Dismissable,
  scope: DismissalScope,
  relative: (file: string) => string,
): Dismissal {
  if (scope === 'trigger' || site === undefined) return { scope: 'trigger', trigger, title };
  const file = relative(site.file);
  if (scope === 'file') return { scope, trigger, title, file };
  return { scope, trigger, title, file, function: site.function, text: site.source || `line ${site.line}` };
}

export function isDismissed(
  rules: readonly Dismissal[],
  finding: Dismissable,
  relative: (file: string) => string,
): boolean {
  return rules.some((rule) => {
    const same = dismissalOf(finding, rule.scope, relative);
    return same.scope === rule.scope && keyOf(same) === keyOf(rule);
  });
}

/** Two dismissals with one key are the same; the title is for people. */
export function keyOf(rule: Dismissal): string {
  const place =
    rule.scope === 'place' ? [rule.file, rule.function, rule.text] : rule.scope === 'file' ? [rule.file] : [];
  return [rule.scope, rule.trigger, ...place].join('\0');
}

/** Whether something that was stored, perhaps by another version, is a dismissal. */
export function isDismissal(value: unknown): value is Dismissal {
  if (typeof value !== 'object' || value === null) return false;
  const rule = value as Record<string, unknown>;
  const hold = (names: readonly string[]): boolean => names.every((name) => typeof rule[name] === 'string');
  switch (rule['scope']) {
    case 'place':
      return hold(['trigger', 'title', 'file', 'function', 'text']);
    case 'file':
      return hold(['trigger', 'title', 'file']);
    case 'trigger':
      return hold(['trigger', 'title']);
    default:
      return false;
  }
}
