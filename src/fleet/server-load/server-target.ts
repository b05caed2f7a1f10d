/** What a server keeps files on, or what it serves them by. */
export interface ServerTarget {
  readonly kind: 'OST' | 'MDT' | 'NFS' | 'disk';
  readonly fileSystem: string | null;
  /** Host that serves it. */
  readonly server: string | null;
  /** `OST0004`; as recorded where the name has no number. */
  readonly name: string | null;
  /** What Lustre and Darshan call it by; null where the name has no number. */
  readonly index: number | null;
}

/** What a name of Lustre says: `scratch-OST001f`, numbered in hexadecimal; undefined for other names. */
export function lustreName(
  text: string,
): (Pick<ServerTarget, 'name' | 'fileSystem'> & { readonly kind: 'OST' | 'MDT'; readonly index: number }) | undefined {
  const found = /^(?:(.*)-)?((OST|MDT)([0-9a-f]{4}))(?:_UUID)?$/i.exec(text);
  if (found === null) return undefined;
  const kind = found[3]!.toUpperCase() === 'OST' ? 'OST' : 'MDT';
  return { kind, fileSystem: found[1] ?? null, name: found[2]!, index: parseInt(found[4]!, 16) };
}
