// What the other scripts share: running commands, and setting a fresh machine up. Only Node's own modules: this runs before
// anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** Runs a command with this terminal; ends this process with its status when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

export function has(command) {
  return spawnSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' }).status === 0;
}

const isRoot = process.getuid?.() === 0;

/**
 * Installs Debian packages that are missing, where this is a Debian machine and we may.
 * @returns the packages that are still missing.
 */
export function debianPackages(names) {
  if (!has('dpkg-query')) return names;
  const installed = (name) =>
    spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' }).stdout.includes('install ok installed');
  const missing = names.filter((name) => !installed(name));
  if (missing.length === 0 || !isRoot || !has('apt-get')) return missing;
  console.log(`Installing Debian packages: ${missing.join(' ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env: environment });
  // One name that this release does not know would keep all others away.
  const known = missing.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...known], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: environment,
  });
  return missing.filter((name) => !installed(name));
}

/**
 * Node packages, by the lock file; again when the lock file changed. Where node_modules is a link nothing is installed:
 * the folder belongs to another checkout, and `npm ci` would empty it there.
 */
export function nodePackages() {
  const folder = path.join(root, 'node_modules');
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const stamp = path.join(folder, '.installed');
  const lock = path.join(root, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  console.log('Installing Node packages');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
}

/** Everything that running needs. */
export function setUp() {
  nodePackages();
  run('node', ['scripts/build.mjs']);
}
