import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** `npm run test:fast` needs no tools: it leaves out the tests that start other programs. */
function startingPrograms(): string[] {
  const tests = ['src', 'webview'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const means = /node:child_process|support\/(apply-fix|fix-programs|programs)\.ts/;
  return tests.filter((test) => means.test(readFileSync(test, 'utf8')));
}

/** As scripts/build.mjs does it: a compiled module is imported as Base64. */
const modulesAsText = {
  name: 'modules as text',
  enforce: 'pre',
  load: (id: string) =>
    id.endsWith('.wasm') ? `export default ${JSON.stringify(readFileSync(id, 'base64'))}` : undefined,
} as const;

const isFast = process.env['IOLENS_TESTS'] === 'fast';

export default defineConfig({
  plugins: [modulesAsText],
  test: {
    include: ['src/**/*.test.ts', 'webview/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/build-when-stale.ts'],
    setupFiles: ['test/support/seeded.ts', 'test/support/limited-children.ts'],
    exclude: ['**/node_modules/**', 'test/workbench/**', ...(isFast ? ['test/**', ...startingPrograms()] : [])],
    coverage: {
      include: ['src/**/*.ts', 'webview/**/*.ts'],
      reporter: ['json-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
    // Vitest would leave one processor to itself: of two that is half, while most tests wait for programs and pages.
    maxWorkers: availableParallelism(),
    // Real recordings and real compilers: slower than a unit test's default of five seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
