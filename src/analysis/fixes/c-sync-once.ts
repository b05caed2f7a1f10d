import { formatCount } from '../../base/quantities.ts';
import {
  hidesCalls,
  callsAny,
  CLOSE,
  closesOf,
  ENDS_AT_ONCE,
  REPLACES_PROCESS,
  SHARES_DESCRIPTOR,
  type FixSources,
} from './c-descriptors.ts';
import { helperEdits, userCode } from './c-placement.ts';
import { callsOf, callsOnLine, enclosingFunction, functionName, replace, type ParsedSource } from './c-syntax.ts';
import type { FixRequest, Repair } from './fix.ts';
import { HELPER_NAMES, OPEN_ONCE, storageIn, SYNC_ONCE, syncOnceHelper } from './helpers.ts';

const SYNC = new Set(['fsync', 'fdatasync']);
/** These close a descriptor without a call of `close`. */
const CLOSES_BY_THE_WAY = new Set(['dup2', 'dup3', 'close_range', 'closefrom']);
/** What closes a file in the user's code: as it was, or as other fixes have made it. */
const CLOSING = new Set([...CLOSE, 'buffered_close', 'sync_and_close']);

/** Synchronises when the file is closed. */
export function syncOnce(request: FixRequest, sources: FixSources): Repair | undefined {
  const { main, all } = sources;
  const [own] = callsOnLine(main, request.place.line, [...SYNC]).filter(({ operands }) => operands.length === 1);
  const closes = closesOf(request, sources, SYNC_ONCE, 'sync_and_close');
  const storage = storageIn(main.file, request.language);
  if (own === undefined || closes === undefined || storage === undefined || !closesAreSeen(main)) return undefined;
  const descriptor = own.operands[0]!.text;
  const isUsers = userCode(main, SYNC_ONCE);
  if (!isUsers(own.node) || !all.some((source) => isClosed(source, descriptor))) return undefined;
  const syncs = callsOf(main.tree.rootNode, SYNC).filter(
    ({ node, operands }) => isUsers(node) && operands.length === 1 && operands[0]!.text === descriptor,
  );
  const users = [...syncs, ...closes.filter(({ source }) => source === main).map(({ call }) => call)];
  const helper = { ...SYNC_ONCE, code: syncOnceHelper(storage, request.count) };
  const nodes = users.map(({ node }) => node);
  const placed = helperEdits(main, helper, nodes);
  if (placed === undefined) return undefined;
  return {
    title: `Synchronise once, when the file is closed (instead of ${formatCount(request.count)} times here)`,
    note: 'Until the file is closed a power failure can lose what was written. Keep a synchronisation where a checkpoint must be safe.',
    edits: [
      ...syncs.map(({ callee }) => replace(main, callee, 'sync_later')),
      ...closes.map(({ source, call }) => replace(source, call.callee, 'sync_and_close')),
      ...placed,
    ],
    method: 'synchronised once',
    kind: 'repair',
  };
}

/** Whether every file is closed, or the process ends, in a way that the helper notices. */
function closesAreSeen(main: ParsedSource): boolean {
  const unseen = [SHARES_DESCRIPTOR, CLOSES_BY_THE_WAY, ENDS_AT_ONCE, REPLACES_PROCESS, new Set(OPEN_ONCE.names)];
  if (callsAny(main.tree.rootNode, ...unseen)) return false;
  return !hidesCalls(main, new Set([...CLOSING, ...SYNC, ...unseen.flatMap((set) => [...set])]));
}

/** Whether the user's code closes what the same expression stands for. */
function isClosed(source: ParsedSource, descriptor: string): boolean {
  return callsOf(source.tree.rootNode, CLOSING).some(
    ({ node, operands }) =>
      operands.length === 1 &&
      operands[0]!.text === descriptor &&
      !HELPER_NAMES.includes(functionName(enclosingFunction(node))),
  );
}
