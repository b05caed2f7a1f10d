import { expect, test } from 'vitest';
import { proposedBuild, proposedRun, type LookedAt } from './trial-commands.ts';

function looked(...names: string[]): LookedAt {
  const folders = names.filter((name) => name.includes('/')).map((name) => name.slice(0, name.indexOf('/')));
  return { folder: '/home/me/app', has: (name) => names.includes(name), folders };
}
const C = { name: 'app.c', language: 'c' } as const;

test.each([
  ['/home/me/app/bin/app -n 3', [], './bin/app -n 3'],
  ['/scratch/other/app in.nml', ['app'], './app in.nml'],
  ['/usr/bin/python3 run.py', [], '/usr/bin/python3 run.py'],
  ['app "two words" $HOME', ['app'], "./app 'two words' '$HOME'"],
  ['python3 run.py', [], 'python3 run.py'],
  ['', ['app'], ''],
])('%s is run where the program is', (recorded, names, run) => {
  expect(proposedRun(looked(...names), recorded)).toBe(run);
});

test.each([
  [['Makefile', 'CMakeLists.txt'], 'make'],
  [['CMakeLists.txt'], 'cmake -B build && cmake --build build'],
  [['CMakeLists.txt', 'out dir/CMakeCache.txt'], "cmake --build 'out dir'"],
  [['meson.build', 'b/meson-private'], 'meson compile -C b'],
  [[], 'cc -g -O2 -o app app.c'],
])('%j is built by %s', (names, build) => {
  expect(proposedBuild(looked(...names), C, './app in.nml')).toBe(build);
});

test('where nothing plain says how, nothing is proposed', () => {
  expect(proposedBuild(looked(), { ...C, name: 'src/app.c' }, './app')).toBe('');
  expect(proposedBuild(looked(), C, 'mpirun -n 4 ./app')).toBe('');
  expect(proposedBuild(looked(), { name: 'run.py', language: 'python' }, 'python3 run.py')).toBe('true');
});
