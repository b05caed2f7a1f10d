import type { InsightDocument } from '../analysis/documents.ts';

export interface TextStyle {
  /** Escape sequences for a terminal, or nothing. */
  bold(text: string): string;
  dim(text: string): string;
  colour(severity: InsightDocument['severity'], text: string): string;
  /** A source path as the reader knows it. */
  place(file: string): string;
}
