import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
/** What the bundles are made of. */
const SOURCES = ['src', 'webview', 'scripts/build.mjs', 'native/wasm', 'package-lock.json'];

function newest(name: string): number {
  const status = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (status === undefined) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  const inside = readdirSync(path.join(root, name)).filter((entry) => entry !== 'target');
  return inside.reduce((latest, entry) => Math.max(latest, newest(`${name}/${entry}`)), 0);
}

/** Many tests run the built command or page: what they test is never older than the sources. */
export default function buildWhenStale(): void {
  // `npm run demo` builds the first of them alone.
  const built = Math.min(
    ...['cli.js', 'extension.js'].map(
      (name) => statSync(path.join(root, 'dist', name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  if (SOURCES.every((name) => newest(name) <= built)) return;
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed: see above');
}
