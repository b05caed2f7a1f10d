/** What the name of a Recorder directory says. */
interface FolderFacts {
  /** Of rank 0, which makes the directory; '' when the name does not say for certain. */
  readonly host: string;
  readonly program: string;
  /** Pid of rank 0; NaN when unknown. */
  readonly pid: number;
}

/** `HOST-USER-PROGRAM-PID-HHMMSS.mmm`. Each part may hold a `-` itself: then nobody can tell where it ends. */
const NAME = /^([^-]+)-[^-]+-([^-]+)-(\d+)-\d{6}\.\d{3}$/;

/** @param path of a file in the directory. */
export function folderFacts(path: string): FolderFacts {
  const name = path.split('/').at(-2) ?? '';
  const [, host = '', program = '', pid = ''] = NAME.exec(name) ?? [];
  return { host, program, pid: pid === '' ? NaN : Number(pid) };
}
