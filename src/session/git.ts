import { execFile } from 'node:child_process';
import path from 'node:path';
import { findInstalled } from './installed-tools.ts';

/** Milliseconds after which git is given up: a file server may hang. */
const PATIENCE = 10_000;
const LARGEST_OUTPUT = 16 << 20;

/** What is asked of a version control system. */
export interface Repository {
  /** The folder of the work tree that holds a file, and the file's path in it; undefined when it is not under control. */
  workTreeOf(file: string): Promise<{ root: string; name: string } | undefined>;
  /** The root of the work tree that a folder lies in; undefined when it is in none. */
  rootOf(folder: string): Promise<string | undefined>;
  /** The full name of the revision that is checked out; undefined when there is none. */
  head(folder: string): Promise<string | undefined>;
  /** Files of the work tree (relative to its root) that differ from the revision that is checked out. */
  changedFiles(folder: string): Promise<readonly string[] | undefined>;
  has(root: string, revision: string): Promise<boolean>;
  /** The last revision of the checked-out branch before a time (seconds since 1970). */
  before(root: string, time: number): Promise<string | undefined>;
  /** A file's text at a revision. */
  textAt(root: string, revision: string, name: string): Promise<string | undefined>;
  /** The differences of a file to a revision, without context; '' when there are none. */
  difference(root: string, revision: string, name: string): Promise<string | undefined>;
}

/**
 * The installed git. It is never made in an untrusted workspace: a repository's configuration can name programs that git
 * runs. Options stand in a list, names behind `--`.
 */
export class Git implements Repository {
  /** Answers that hold for all files of a folder or work tree. */
  private readonly known = new Map<string, Promise<string | undefined>>();

  private constructor(private readonly program: string) {}

  /** Undefined when git is not installed. */
  static async installed(): Promise<Git | undefined> {
    const program = await findInstalled(['git']);
    return program === undefined ? undefined : new Git(program);
  }

  async workTreeOf(file: string): Promise<{ root: string; name: string } | undefined> {
    const folder = path.dirname(file);
    const root = await this.rootOf(folder);
    const name = await this.run(folder, ['ls-files', '-z', '--full-name', '--', path.basename(file)]);
    if (root === undefined || name === undefined || name === '') return undefined;
    return { root, name: name.split('\0')[0]! };
  }

  rootOf(folder: string): Promise<string | undefined> {
    return this.once(folder, ['rev-parse', '--show-toplevel']);
  }

  head(folder: string): Promise<string | undefined> {
    return this.line(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  }

  async changedFiles(folder: string): Promise<readonly string[] | undefined> {
    const names = await this.run(folder, ['diff', '--no-ext-diff', '--no-textconv', '--name-only', '-z', 'HEAD', '--']);
    return names?.split('\0').filter((name) => name !== '');
  }

  async has(root: string, revision: string): Promise<boolean> {
    return isRevision(revision) && (await this.once(root, ['cat-file', '-t', revision])) === 'commit';
  }

  before(root: string, time: number): Promise<string | undefined> {
    const date = new Date(time * 1000).toISOString();
    return this.once(root, ['rev-list', '-1', `--before=${date}`, 'HEAD', '--']);
  }

  textAt(root: string, revision: string, name: string): Promise<string | undefined> {
    if (!isRevision(revision)) return Promise.resolve(undefined);
    return this.run(root, ['cat-file', 'blob', `${revision}:${name}`]);
  }

  difference(root: string, revision: string, name: string): Promise<string | undefined> {
    if (!isRevision(revision)) return Promise.resolve(undefined);
    const options = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '-U0', revision, '--'];
    return this.run(root, [...options, `:(top,literal)${name}`]);
  }

  private once(folder: string, options: readonly string[]): Promise<string | undefined> {
    const key = JSON.stringify([folder, ...options]);
    let answer = this.known.get(key);
    if (answer === undefined) this.known.set(key, (answer = this.line(folder, options)));
    return answer;
  }

  private async line(folder: string, options: readonly string[]): Promise<string | undefined> {
    const text = (await this.run(folder, options))?.trim();
    return text === '' ? undefined : text;
  }

  /** What git prints; undefined when it fails, whatever for: without git there are no shifts, and nothing else is lost. */
  private run(folder: string, options: readonly string[]): Promise<string | undefined> {
    const all = ['-C', folder, '-c', 'core.fsmonitor=false', ...options];
    const environment: NodeJS.ProcessEnv = {
      ...process.env,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      LC_ALL: 'C',
    };
    // Set by git itself for its hooks: they would lead to another repository.
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) Reflect.deleteProperty(environment, name);
    return new Promise((resolve) => {
      execFile(
        this.program,
        all,
        { timeout: PATIENCE, maxBuffer: LARGEST_OUTPUT, env: environment },
        (error, output) => {
          resolve(error === null ? output : undefined);
        },
      );
    });
  }
}

/** Revisions come from files that others may have written: only full names are taken, never options or ranges. */
function isRevision(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}
