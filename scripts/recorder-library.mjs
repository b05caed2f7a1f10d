// npm run recorder-library: builds the recorder library beforehand, for machines without a compiler (docs/decisions/0162). What
// it makes is kept in the repository; needed after a change of native/recorder, on Debian 12.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { debianPackages, root } from './machine.mjs';

const source = path.join(root, 'native/recorder');
const compile = JSON.parse(readFileSync(path.join(source, 'compile.json'), 'utf8'));
const MADE = 'built/made.json';
const PACKAGES = ['gcc', 'libc6-dev', 'gcc-aarch64-linux-gnu', 'libc6-dev-arm64-cross'];
/** By Node's names of processors: Debian's own compilers, whatever comes first in the path. */
const COMPILERS = { x64: '/usr/bin/x86_64-linux-gnu-gcc', arm64: '/usr/bin/aarch64-linux-gnu-gcc' };
export const PROCESSORS = Object.keys(COMPILERS);

/** As glibc before 2.34 had them. Without symbols: who profiles a program does not look into it. */
const OLD_GLIBC = ['-include', 'linking/old-symbols.h'];
const LINK_OLD_GLIBC = ['-Wl,--no-as-needed', '-l:libpthread.so.0', '-l:libdl.so.2', '-s'];

export const builtFile = (processor, folder = source) => path.join(folder, `built/${processor}.so`);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Sources and options, as paths below the folder. */
function sources(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll(path.sep, '/'));
  return ['compile.json', ...names.filter((name) => /\.[ch]$/.test(name)).toSorted()];
}

/** Of all that decides the library's bytes, except the compiler; line ends do not. */
function sourcesHash(folder) {
  const text = (name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
  return sha256(
    sources(folder)
      .map((name) => `${name} ${sha256(text(name))}\n`)
      .join(''),
  );
}

/** What the libraries were made from and by, with their hashes. */
export const madeFrom = (folder = source) => JSON.parse(readFileSync(path.join(folder, MADE), 'utf8'));

/** Why sources and libraries do not belong together, or undefined. */
export function problemOf(folder = source) {
  if (!existsSync(path.join(folder, MADE))) return `${MADE} is missing`;
  const made = madeFrom(folder);
  if (made.sources !== sourcesHash(folder)) return 'it was built from other sources';
  const wrong = PROCESSORS.find((processor) => {
    const file = builtFile(processor, folder);
    return !existsSync(file) || sha256(readFileSync(file)) !== made.libraries[processor];
  });
  return wrong && `built/${wrong}.so is not what the compiler made`;
}

export const missingCompilers = () => Object.values(COMPILERS).filter((file) => !existsSync(file));

/** What decides the bytes besides the sources. */
export function compilerVersions() {
  const first = (program, options) => execFileSync(program, options, { encoding: 'utf8' }).split('\n', 1)[0];
  return Object.fromEntries(
    Object.entries(COMPILERS).map(([processor, compiler]) => {
      const linker = first(compiler, ['-print-prog-name=ld']);
      return [processor, `${first(compiler, ['--version'])}; ${first(linker, ['--version'])}`];
    }),
  );
}

function run(program, options, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, { cwd, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} ${options.join(' ')}: status ${status}`));
    });
  });
}

/** The library's bytes for a processor, compiled now in a folder of its own; half a minute. */
export async function compileLibrary(processor) {
  const folder = mkdtempSync(path.join(tmpdir(), 'iolens-library-'));
  try {
    const names = sources(source);
    for (const name of names) cpSync(path.join(source, name), path.join(folder, name));
    const units = names.filter((name) => name.endsWith('.c'));
    const objects = units.map((name) => `${name.slice(0, -2)}.o`);
    const waiting = [...units];
    const work = async () => {
      for (let unit = waiting.shift(); unit !== undefined; unit = waiting.shift()) {
        const how = compile.wrappers.includes(path.dirname(unit)) ? compile.ofWrappers : compile.ofOthers;
        const options = [...compile.options, ...how, ...OLD_GLIBC, '-c', '-o', `${unit.slice(0, -2)}.o`, unit];
        await run(COMPILERS[processor], options, folder);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    await run(COMPILERS[processor], ['-o', 'library.so', ...objects, ...compile.link, ...LINK_OLD_GLIBC], folder);
    return readFileSync(path.join(folder, 'library.so'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.filename === process.argv[1]) {
  debianPackages(PACKAGES);
  const missing = missingCompilers();
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}\nOn Debian 12: apt-get install ${PACKAGES.join(' ')}`);
    process.exit(1);
  }
  mkdirSync(path.join(source, 'built'), { recursive: true });
  const libraries = {};
  for (const processor of PROCESSORS) {
    const bytes = await compileLibrary(processor);
    writeFileSync(builtFile(processor), bytes);
    libraries[processor] = sha256(bytes);
    console.log(`${path.relative(root, builtFile(processor))}: ${bytes.length} bytes`);
  }
  const made = { sources: sourcesHash(source), compilers: compilerVersions(), libraries };
  writeFileSync(path.join(source, MADE), `${JSON.stringify(made, undefined, 2)}\n`);
}
