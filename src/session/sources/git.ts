import { getOrCreate } from '../../base/grouping.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findInstalled } from '../machine/installed-tools.ts';
import { contentOf, differingFiles } from './work-tree-files.ts';

/** Milliseconds after which git is given up: a file server may hang. */
const PATIENCE = 10_000;
const LARGEST_OUTPUT = 64 << 20;
/** Bytes of a file beyond which its differences are not asked for. */
const LARGEST_TEXT = 16 << 20;

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

/** What the user's own environment may say to git; all else that git takes from there is left out. */
const KEPT = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/**
 * A repository may have come from anywhere, and its configuration and attributes name programs. None of the commands here
 * filters, converts, verifies, edits or shows anything, or writes to the repository; the options close what is left:
 * objects that a partial clone lacks are not fetched, by any protocol, and there is no hook and no monitor of files.
 */
const CLOSED = [
  '--no-pager',
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.attributesFile=/dev/null'].flatMap((it) => ['-c', it]),
  ...['protocol.allow=never', 'safe.bareRepository=explicit', 'maintenance.auto=false'].flatMap((it) => ['-c', it]),
];

const CLOSED_ENVIRONMENT = {
  // Older versions of git do not know it: these are kept from fetching by having no protocol.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  LC_ALL: 'C',
};

/** What git is run with besides its options. */
interface GitRun {
  /** Instead of failure: git ends so where it found differences. */
  readonly alsoSound?: number;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * The installed git. It is never made in an untrusted workspace, and runs no program that a repository names even in others.
 * Options stand in a list, names behind `--`.
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
    const name = await this.text(folder, ['ls-files', '-z', '--full-name', '--', path.basename(file)]);
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
    const root = await this.rootOf(folder);
    if (root === undefined) return undefined;
    const comparing = ['diff-index', '--cached', '--name-only', '--no-renames', '--no-ext-diff', '--no-textconv', '-z'];
    const staged = await this.text(root, [...comparing, '--ignore-submodules=all', 'HEAD', '--']);
    const entries = await this.text(root, ['ls-files', '--stage', '--debug', '-z']);
    const index = await this.line(root, ['rev-parse', '--git-path', 'index']);
    if (staged === undefined || entries === undefined || index === undefined) return undefined;
    const differing = await differingFiles(root, entries, path.resolve(root, index), Date.now() + PATIENCE);
    if (differing === undefined) return undefined;
    return [...new Set([...staged.split('\0').filter((name) => name !== ''), ...differing])].sort();
  }

  async has(root: string, revision: string): Promise<boolean> {
    return isRevision(revision) && (await this.once(root, ['cat-file', '-t', revision])) === 'commit';
  }

  before(root: string, time: number): Promise<string | undefined> {
    const date = new Date(time * 1000).toISOString();
    return this.once(root, ['rev-list', '-1', `--before=${date}`, 'HEAD', '--']);
  }

  async textAt(root: string, revision: string, name: string): Promise<string | undefined> {
    return (await this.blobAt(root, revision, name))?.toString();
  }

  /** The stored text and the file are compared outside of the repository, whose attributes then have no say in it. */
  async difference(root: string, revision: string, name: string): Promise<string | undefined> {
    const stored = await this.blobAt(root, revision, name);
    const file = await contentOf(path.join(root, name), LARGEST_TEXT);
    if (stored === undefined || file === undefined || stored.length > LARGEST_TEXT) return undefined;
    if (stored.equals(file)) return '';
    // What is stored otherwise than it stands in the work tree has no lines that could be compared.
    return (await this.isConverted(root, name)) ? undefined : this.differenceOf(stored, file);
  }

  private async differenceOf(before: Buffer, after: Buffer): Promise<string | undefined> {
    const folder = await mkdtemp(path.join(await realpath(tmpdir()), 'iolens-difference-'));
    try {
      await writeFile(path.join(folder, 'before'), before);
      await writeFile(path.join(folder, 'after'), after);
      const plain = ['--no-index', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--text'];
      // Ends of lines are the business of the work tree.
      const options = [
        'diff',
        ...plain,
        '--ignore-cr-at-eol',
        '--inter-hunk-context=0',
        '-U0',
        '--',
        'before',
        'after',
      ];
      const environment = { GIT_CEILING_DIRECTORIES: path.dirname(folder) };
      return await this.text(folder, options, { alsoSound: 1, environment });
    } catch {
      return undefined;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Whether the repository names a filter or an encoding for a file. */
  private async isConverted(root: string, name: string): Promise<boolean> {
    const answer = await this.text(root, ['check-attr', '-z', 'filter', 'working-tree-encoding', '--', name]);
    const values = (answer ?? '').split('\0').filter((_, at) => at % 3 === 2);
    return values.some((value) => value !== 'unspecified' && value !== 'unset');
  }

  private blobAt(root: string, revision: string, name: string): Promise<Buffer | undefined> {
    if (!isRevision(revision)) return Promise.resolve(undefined);
    return this.run(root, ['cat-file', 'blob', `${revision}:${name}`]);
  }

  private once(folder: string, options: readonly string[]): Promise<string | undefined> {
    const key = JSON.stringify([folder, ...options]);
    const answer = getOrCreate(this.known, key, () => this.line(folder, options));
    return answer;
  }

  private async line(folder: string, options: readonly string[]): Promise<string | undefined> {
    const text = (await this.text(folder, options))?.trim();
    return text === '' ? undefined : text;
  }

  private async text(folder: string, options: readonly string[], more?: GitRun): Promise<string | undefined> {
    return (await this.run(folder, options, more))?.toString();
  }

  /** What git prints; undefined when it fails, whatever for: without git there are no shifts, and nothing else is lost. */
  private run(folder: string, options: readonly string[], more: GitRun = {}): Promise<Buffer | undefined> {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || KEPT.has(name));
    const env = { ...Object.fromEntries(own), ...CLOSED_ENVIRONMENT, ...more.environment };
    const how = { timeout: PATIENCE, maxBuffer: LARGEST_OUTPUT, env, encoding: 'buffer' } as const;
    return new Promise((resolve) => {
      execFile(this.program, ['-C', folder, ...CLOSED, ...options], how, (error, output) =>
        resolve(error === null || error.code === more.alsoSound ? output : undefined),
      );
    });
  }
}

/** Revisions come from files that others may have written: only full names are taken, never options or ranges. */
function isRevision(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}
