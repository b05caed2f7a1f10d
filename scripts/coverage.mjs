// npm run coverage: which share of each room's lines the unit tests run. Programs that tests start (the built command, the
// recorder) and pages in Chromium are other processes, and count for nothing here.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './machine.mjs';

const { status } = spawnSync('npx', ['vitest', 'run', '--coverage', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
const summary = JSON.parse(readFileSync(path.join(root, '.cache/coverage/coverage-summary.json'), 'utf8'));
const rooms = new Map();
for (const [file, { lines }] of Object.entries(summary)) {
  if (file === 'total' || path.relative(root, file).startsWith('test')) continue;
  const room = path.relative(root, file).split(path.sep).slice(0, 2).join('/');
  const sum = rooms.get(room) ?? { covered: 0, total: 0 };
  rooms.set(room, { covered: sum.covered + lines.covered, total: sum.total + lines.total });
}
for (const [room, { covered, total }] of [...rooms].sort())
  console.log(`${room.padEnd(20)} ${((100 * covered) / total).toFixed(0).padStart(3)} % of ${total} lines`);
process.exitCode = status ?? 1;
