/** Which file system a file lies on. */

interface Mount {
  readonly mountPoint: string;
  /** Such as `lustre`. */
  readonly fileSystem: string;
}

const UNKNOWN: Mount = { mountPoint: 'UNKNOWN', fileSystem: 'UNKNOWN' };

/** darshan-parser's rule: the longest mount point that the path begins with, whether or not a `/` follows. */
export class MountTable {
  private readonly mounts: readonly Mount[];

  constructor(mounts: readonly (readonly [mountPoint: string, fileSystem: string])[]) {
    this.mounts = mounts
      .map(([mountPoint, fileSystem]) => ({ mountPoint, fileSystem }))
      .sort((a, b) => b.mountPoint.length - a.mountPoint.length);
  }

  /** `UNKNOWN` twice when no mount point fits. */
  find(path: string): Mount {
    return this.mounts.find(({ mountPoint }) => path.startsWith(mountPoint)) ?? UNKNOWN;
  }
}
