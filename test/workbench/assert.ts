/** The part of node:assert/strict that suites use, for hosts without Node. */
class AssertionError extends Error {
  override name = 'AssertionError';
}

function ok(value: unknown, message = 'it is not so'): asserts value {
  if (!value) throw new AssertionError(message);
}

function equal(actual: unknown, expected: unknown, message = ''): void {
  ok(Object.is(actual, expected), `${message} ${show(actual)} is not ${show(expected)}`);
}

function deepEqual(actual: unknown, expected: unknown, message = ''): void {
  ok(show(actual) === show(expected), `${message} ${show(actual)} is not ${show(expected)}`);
}

function match(text: string, pattern: RegExp): void {
  ok(pattern.test(text), `${text.slice(0, 500)} does not match ${String(pattern)}`);
}

async function rejects(promise: Promise<unknown>, pattern: RegExp): Promise<void> {
  const message = await promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  ok(message !== undefined, 'it was not rejected');
  match(message, pattern);
}

function show(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

export default { ok, equal, deepEqual, match, rejects };
