// npm run wasm: compiles the modules of native/wasm, which are kept in the repository (docs/decisions/0160). Needed after a
// change of their sources only; on Debian 12, as root it installs the compiler. "-- --check" says whether they fit.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { debianPackages, root } from './machine.mjs';

/** What Debian's Rust for WebAssembly and the modules' crates are called there. */
const PACKAGES = [
  'cargo',
  'rustc',
  'libstd-rust-dev-wasm32',
  'librust-addr2line-dev',
  'librust-gimli-dev',
  'librust-cpp-demangle-dev',
  'librust-rustc-demangle-dev',
  'lld-14',
];
const TARGET = 'wasm32-unknown-unknown';
/** Debian's own, whatever Rust comes first in the path. */
const TOOLS = { rustc: '/usr/bin/rustc', cargo: '/usr/bin/cargo', linker: '/usr/bin/wasm-ld-14' };
const SECTION = 'iolens.made';

/** How bundles take a module that stands in them: nobody who reads has to be told where it lies (docs/decisions/0173). */
export const EMBEDDED_MODULES = { '.wasm': 'base64' };

/** The crates whose modules are kept: each a folder, its module in it under the same name. */
export function moduleFolders() {
  const all = path.join(root, 'native/wasm');
  return readdirSync(all)
    .map((name) => path.join(all, name))
    .filter((folder) => existsSync(path.join(folder, 'Cargo.toml')));
}

export const moduleFile = (folder) => path.join(folder, `${path.basename(folder)}.wasm`);

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Of all that decides the bytes of a module, except the compiler; line ends do not. */
function sourcesHash(folder) {
  const sources = readdirSync(path.join(folder, 'src'), { recursive: true }).filter((name) => name.endsWith('.rs'));
  const names = ['Cargo.toml', 'Cargo.lock', '.cargo/config.toml', ...sources.map((name) => `src/${name}`)];
  const hashes = names
    .map((name) => name.replaceAll(path.sep, '/'))
    .toSorted()
    .map((name) => `${name} ${sha256(readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n'))}\n`);
  return sha256(hashes.join(''));
}

/** @returns the number in WebAssembly's notation (LEB128). */
function varint(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}

/** A section of our own at the end of the module: what it was made from, and by what. */
function madeSection(made) {
  const name = Buffer.from(SECTION);
  const content = Buffer.concat([varint(name.length), name, Buffer.from(JSON.stringify(made))]);
  return Buffer.concat([Buffer.from([0]), varint(content.length), content]);
}

/** What a module says of itself, or undefined. @throws CompileError when it is none. */
export function madeFrom(bytes) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), SECTION);
  return section && JSON.parse(Buffer.from(section).toString());
}

/** Why source and module do not belong together, or undefined. */
export function problemOf(folder) {
  const file = path.relative(root, moduleFile(folder));
  if (!existsSync(moduleFile(folder))) return `${file} is missing`;
  const bytes = readFileSync(moduleFile(folder));
  const made = madeFrom(bytes);
  if (made === undefined) return `${file} does not say what it was made from`;
  const code = bytes.subarray(0, bytes.length - madeSection(made).length);
  if (sha256(code) !== made.code) return `${file} is not what the compiler made`;
  if (sourcesHash(folder) !== made.sources) return `${file} was made from other sources`;
  return undefined;
}

/** @throws Error when a module and its sources do not belong together. */
export function checkModules() {
  const problems = moduleFolders().flatMap((folder) => problemOf(folder) ?? []);
  if (problems.length > 0) throw new Error(`${problems.join('; ')}: compile it by "npm run wasm" (scripts/wasm.mjs)`);
}

/** What is not on this machine of the compiler and what belongs to it. */
export function missingTools() {
  const files = { ...TOOLS, crates: '/usr/share/cargo/registry', library: `/usr/lib/rustlib/${TARGET}/lib` };
  return Object.values(files).filter((file) => !existsSync(file));
}

/** Debian's Rust, as root; of other machines nothing is changed. */
export const installCompiler = () => debianPackages(PACKAGES);

/** Names of the compiler's parts, with their versions. */
export function compilerVersions() {
  const said = (tool, args) => execFileSync(tool, args, { encoding: 'utf8', env: plainEnvironment() });
  const version = (text) => /\d+\.\d+\.\d+/.exec(text)?.[0];
  const rustc = said(TOOLS.rustc, ['-vV']);
  return {
    rustc: `${version(rustc)}, LLVM ${version(rustc.slice(rustc.indexOf('LLVM')))}`,
    cargo: version(said(TOOLS.cargo, ['--version'])),
    linker: `LLD ${version(said(TOOLS.linker, ['--version']))}`,
  };
}

/** Nothing that a user's settings of Rust could change. */
function plainEnvironment(folder = root) {
  return { PATH: '/usr/bin:/bin', CARGO_HOME: path.join(folder, 'target/cargo-home') };
}

/**
 * The module's bytes, compiled now; half a minute.
 * @throws Error when the compiler is not here, or fails: it says why on this terminal.
 */
export function compileModule(folder) {
  mkdirSync(path.join(folder, 'target/cargo-home'), { recursive: true });
  execFileSync(TOOLS.cargo, ['build', '--release', '--locked', '--offline', '--quiet'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: plainEnvironment(folder),
  });
  const built = `${path.basename(folder).replaceAll('-', '_')}_wasm.wasm`;
  const code = readFileSync(path.join(folder, 'target', TARGET, 'release', built));
  return Buffer.concat([
    code,
    madeSection({ ...compilerVersions(), sources: sourcesHash(folder), code: sha256(code) }),
  ]);
}

if (import.meta.filename === process.argv[1]) {
  if (process.argv.includes('--check')) {
    checkModules();
    process.exit(0);
  }
  installCompiler();
  const missing = missingTools();
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}\nOn Debian 12: apt-get install ${PACKAGES.join(' ')}`);
    process.exit(1);
  }
  for (const folder of moduleFolders()) {
    const bytes = compileModule(folder);
    writeFileSync(moduleFile(folder), bytes);
    console.log(`${path.relative(root, moduleFile(folder))}: ${bytes.length} bytes`);
  }
}
