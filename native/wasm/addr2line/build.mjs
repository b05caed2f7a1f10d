// Builds addr2line.wasm beside this file: with rustup's cargo where it has the target, else with Debian's packages.
// Prints one line about what it did; exits with 1 (and a reason) when no Rust for WebAssembly can be had.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const target = 'wasm32-unknown-unknown';
const output = path.join(here, 'addr2line.wasm');
const built = path.join(here, 'target', target, 'release', 'addr2line_wasm.wasm');
const debianRegistry = '/usr/share/cargo/registry';

function upToDate() {
  if (!existsSync(output)) return false;
  const made = statSync(output).mtimeMs;
  return ['src/lib.rs', 'Cargo.toml', 'build.mjs'].every((file) => statSync(path.join(here, file)).mtimeMs < made);
}

/** Where Debian keeps the linker for WebAssembly: its name carries the version. */
function debianLinker() {
  return ['14', '15', '16', '17', '18', '19']
    .map((version) => `/usr/bin/wasm-ld-${version}`)
    .find((file) => existsSync(file));
}

function buildWithDebian() {
  const linker = debianLinker();
  if (!existsSync('/usr/bin/cargo') || !existsSync(path.join(debianRegistry, 'addr2line-0.19.0')) || !linker)
    return false;
  const home = path.join(here, 'target', 'cargo-home');
  mkdirSync(home, { recursive: true });
  const config = `[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "${debianRegistry}"\n[target.${target}]\nlinker = "${linker}"\n`;
  writeFileSync(path.join(home, 'config.toml'), config);
  const environment = { ...process.env, PATH: '/usr/bin:/bin', CARGO_HOME: home };
  delete environment.RUSTUP_TOOLCHAIN;
  execFileSync('/usr/bin/cargo', ['build', '--release', '--offline', '--target', target], {
    cwd: here,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment,
  });
  return true;
}

function buildWithRustup() {
  const installed = spawnSync('rustup', ['target', 'list', '--installed'], { encoding: 'utf8' });
  if (installed.status !== 0 || !installed.stdout.includes(target)) return false;
  return spawnSync('cargo', ['build', '--release', '--target', target], { cwd: here, stdio: 'inherit' }).status === 0;
}

if (upToDate()) {
  console.log('addr2line.wasm is up to date');
} else if (buildWithDebian() || buildWithRustup()) {
  copyFileSync(built, output);
  console.log(`addr2line.wasm: ${statSync(output).size} bytes`);
} else {
  console.error(
    'addr2line.wasm was not built: neither rustup with the target wasm32-unknown-unknown nor the Debian packages\n' +
      'cargo, rustc, libstd-rust-dev-wasm32, librust-addr2line-dev, librust-gimli-dev and lld-14 were found.',
  );
  process.exitCode = 1;
}
