import { FILE_EFFECT } from '../../analysis/dependencies/file-effects.ts';
import { OPERATION, type CallTable } from '../../trace/calls.ts';

/** How a call is repeated. */
export const FORM = {
  /** It cannot be. */
  none: 0,
  open: 1,
  close: 2,
  /** A transfer at the file's own offset. */
  transfer: 3,
  /** A transfer at an offset that the call names. */
  positioned: 4,
  seek: 5,
  sync: 6,
  dataSync: 7,
  lock: 8,
  /** The forms up to this one work on an open file, and on no folder. */
  ofOpenFile: 8,
  /** By the open file, or by path. */
  truncate: 9,
  look: 10,
  remove: 11,
  removeFolder: 12,
  makeFolder: 13,
  rename: 14,
} as const;

const POSITIONED = /^(p(read|write)|aio_)|_at(_all)?(_begin|_end)?$|^lio_listio|\((source|target)\)$/;
/** Calls that only ask; those that change modes, owners, times or attributes are left out. */
const LOOKS = /^(f|l)?stat(64|x|fs|vfs)?$|^newfstatat$|^fstatat|^__?[lf]?xstat|^f?access(at2?)?$|^faccessat/;

/** FORM of each call of a trace. */
export function callForms(calls: CallTable, effects: Uint8Array): Uint8Array {
  return Uint8Array.from(calls.names, (name, call) => formOf(name, calls.operation[call]!, effects[call]!));
}

function formOf(name: string, operation: number, effect: number): number {
  switch (effect) {
    case FILE_EFFECT.read:
    case FILE_EFFECT.write:
      return POSITIONED.test(name) ? FORM.positioned : FORM.transfer;
    case FILE_EFFECT.open:
      return FORM.open;
    case FILE_EFFECT.remove:
      return FORM.remove;
    case FILE_EFFECT.removeFolder:
      return FORM.removeFolder;
    case FILE_EFFECT.rename:
      return FORM.rename;
    case FILE_EFFECT.truncate:
      return FORM.truncate;
    case FILE_EFFECT.makeFolder:
      return FORM.makeFolder;
    case FILE_EFFECT.look:
      return LOOKS.test(name) ? FORM.look : FORM.none;
    case FILE_EFFECT.lock:
      return FORM.lock;
  }
  if (operation === OPERATION.close) return FORM.close;
  if (operation === OPERATION.seek) return FORM.seek;
  if (operation !== OPERATION.sync) return FORM.none;
  return /fdatasync|sync_file_range/.test(name) ? FORM.dataSync : FORM.sync;
}
