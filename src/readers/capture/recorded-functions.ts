import { LAYERS, OPERATION, type CallTable, type Layer } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { FunctionDefinition } from './definitions.ts';
import { knownCall, type Effect } from '../open-files/known-calls.ts';

/** Layers of the format by their number; the first is the recorder's own. */
const LAYER_OF_NUMBER: readonly (Layer | undefined)[] = [
  undefined,
  'POSIX',
  'STDIO',
  'MPI-IO',
  'HDF5',
  'NetCDF',
  'PnetCDF',
];
/** Messages and waits of MPI, which are no I/O. */
const MESSAGES = 7;

/** A function as all its events need it. */
export interface RecordedFunction {
  readonly name: string;
  /** Index into LAYERS; NONE for events of the recorder itself, and messages. */
  readonly layer: number;
  /** Index into `Trace.calls`, NONE for those. */
  readonly call: number;
  readonly effect: Effect;
  /** Characters of its roles. */
  readonly roles: Uint8Array;
  /** A negative result of it is followed by the error's number. */
  readonly hasErrorNumber: boolean;
  /** A path of it without a slash is looked for in the folders of programs: which it was, nobody says. */
  readonly searches: boolean;
  readonly moves: boolean;
  readonly writes: boolean;
  /** Bits of EVENT_FLAGS. */
  readonly flags: number;
}

const OF_RECORDER: Readonly<Record<string, Effect>> = {
  descriptor: 'describe',
  object: 'describeObject',
  stream: 'describeStream',
  complete: 'complete',
  fork: 'fork',
};

const ROLES = /^[fFhHdDpPNnboOwlcqkvsetgrxiIaAmM]*$/;

/** @returns undefined when it has a layer or a role that this release does not know: its events cannot be read. */
export function recordedFunction(definition: FunctionDefinition, calls: CallTable): RecordedFunction | undefined {
  const { layer, name, roles } = definition;
  if (layer > MESSAGES || !ROLES.test(roles)) return undefined;
  const common = { name, roles: Uint8Array.from(roles, (role) => role.charCodeAt(0)), hasErrorNumber: layer <= 2 };
  const ofLayer = LAYER_OF_NUMBER[layer];
  if (ofLayer === undefined)
    return {
      ...common,
      layer: NONE,
      call: NONE,
      effect: layer === MESSAGES ? 'message' : (OF_RECORDER[name] ?? 'none'),
      searches: false,
      moves: false,
      writes: false,
      flags: roles.includes('q') ? EVENT_FLAGS.nonBlocking : 0,
    };
  const known = knownCall(ofLayer, name);
  const call = calls.intern(name, known.operation);
  const operation = calls.operation[call]!;
  return {
    ...common,
    layer: LAYERS.indexOf(ofLayer),
    call,
    effect: known.effect,
    searches: /^(execvp|execvpe|execlp|posix_spawnp)$/.test(name),
    moves: operation === OPERATION.read || operation === OPERATION.write,
    writes: operation === OPERATION.write,
    flags:
      (known.isCollective ? EVENT_FLAGS.collective : 0) |
      (roles.includes('q') ? EVENT_FLAGS.nonBlocking | EVENT_FLAGS.neverReturned : 0),
  };
}
