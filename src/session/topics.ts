/**
 * Methods of the session that belong together are a topic: an object of its own on both sides of the worker. A call of
 * one goes over as `topic.method`.
 */
type Ask = (method: string, values: unknown[]) => Promise<unknown>;

/** The far side of a topic: each of its methods, which all return promises and take plain data, asks the worker. */
export function remoteTopic<Methods extends object>(
  topic: string,
  methods: readonly (keyof Methods & string)[],
  ask: Ask,
): Methods {
  const entries = methods.map((name) => [name, (...values: unknown[]) => ask(`${topic}.${name}`, values)] as const);
  return Object.fromEntries(entries) as unknown as Methods;
}

/**
 * Calls what a message names on the near side.
 * @throws TypeError when there is no such method.
 */
export function callNamed(session: object, name: string, values: unknown[]): Promise<unknown> {
  const parts = name.split('.');
  const method = parts.pop()!;
  const owner = parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], session);
  return (owner as Record<string, (...all: unknown[]) => Promise<unknown>>)[method]!(...values);
}
