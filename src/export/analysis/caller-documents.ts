import type { Caller } from '../../analysis/sites/caller-tree.ts';
import type { FunctionCost } from '../../analysis/sites/function-costs.ts';
import type { LocateSource } from './site-documents.ts';

/** A line on the way to a source line, with the lines that call it; see `Caller`. */
export interface CallerDocument {
  readonly function: string;
  /** On this machine where the file is here, else as recorded. */
  readonly file: string;
  readonly line: number;
  readonly isHere: boolean;
  readonly events: number;
  readonly timeNs: number;
  readonly callers: readonly CallerDocument[];
}

/** What a function costs; see `FunctionCost`. */
export interface FunctionDocument extends Omit<FunctionCost, 'functionName'> {
  readonly function: string;
  readonly isHere: boolean;
}

/** Callers of one line that are shown; a library's entry point can have thousands. */
const MOST_CALLERS = 200;

export function callerDocument({ frame, events, timeNs, callers }: Caller, locate: LocateSource): CallerDocument {
  return {
    function: frame.functionName,
    ...locate(frame.file),
    line: frame.line,
    events,
    timeNs,
    callers: callers.slice(0, MOST_CALLERS).map((caller) => callerDocument(caller, locate)),
  };
}

export function functionDocuments(costs: readonly FunctionCost[], locate: LocateSource): FunctionDocument[] {
  return costs.map(({ functionName, file, ...cost }) => ({ ...cost, ...locate(file), function: functionName }));
}
