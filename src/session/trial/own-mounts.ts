import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** How users who are root, and others in a name space of their own users, may mount where nobody else sees it. */
const UNSHARE = {
  root: ['unshare', '--mount', '--propagation', 'private'],
  other: ['unshare', '--map-current-user', '--keep-caps', '--mount', '--propagation', 'private'],
};
const ENTER = {
  root: ['nsenter', '--mount', '--wd'],
  other: ['nsenter', '--user', '--preserve-credentials', '--mount', '--wd'],
};

type Holder = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Mounts that only the programs see which are started in here. A process holds them; it ends with us, whatever ends us, and
 * the mounts with it.
 */
export class OwnMounts {
  private constructor(private readonly holder: Holder) {}

  /**
   * @param script for a shell: mounts, and goes to the folder that programs start in.
   * @returns undefined where this is not allowed, or fails.
   */
  static async open(script: string, ...words: readonly string[]): Promise<OwnMounts | undefined> {
    const [program = '', ...options] = UNSHARE[whoWeAre()];
    const rest = ['/bin/sh', '-c', `${script} && echo mounted && exec cat`, 'sh', ...words];
    const holder = spawn(program, [...options, ...rest], { stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    const isMounted = await new Promise<boolean>((resolve) => {
      holder.once('error', () => resolve(false));
      holder.once('close', () => resolve(false));
      holder.stdout.once('data', () => resolve(true));
    });
    return isMounted ? new OwnMounts(holder) : undefined;
  }

  /** Where the files are that the programs in here see. */
  get root(): string {
    return `/proc/${this.holder.pid}/root`;
  }

  /** The words that start a command among the mounts, in the folder that their script went to. */
  inside(command: readonly string[]): string[] {
    const [program = '', ...options] = ENTER[whoWeAre()];
    return [program, '--target', String(this.holder.pid), ...options, '--', ...command];
  }

  async close(): Promise<void> {
    const ended = this.holder.exitCode !== null || this.holder.signalCode !== null;
    const closed = ended ? undefined : once(this.holder, 'close');
    this.holder.stdin.destroy();
    this.holder.kill('SIGKILL');
    await closed;
  }
}

function whoWeAre(): keyof typeof UNSHARE {
  return process.getuid?.() === 0 ? 'root' : 'other';
}
