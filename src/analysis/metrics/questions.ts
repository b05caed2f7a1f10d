/** Calls that only ask, and change nothing. The C library has some under names of its own, which recorders see. */
const STATUS = /^((__)?[fl]?x?stat(64)?|((__)?fx|newf|f)statat(64)?|statx)$/;
const ACCESS = /^(f?access(at2?)?|readlink(at)?)$/;
const OTHER = /^(f?statfs(64)?|[fl]?getxattr)$/;
const OF_PATH = /^((__)?l?x?stat(64)?|access|readlink|l?getxattr|statfs(64)?)$/;
const OF_HANDLE = /^(__)?f(x?stat(64)?|statfs(64)?|getxattr)$/;

/** Whether a call asks what a path, or an open file, is: asked again it gives the same answer. */
export function onlyAsks(name: string): boolean {
  return STATUS.test(name) || ACCESS.test(name) || OTHER.test(name);
}

/** Whether it can only ask about an open file: libraries do so once for each open. */
export function asksHandle(name: string): boolean {
  return OF_HANDLE.test(name);
}

/** Whether it asks if a path may be used, or where it leads. */
export function asksForAccess(name: string): boolean {
  return ACCESS.test(name);
}

/** Whether it can only ask about a path: recordings that know open files by their paths alone take it for one of these. */
export function asksPath(name: string): boolean {
  return OF_PATH.test(name);
}
