/* eslint no-console: off -- the console is a suite's only way out of the extension host */

export type Tests = Readonly<Record<string, () => Promise<void>>>;

/** Waits until a condition holds; the test fails with what was seen last when it never does. */
export async function until<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  what: string,
): Promise<Value> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never happened: ${what}`);
}

/** Runs tests one after the other; fails when one of them did. */
export async function runTests(tests: Tests, afterEach: () => Promise<void>): Promise<void> {
  const failed: string[] = [];
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
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
