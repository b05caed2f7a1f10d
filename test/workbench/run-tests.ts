/* oxlint-disable no-console -- the console is a suite's only way out of the extension host */
import type { Suite } from './suite/host.ts';

/** Milliseconds after which a test has hung: the others still run, and it is named. */
const LONGEST = 120_000;

async function inTime(test: () => Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end within ${LONGEST / 1000} s`)), LONGEST);
  });
  try {
    await Promise.race([test(), hung]);
  } finally {
    clearTimeout(timer);
  }
}

/** Words of the names of the tests that are wanted, to repeat one: all where it is not set, and in a browser. */
const wanted = typeof process === 'undefined' ? '' : (process.env['IOLENS_HOST_TEST'] ?? '');

/** Runs tests one after the other; fails when one of them did. */
export async function runTests(tests: Suite, afterEach: () => Promise<void>): Promise<void> {
  const failed: string[] = [];
  for (const [name, test] of Object.entries(tests)) {
    if (!name.includes(wanted)) continue;
    try {
      await inTime(test);
      console.log(`  ✓ ${name}`);
    } catch (error) {
      failed.push(name);
      console.log(`  ✗ ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    await afterEach();
  }
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${Object.keys(tests).length} failed: ${failed.join('; ')}`);
}
