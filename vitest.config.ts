import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LATE_COMPILATION } from './test/support/setup/late-compilation.ts';

/** The tests beside the code that start other programs, or want the build. */
function startingPrograms(): string[] {
  const tests = ['src', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const means = /'dist'|node:child_process|support\/(apply-fix|fix-programs|programs)\.ts/;
  return tests.filter((test) => means.test(readFileSync(test, 'utf8')));
}

/** As scripts/build.mjs does it: a compiled module is imported as Base64. */
const modulesAsText = {
  name: 'modules as text',
  enforce: 'pre',
  load: (id: string) =>
    id.endsWith('.wasm') ? `export default ${JSON.stringify(readFileSync(id, 'base64'))}` : undefined,
} as const;

const programs = startingPrograms();

export default defineConfig({
  plugins: [modulesAsText],
  test: {
    projects: [
      {
        extends: true,
        // They need no build and no tools, and leave nothing behind: modules are loaded once for all of them.
        test: {
          name: 'rooms',
          include: ['src/**/*.test.ts', 'webview/**/*.test.ts'],
          exclude: programs,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['test/**/*.test.ts', ...programs],
          globalSetup: ['test/support/setup/build-when-stale.ts'],
        },
      },
    ],
    setupFiles: ['test/support/seeded.ts', 'test/support/setup/limited-children.ts'],
    exclude: ['**/node_modules/**', 'test/workbench/**'],
    coverage: {
      include: ['src/**/*.ts', 'webview/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
    execArgv: [...LATE_COMPILATION],
    // Vitest would leave one processor to itself: of two that is half, while most tests wait for programs and pages.
    maxWorkers: availableParallelism(),
    // Real recordings and real compilers: slower than a unit test's default of five seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
