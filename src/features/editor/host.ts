/**
 * The host that the editor's features run in, as far as they only look at it. `#host` (package.json, `imports`) is
 * `node-host.ts`, and `web-host.ts` in the bundle for editors that run in a browser alone.
 */
export interface Host {
  /** Whether programs can be started here, and servers be asked. */
  readonly hasMachine: boolean;
  /** Whether the system's dialogs pick files and folders at once. */
  readonly dialogsPickBoth: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
