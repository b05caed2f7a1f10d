/** What was open in a workspace, as it is kept over a reload of the window. Loaded at activation: it imports nothing. */

/** Where the workspace keeps it; nothing is kept while nothing is open. */
export const OPEN_STATE = 'iolens.open';

/** Files or folders, as a recording was opened from them. */
type Paths = readonly string[];

interface KeptRecording {
  readonly paths: Paths;
  /** It was opened by its report alone, and goes with it. */
  readonly isLookedAt?: boolean;
}

export interface OpenState {
  /** In the order in which they were opened. */
  readonly recordings: readonly KeptRecording[];
  /** The one that the source showed. */
  readonly current?: Paths;
  readonly comparison?: { readonly base: readonly Paths[]; readonly new: readonly Paths[] };
}

/** @param open with whatever else is known of a recording. @returns undefined where nothing is open. */
export function openState(
  open: readonly KeptRecording[],
  current: KeptRecording | undefined,
  comparison: { readonly base: readonly KeptRecording[]; readonly new: readonly KeptRecording[] } | undefined,
): OpenState | undefined {
  if (open.length === 0) return undefined;
  const pathsOf = (side: readonly KeptRecording[]): Paths[] => side.map(({ paths }) => paths);
  return {
    recordings: open.map(({ paths, isLookedAt }) => ({ paths, ...(isLookedAt === true && { isLookedAt }) })),
    ...(current !== undefined && { current: current.paths }),
    ...(comparison !== undefined && {
      comparison: { base: pathsOf(comparison.base), new: pathsOf(comparison.new) },
    }),
  };
}

/** @returns undefined for anything that `openState` does not give, such as what another version kept. */
export function keptOpen(value: unknown): OpenState | undefined {
  if (!isRecord(value)) return undefined;
  const { recordings, current, comparison } = value;
  if (!isListOf(recordings, isKeptRecording) || recordings.length === 0) return undefined;
  if (current !== undefined && !isPaths(current)) return undefined;
  if (comparison !== undefined && !isComparison(comparison)) return undefined;
  return {
    recordings,
    ...(current !== undefined && { current }),
    ...(comparison !== undefined && { comparison }),
  };
}

function isKeptRecording(value: unknown): value is KeptRecording {
  if (!isRecord(value) || !isPaths(value['paths'])) return false;
  return value['isLookedAt'] === undefined || value['isLookedAt'] === true;
}

function isComparison(value: unknown): value is NonNullable<OpenState['comparison']> {
  return isRecord(value) && isListOf(value['base'], isPaths) && isListOf(value['new'], isPaths);
}

function isPaths(value: unknown): value is Paths {
  return isListOf(value, (path) => typeof path === 'string') && value.length > 0;
}

function isListOf<Entry>(value: unknown, isEntry: (entry: unknown) => entry is Entry): value is readonly Entry[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
