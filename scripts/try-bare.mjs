// npm run try-bare [-- demo|release|editor …]: does what a newcomer does, on a bare Debian (scripts/bare-root.mjs), as root and as
// an ordinary user. "demo": a clone of what is committed, with Node and git alone. "release": what lies in dist-release/.
// "editor": also builds the editor of the demo there, which installs compilers and takes minutes; not without being named.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { BareRoot, missingForBareRoot } from './bare-root.mjs';
import { root } from './machine.mjs';
import { FILES, output } from './release.mjs';
import { checkVsix } from './vsix-contents.mjs';
import { hasWorkbench, installExtension } from './workbench.mjs';

/** What the first finding of the bundled recording says when addresses became lines, and the source was found. */
const LINE = /heat\.c:22 in emit[\s\S]*if \(write\(fd, line, 100\) != 100\)/;
const NO_LINE = /no source line/;
const RECORDING = '--source-map /home/hpc/heat=/opt/heat /opt/heat/heat.strace.gz';
const CLONED = 'git clone -q /opt/iolens.bundle iolens';

let failures = 0;

function report(name, seconds, problem) {
  console.log(
    `${problem === '' ? '✓' : '✗'} ${name}: ${seconds.toFixed(0)} s (load ${loadavg()[0].toFixed(0)})${problem && `\n${problem}`}`,
  );
  if (problem !== '') failures++;
}

/** Runs a line there as a user and looks at what it says: `says` must be in it, `saysNot` must not. */
function trial(bare, user, name, line, { status = 0, says = /^/, saysNot = /(?!)/ } = {}) {
  const ran = bare.run(user, line);
  const problems = [
    ran.status === status ? '' : `it ended with ${ran.status}`,
    says.test(ran.output) ? '' : `it does not say ${says}`,
    saysNot.test(ran.output) ? `it says ${saysNot}` : '',
  ].filter((problem) => problem !== '');
  const end = ran.output.trim().split('\n').slice(-40).join('\n');
  report(`${name}, as ${user}`, ran.seconds, problems.length === 0 ? '' : `${problems.join(', ')}:\n${end}`);
}

/** A bare machine for the time of some trials. */
function withBareRoot(use) {
  const bare = new BareRoot();
  try {
    use(bare);
  } finally {
    bare.remove();
  }
}

/** A clone as from a server: the bundle has what HEAD has. */
function addRepository(bare) {
  execFileSync('git', ['bundle', 'create', '--quiet', bare.at('opt/iolens.bundle'), 'HEAD'], { cwd: root });
}

function tryDemo() {
  withBareRoot((bare) => {
    addRepository(bare);
    for (const user of ['root', 'person']) {
      trial(bare, user, 'git clone', CLONED);
      trial(bare, user, 'npm run demo', 'cd iolens && npm run demo', { says: LINE, saysNot: NO_LINE });
    }
    const says = /missing: rg, g\+\+.*\n.*apt-get install ripgrep/;
    trial(bare, 'person', 'npm run demo -- --editor', 'cd iolens && npm run demo -- --editor', { status: 1, says });
    trial(bare, 'person', 'npm run demo -- --fix', 'cd iolens && npm run demo -- --fix', { status: 1, says: /gcc/ });
  });
}

function tryEditor() {
  const waits = 'until grep -q "http://" log; do kill -0 $! || { cat log; exit 1; }; sleep 1; done';
  const asks = `url=$(grep -o "http://[^ ]*" log) && node -e 'fetch(process.argv[1]).then(async (r) => console.log(r.status, (await r.text()).length > 1000))' "$url"`;
  withBareRoot((bare) => {
    addRepository(bare);
    const line = `${CLONED} && cd iolens && { npm run demo -- --editor > log 2>&1 & } && ${waits}; ${asks}`;
    trial(bare, 'root', 'npm run demo -- --editor', line, { says: /^200 true$/m });
  });
}

function addRelease(bare) {
  cpSync(output, bare.at('opt/release'), { recursive: true });
  cpSync(path.join(root, 'demo/heat'), bare.at('opt/heat'), { recursive: true });
}

/** The npm package with Node alone; then the library's sources with a C compiler. */
function tryPackage(bare) {
  const good = { says: LINE, saysNot: NO_LINE };
  const file = `/opt/release/${FILES.package}`;
  trial(bare, 'root', 'npm install -g', `npm install -g ${file} && iolens analyze ${RECORDING}`, good);
  const own = `npm install -g --prefix .local ${file} && .local/bin/iolens analyze ${RECORDING}`;
  trial(bare, 'person', 'npm install -g --prefix ~/.local', own, good);
  const events = /[1-9]\d* calls of 1 process/;
  const record =
    'iolens record -o listed.iolens -- ls / && iolens info listed.iolens && iolens analyze --all listed.iolens';
  trial(bare, 'person', 'iolens record, no compiler', record, { says: events });
  const install = 'apt-get update -q && apt-get install -y -q --no-install-recommends gcc libc6-dev';
  trial(bare, 'root', 'a C compiler', install);
  tryRecorder(bare, events);
}

/** The library's sources, as their README says. */
function tryRecorder(bare, says) {
  const folder = FILES.recorder.replace('.tar.gz', '');
  const compile = `tar -xzf /opt/release/${FILES.recorder} && cd ${folder} && eval "$(grep -o 'cc -std.*' README.md)"`;
  const record =
    'IOLENS_RECORDING=$PWD/app.iolens LD_PRELOAD=$PWD/libiolens-recorder.so ls / && iolens analyze app.iolens';
  trial(bare, 'person', 'the recorder library from its sources', `${compile} && ${record}`, { says });
}

function tryExtension() {
  const started = performance.now();
  const file = path.join(output, FILES.extension);
  const { files } = checkVsix(file);
  report(`the extension has what it needs (${files} files)`, (performance.now() - started) / 1000, '');
  if (!hasWorkbench()) {
    console.log('  not installed: there is no test workbench (node test/workbench/run-host.mjs makes it)');
    return;
  }
  const extensions = mkdtempSync(path.join(tmpdir(), 'iolens-extensions-'));
  installExtension(file, extensions);
  const isThere = readdirSync(extensions).some((name) => name.startsWith('iolens.'));
  report(
    'the extension is installed in code-server',
    (performance.now() - started) / 1000,
    isThere ? '' : 'it is not there',
  );
  rmSync(extensions, { recursive: true, force: true });
}

function tryRelease() {
  withBareRoot((bare) => {
    addRelease(bare);
    trial(bare, 'person', 'checksums', `cd /opt/release && sha256sum -c ${FILES.sums}`, { saysNot: /FAILED/ });
    tryPackage(bare);
  });
  withBareRoot((bare) => {
    addRelease(bare);
    bare.removeNode();
    const copied = `cp /opt/release/${FILES.command} iolens && chmod +x iolens && ./iolens analyze ${RECORDING}`;
    for (const user of ['root', 'person'])
      trial(bare, user, 'the single file, without Node', copied, { says: LINE, saysNot: NO_LINE });
  });
  tryExtension();
}

const TRIALS = { demo: tryDemo, release: tryRelease, editor: tryEditor };
const missing = missingForBareRoot();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in TRIALS));
if (missing !== '' || unknown.length > 0) {
  console.error(
    missing === '' ? `No such trial: ${unknown.join(', ')}` : `A bare machine cannot be made: that needs ${missing}.`,
  );
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : ['demo']) TRIALS[name]();
process.exit(failures === 0 ? 0 : 1);
