import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'webview/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/build-when-stale.ts'],
    setupFiles: ['test/support/seeded.ts'],
    exclude: ['**/node_modules/**', 'test/workbench/**'],
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
