import type { Quantity } from './load-sample.ts';

/** Kinds that have a column of their own, by the name that Lustre's metadata targets count them under. */
const KINDS: ReadonlyMap<string, Quantity> = new Map([
  ['open', 'opens'],
  ['close', 'closes'],
  ['mknod', 'creates'],
  ['mkdir', 'creates'],
  ['create', 'creates'],
  ['unlink', 'removes'],
  ['rmdir', 'removes'],
  ['rename', 'renames'],
  ['getattr', 'getattrs'],
  ['setattr', 'setattrs'],
]);

/**
 * What moves data (files whose content stands on the metadata target), and what Lustre counts a second time: a rename is
 * one `rename` and one of the others (`mdt_rename_counter_tally` in lustre/mdt/mdt_lproc.c).
 */
const NO_OPERATION =
  /^(?:read|write|read_bytes|write_bytes|readpage|punch|fallocate|(?:same|cross)dir_rename|parallel_rename_\w+|rename_trylocks)$/;

/** The same of an NFS server, by node_exporter's names of its procedures. Others belong to reading, writing, or sessions. */
const NFS_KINDS: ReadonlyMap<string, Quantity | undefined> = new Map<string, Quantity | undefined>([
  ['Access', undefined],
  ['Close', 'closes'],
  ['Create', 'creates'],
  ['FsStat', undefined],
  ['GetAttr', 'getattrs'],
  ['Link', undefined],
  ['Lookup', undefined],
  ['MkDir', 'creates'],
  ['MkNod', 'creates'],
  ['Open', 'opens'],
  ['ReadDir', undefined],
  ['ReadDirPlus', undefined],
  ['ReadLink', undefined],
  ['Remove', 'removes'],
  ['Rename', 'renames'],
  ['RmDir', 'removes'],
  ['SetAttr', 'setattrs'],
  ['SymLink', 'creates'],
]);

/** What an operation of a metadata target counts as; nothing where it is no metadata operation, or is counted elsewhere. */
export function quantitiesOf(operation: string): readonly Quantity[] {
  if (NO_OPERATION.test(operation)) return [];
  const kind = KINDS.get(operation);
  return kind === undefined ? ['operations'] : ['operations', kind];
}

/** @param method such as `GetAttr`. */
export function nfsQuantitiesOf(method: string): readonly Quantity[] {
  if (!NFS_KINDS.has(method)) return [];
  const kind = NFS_KINDS.get(method);
  return kind === undefined ? ['operations'] : ['operations', kind];
}
