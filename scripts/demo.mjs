// npm run demo: analyses the bundled recording of a bundled program; needs Node alone. With "-- --editor" the same in a VS Code
// in the browser; with "-- --fix" the first fix for it is tried.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandPackages } from './command-packages.mjs';
import { debianPackages, has, root, run, setUp } from './machine.mjs';

const recording = 'demo/heat/heat.strace.gz';
const recordedFolder = '/home/hpc/heat';

if (!process.argv.includes('--editor')) {
  if (process.argv.includes('--fix'))
    needs({ commands: ['gcc'], packages: ['gcc', 'libc6-dev'] }, 'To try a fix the program is built');
  commandPackages();
  run('node', ['scripts/build.mjs', '--command']);
  if (process.argv.includes('--fix')) tryFirstFix();
  else run('node', ['dist/cli.js', 'analyze', '--source-map', `${recordedFolder}=demo/heat`, recording]);
  process.exit(0);
}

const { installExtension, SERVER, setUpWorkbench, startWorkbench } = await import('./workbench.mjs');
const { makePackage, vsixFile } = await import('./package.mjs');
needs(SERVER, 'The editor (code-server) is built on this machine');
setUp();
setUpWorkbench();
makePackage();

// A second extension opens the recording, as "Open Recording…" would.
const folder = mkdtempSync(path.join(tmpdir(), 'iolens-demo-'));
const opener = path.join(folder, 'opener');
mkdirSync(opener);
const manifest = {
  name: 'iolens-demo',
  publisher: 'iolens',
  version: '0.0.1',
  engines: { vscode: '^1.100.0' },
  main: './open.cjs',
  activationEvents: ['onStartupFinished'],
};
writeFileSync(path.join(opener, 'package.json'), JSON.stringify(manifest));
const code = `const vscode = require('vscode');
exports.activate = async () => {
  await vscode.commands.executeCommand('iolens.openRecording', vscode.Uri.file(${JSON.stringify(path.join(root, recording))}));
  await vscode.commands.executeCommand('iolens.showGraph');
};`;
writeFileSync(path.join(opener, 'open.cjs'), code);
const extensions = path.join(folder, 'extensions');
installExtension(vsixFile(), extensions);
const workspace = path.join(root, 'demo/heat');
const workbench = await startWorkbench({
  extensions,
  settings: { 'iolens.pathRules': { [recordedFolder]: workspace } },
});
const payload = JSON.stringify([['extensionDevelopmentPath', `vscode-remote://${workbench.authority}${opener}`]]);
console.log(
  `\nOpen this in a browser (Ctrl+C ends it):\n\n  http://${workbench.authority}/?folder=${workspace}&payload=${encodeURIComponent(payload)}\n`,
);
process.on('SIGINT', () => {
  workbench.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

/** Installs what is missing, as root on Debian; ends with a message about what else is to be installed. */
function needs({ commands, libraries = [], packages }, why) {
  const isThere = (library) => spawnSync('pkg-config', ['--exists', library]).status === 0;
  const missing = () => [...commands.filter((name) => !has(name)), ...libraries.filter((name) => !isThere(name))];
  if (missing().length === 0) return;
  debianPackages(packages);
  const names = missing().join(', ');
  if (names === '') return;
  console.error(`${why}; missing: ${names}.\nOn Debian and Ubuntu, as root: apt-get install ${packages.join(' ')}`);
  process.exit(1);
}

/** Builds and runs the program with and without the fix, and prints what that shows. */
function tryFirstFix() {
  const opened = ['--source-map', `${recordedFolder}=demo/heat`, recording];
  const list = execFileSync('node', ['dist/cli.js', 'fixes', ...opened, '--json'], { cwd: root, encoding: 'utf8' });
  const fix = JSON.parse(list).fixes.find(({ kind }) => kind !== 'example');
  if (fix === undefined) {
    console.log('No fix changes this program: only examples are offered for its findings.');
    return;
  }
  const commands = ['--build', 'gcc -g -O2 -o heat heat.c', '--run', 'mkdir -p results && ./heat results'];
  // A run takes some milliseconds: many of them tell what they save.
  const trial = ['--try', '--cwd', 'demo/heat', ...commands, '--repeat', '21'];
  run('node', ['dist/cli.js', 'fix', ...opened, fix.id, ...trial]);
}
