import { andDuration, counted, formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import { getOrCreate } from '../../base/grouping.ts';
import { adviceOf, snippetsOf } from '../analysis/advice.ts';
import type { InsightDocument } from '../analysis/documents.ts';
import { groupedFiles } from './file-patterns.ts';
import type { TextStyle } from './text-style.ts';

/** How much the text says of findings. */
export interface TextDetail {
  /** Examples of code, all places and files, and the bounds of each finding. */
  readonly verbose?: boolean;
  /** The findings alone, without advice. */
  readonly issues?: boolean;
  /** The findings of each file. */
  readonly split?: boolean;
}

const MOST_FILES = 5;

/** The files of a finding, with the share of its calls that each has; of many those of one pattern together. */
export function fileLines({ files, sites }: InsightDocument, { verbose }: TextDetail): string[] {
  if (files.length === 0) return [];
  const all = files.reduce((sum, { events }) => sum + events, 0);
  const most = verbose === true ? files.length : MOST_FILES;
  const shown = groupedFiles(files, most).slice(0, most);
  const lines = shown.map(({ path, files: count, events, bytes, timeNs }) => {
    const share = files.length > 1 && all > 0 ? ` (${formatShare(events / all)})` : '';
    const moved = bytes > 0 || sites.length === 0 ? `, ${formatBytes(bytes)}` : '';
    const many = count > 1 ? ` (${counted(count, 'file')})` : '';
    return `     in ${path}${many}: ${counted(events, 'call')}${share}${moved}${andDuration(timeNs)}`;
  });
  const left = files.length - shown.reduce((sum, { files: count }) => sum + count, 0);
  return left > 0 ? [...lines, `     … and ${counted(left, 'further file')}`] : lines;
}

/** The thresholds that a finding was held against. */
export function boundLines({ bounds }: InsightDocument, { verbose }: TextDetail): string[] {
  const held = Object.entries(bounds ?? {});
  if (verbose !== true || held.length === 0) return [];
  return [`     held against ${held.map(([name, value]) => `${name} ${boundText(value)}`).join(', ')}`];
}

/** @param given advice on the job that stands above already: it is the same for many findings, and is given once. */
export function adviceLines(insight: InsightDocument, given: Set<string>, { verbose }: TextDetail): string[] {
  const lines: string[] = [];
  for (const { audience, recommendations } of adviceOf(insight)) {
    for (const recommendation of recommendations) {
      const { text } = recommendation;
      if (given.has(text)) continue;
      if (audience === 'job') given.add(text);
      lines.push(`     → ${audience === 'job' ? 'In the job: ' : ''}${text}`);
      // What goes into the job script stands at the end, together.
      const snippets = verbose === true && audience === 'code' ? snippetsOf(recommendation) : [];
      for (const { title, language, code } of snippets)
        lines.push(
          `       ${title} (${language}):`,
          ...code
            .trimEnd()
            .split('\n')
            .map((line) => `         ${line}`.trimEnd()),
        );
    }
  }
  return lines;
}

/** The files that findings name, those with the dearest finding first, each with its findings. */
export function findingsByFile(findings: readonly InsightDocument[], style: TextStyle): string[] {
  const files = new Map<string, string[]>();
  for (const { code, title, severity, files: named } of findings) {
    for (const { path, events, bytes, timeNs } of named) {
      const amount = `${counted(events, 'call')}${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}${andDuration(timeNs)}`;
      const mark = style.colour(severity, severity.toUpperCase().padEnd(4));
      getOrCreate(files, path, (): string[] => []).push(`  ${mark} ${code} ${title}: ${amount}`);
    }
  }
  const parts = [...files].map(([path, lines]) => `${style.bold(path)}\n${lines.join('\n')}\n`);
  const none = findings.filter(({ files: named }) => named.length === 0);
  const others = none.map(({ code, title, severity }) => `  ${severity.toUpperCase().padEnd(4)} ${code} ${title}`);
  return others.length === 0 ? parts : [...parts, `${style.bold('Of no single file')}\n${others.join('\n')}\n`];
}

export interface ThresholdValue {
  readonly value: number;
  /** Unless the user says otherwise. */
  readonly usual: number;
}

/** All thresholds with their values; those that are not the usual ones say so. */
export function thresholdsText(thresholds: Readonly<Record<string, ThresholdValue>>): string {
  const entries = Object.entries(thresholds);
  const widest = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.map(([name, { value, usual }]) => {
    const other = value === usual ? '' : `  (by default ${boundText(usual)})`;
    return `  ${name.padEnd(widest)}  ${boundText(value)}${other}`;
  });
  return `\nThresholds\n${lines.join('\n')}\n`;
}

function boundText(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(value);
}
