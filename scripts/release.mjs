// npm run release: all that a release has, in dist-release/, each installed and tried on a bare Debian (scripts/try-bare.mjs) where
// that can be made. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { missingForBareRoot } from './bare-root.mjs';
import { has, root, run, setUp } from './machine.mjs';
import { makePackage, vsixFile } from './package.mjs';
import { checkVsix } from './vsix-contents.mjs';

/** Where they are put. */
export const output = path.join(root, 'dist-release');
const { version, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const at = (name) => path.join(output, name);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Files of a release, by what they are. */
export const FILES = {
  extension: `iolens-${version}.vsix`,
  package: `iolens-${version}.tgz`,
  command: `iolens-${version}-${process.platform}-${process.arch}`,
  recorder: `iolens-recorder-${version}.tar.gz`,
  notes: 'NOTES.md',
  sums: 'SHA256SUMS',
};

/** @returns what the changelog says under "Unreleased". @throws Error when it says nothing. */
function unreleased() {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const section = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1]?.trim();
  if (!section) throw new Error('CHANGELOG.md has nothing under "## Unreleased"');
  return section;
}

function sizeOf(name) {
  const { size } = statSync(at(name));
  return size < 2 ** 20 ? `${Math.ceil(size / 1024)} KiB` : `${(size / 2 ** 20).toFixed(1)} MiB`;
}

function notes() {
  const { header } = process.report.getReport();
  const glibc = header.glibcVersionCompiler ? `, glibc ${header.glibcVersionCompiler} or newer` : '';
  const row = (name, what) => `| \`${name}\` | ${sizeOf(name)} | ${what} |`;
  return [
    `# I/O Lens ${version}`,
    '',
    '| file | size | |',
    '|---|---|---|',
    row(FILES.extension, `the extension: \`code --install-extension ${FILES.extension}\``),
    row(FILES.package, `the command, with Node ${engines.node}: \`npm install -g ./${FILES.package}\``),
    row(
      FILES.command,
      `the command in one file, without Node (${process.platform} ${process.arch}${glibc}): \`chmod +x\` and run it`,
    ),
    row(
      FILES.recorder,
      'sources of the recorder library alone; the others hold it built, and compile them where that does not fit',
    ),
    '',
    `\`sha256sum -c ${FILES.sums}\` checks them. Made from ${git('rev-parse', 'HEAD')}.`,
    '',
    unreleased(),
    '',
  ].join('\n');
}

/** The library's sources in an archive that has the same bytes whenever it is made of them. */
function packRecorder() {
  const folder = FILES.recorder.replace('.tar.gz', '');
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const places = [`s,^native/recorder,${folder},`, `s,^LICENSE,${folder}/LICENSE,`];
  run('tar', [
    ...same,
    ...places.map((rule) => `--transform=${rule}`),
    '-czf',
    at(FILES.recorder),
    'native/recorder',
    'LICENSE',
  ]);
}

function checksums() {
  const names = readdirSync(output).filter((name) => name !== FILES.sums);
  const lines = names.toSorted().map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(at(name)))
      .digest('hex');
    return `${hash}  ${name}\n`;
  });
  writeFileSync(at(FILES.sums), lines.join(''));
}

function makeRelease() {
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new Error(`a release is made of what is committed; these changes are not:\n${changes}`);
  if (!has('xz')) throw new Error('a release needs xz: grammars are packed with it (Debian: xz-utils)');
  setUp();
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  makePackage();
  renameSync(vsixFile(), at(FILES.extension));
  // The build for users, which the extension was packed of, is the command's as well.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', output], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  run('node', ['scripts/executable.mjs', at(FILES.command)], { stdio: ['ignore', 'ignore', 'inherit'] });
  packRecorder();
  writeFileSync(at(FILES.notes), notes());
  checksums();
  const { files, unpacked } = checkVsix(at(FILES.extension));
  console.log(`${FILES.extension}: ${files} files, ${(unpacked / 2 ** 20).toFixed(1)} MiB unpacked`);
  if (readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version}`))
    console.log(
      `CHANGELOG.md has a section ${version} already: raise the version before this is published (CONTRIBUTING.md)`,
    );
  for (const name of readdirSync(output)) console.log(`${path.relative(root, at(name))}: ${sizeOf(name)}`);
}

if (import.meta.filename === process.argv[1]) {
  makeRelease();
  const missing = missingForBareRoot();
  if (missing === '') run('node', ['scripts/try-bare.mjs', 'release']);
  else console.log(`Not tried on a bare machine: that needs ${missing}.`);
}
