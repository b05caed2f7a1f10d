/**
 * What the interpreter asks of a file system. Paths are relative to the replay's folder and have been checked by their
 * text; an implementation makes sure that they stay within it. Calls throw what the system says (an Error with a `code`).
 */
export interface FileCalls {
  /** @param mode bits of OPEN_MODE. */
  open(path: string, mode: number): number;
  close(descriptor: number): void;
  /** @param offset null: where the descriptor stands, which moves on. @returns bytes moved, 0 at the end. */
  read(descriptor: number, target: Uint8Array, length: number, offset: number | null): number;
  write(descriptor: number, source: Uint8Array, length: number, offset: number | null): number;
  /** Bytes. */
  sizeOf(descriptor: number): number;
  sync(descriptor: number, dataOnly: boolean): void;
  truncate(descriptor: number, length: number): void;
  unlink(path: string): void;
  mkdir(path: string): void;
  rmdir(path: string): void;
  stat(path: string): void;
  rename(path: string, to: string): void;
  /** Makes the folders that a path needs, where they are missing. */
  makeFoldersFor(path: string): void;
}

/** Time as the interpreter sees it, in seconds. */
export interface Clock {
  now(): number;
  sleep(seconds: number): void;
}

/** The `code` of a system's error; '' for others. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
