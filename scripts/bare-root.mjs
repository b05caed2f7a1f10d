// A bare Debian in a folder, as a new user's machine is: Node and git, no compiler, nothing else. For scripts/try-bare.mjs and, with
// packages of its release, for scripts/try-releases.mjs; needs root and debootstrap.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { has, root } from './machine.mjs';

/** Certificates: of mirrors with a name of their own in the network. */
const PACKAGES = 'git,ca-certificates';
const CERTIFICATES = '/etc/npm-certificates.crt';
const folder = path.join(root, '.cache/bare');

/** An ordinary user there, who may not install. */
const USER = { name: 'person', id: '1000' };

/** What is missing to make one, or ''. */
export function missingForBareRoot() {
  if (process.getuid?.() !== 0) return 'root';
  return ['debootstrap', 'unshare', 'chroot'].filter((name) => !has(name)).join(', ');
}

/** Made once; a minute. A mirror of Debian is asked, the one that debootstrap knows or DEBIAN_MIRROR names. */
function makePristine(release) {
  const pristine = path.join(folder, release);
  if (existsSync(pristine)) return pristine;
  console.log(`Making a bare Debian ${release} (debootstrap)`);
  const making = `${pristine}-making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  const mirror = process.env.DEBIAN_MIRROR ? [process.env.DEBIAN_MIRROR] : [];
  const options = ['--variant=minbase', `--include=${PACKAGES}`, release, making, ...mirror];
  execFileSync('debootstrap', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(making, pristine);
  return pristine;
}

const npmSetting = (name) => execFileSync('npm', ['config', 'get', name], { cwd: '/', encoding: 'utf8' }).trim();

export class BareRoot {
  #environment = {};
  #shown;
  #kept;

  /**
   * @param release of Debian.
   * @param shown a folder of this machine that is there, too, at the same place.
   */
  constructor(release = 'bookworm', shown = undefined) {
    this.#shown = shown;
    // Two trials at once do not meet.
    this.folder = path.join(folder, `trial-${process.pid}`);
    this.remove();
    this.#kept = path.join(folder, `${release}-prepared`);
    this.isPrepared = shown !== undefined && existsSync(this.#kept);
    execFileSync('cp', ['-a', '--reflink=auto', this.isPrepared ? this.#kept : makePristine(release), this.folder]);
    this.#addNetwork();
    if (this.isPrepared) return;
    this.#addNode();
    if (shown !== undefined) mkdirSync(this.at(shown), { recursive: true });
    this.run('root', `useradd --create-home --uid ${USER.id} ${USER.name}`);
  }

  /** Keeps it as it is now for later ones of its release with a shown folder: packages take minutes. */
  keep() {
    rmSync(this.#kept, { recursive: true, force: true });
    execFileSync('cp', ['-a', '--reflink=auto', this.folder, `${this.#kept}-copying`]);
    renameSync(`${this.#kept}-copying`, this.#kept);
  }

  /** Where a path of the bare machine is on this one. */
  at(place) {
    return path.join(this.folder, place);
  }

  /** Takes Node away, as on a compute node. */
  removeNode() {
    for (const name of ['node', 'npm', 'npx']) rmSync(this.at(`usr/bin/${name}`));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a line of shell there.
   * @param user 'root' or 'person'; it begins in that user's home.
   * @returns its status, what it printed (both streams), and how many seconds it took.
   */
  run(user, line) {
    const started = performance.now();
    const { status, stdout, error } = spawnSync('unshare', this.#inside(user, line), {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: this.#environment,
    });
    if (error) throw error;
    return { status, output: stdout, seconds: (performance.now() - started) / 1000 };
  }

  /** @returns the arguments of `unshare`: mounts and processes end with the command. */
  #inside(user, line) {
    const home = user === 'root' ? '/root' : `/home/${user}`;
    const who = user === 'root' ? '0:0' : `${USER.id}:${USER.id}`;
    const script = [
      `mount -t proc proc '${this.at('proc')}' || exit 1`,
      // Without /sys MPI knows no processors and complains.
      ...['dev', 'sys'].map((name) => `mount --rbind /${name} '${this.at(name)}' || exit 1`),
      ...(this.#shown === undefined ? [] : [`mount --rbind '${this.#shown}' '${this.at(this.#shown)}' || exit 1`]),
      `exec chroot --userspec=${who} '${this.folder}' env HOME=${home} sh -c 'cd && eval "$LINE" 2>&1'`,
    ].join('\n');
    this.#environment = { ...this.#environment, LINE: line };
    return ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private', 'sh', '-c', script];
  }

  /** The Node that runs this, and its npm. */
  #addNode() {
    cpSync(realpathSync(process.execPath), this.at('usr/bin/node'));
    const npm = path.resolve(
      realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()),
      '../..',
    );
    cpSync(npm, this.at('usr/lib/node_modules/npm'), { recursive: true, dereference: true });
    for (const name of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, this.at(`usr/bin/${name}`));
  }

  /** Names and registry as they are here: by the environment, so that nothing of them is kept. */
  #addNetwork() {
    for (const file of ['/etc/resolv.conf', '/etc/hosts']) cpSync(realpathSync(file), this.at(file));
    this.#environment = {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C.UTF-8',
      npm_config_registry: npmSetting('registry'),
      npm_config_update_notifier: 'false',
    };
    const certificates = npmSetting('cafile');
    if (!existsSync(certificates)) return;
    cpSync(realpathSync(certificates), this.at(CERTIFICATES));
    this.#environment.npm_config_cafile = CERTIFICATES;
  }
}
