/**
 * What can be asked of a session is grouped by topic: an object whose methods take plain data and promise plain data. As the
 * last value a method may take hooks. The types of both sides of the worker are derived from the one object that answers.
 */

/** How a long answer is watched; the last value of any method. */
export interface Hooks {
  /** Share of the work that is done, 0 to 1; undefined when it cannot be known. */
  progress?: (share: number | undefined) => void;
  signal?: AbortSignal;
}

type Method = (...values: never[]) => Promise<unknown>;

/** The methods of a topic as others call them. One that promises nothing cannot cross, so that nobody can call it. */
type Methods<Topic> = {
  readonly [Name in keyof Topic]: Topic[Name] extends Method ? Topic[Name] : never;
};

/** Topics as others ask them, wherever they answer. */
export type Remote<Topics> = { readonly [Topic in keyof Topics]: Methods<Topics[Topic]> };

type Ask = (method: string, values: readonly unknown[]) => Promise<unknown>;

/** A topic that is somewhere else: each method asks there. */
function askedTopic(ask: Ask): object {
  const methodOf = (name: string | symbol): unknown =>
    // Whoever awaits the topic itself looks for `then`.
    typeof name === 'symbol' || name === 'then' ? undefined : (...values: unknown[]) => ask(name, values);
  return new Proxy(
    {},
    {
      get: (_, name) => methodOf(name),
      getOwnPropertyDescriptor: (_, name) => {
        const value = methodOf(name);
        return value === undefined ? undefined : { value, configurable: true, enumerable: true };
      },
    },
  );
}

/** All topics of the far side. @param ask sends a question there. */
export function remote<Topics>(
  ask: (topic: string, method: string, values: readonly unknown[]) => Promise<unknown>,
): Remote<Topics> {
  const topics = new Map<string, object>();
  const topicOf = (topic: string): object => {
    const known = topics.get(topic) ?? askedTopic((method, values) => ask(topic, method, values));
    topics.set(topic, known);
    return known;
  };
  const all = new Proxy(
    {},
    { get: (_, topic) => (typeof topic === 'symbol' || topic === 'then' ? undefined : topicOf(topic)) },
  );
  return all as Remote<Topics>;
}

/** A topic whose code is loaded with the first question. */
export function lazily<Topic extends object>(load: () => Promise<Topic>): Methods<Topic> {
  let loaded: Promise<Topic> | undefined;
  return askedTopic(async (method, values) => {
    loaded ??= load();
    return callMethod(await loaded, method, values);
  }) as Methods<Topic>;
}

/**
 * Calls what a message names.
 * @throws RangeError when there is no such topic, or it has no such method.
 */
export async function callTopic(
  topics: object,
  topic: string,
  method: string,
  values: readonly unknown[],
): Promise<unknown> {
  const named = Object.hasOwn(topics, topic) ? (topics as Record<string, unknown>)[topic] : undefined;
  if (typeof named !== 'object' || named === null) throw new RangeError(`there is no topic ${topic}`);
  return callMethod(named, method, values);
}

async function callMethod(topic: object, name: string, values: readonly unknown[]): Promise<unknown> {
  const method = hasMethod(topic, name) ? (topic as Record<string, unknown>)[name] : undefined;
  if (typeof method !== 'function') throw new RangeError(`there is no method ${name}`);
  return (await Reflect.apply(method, topic, values)) as unknown;
}

/** Whether a name is one of the topic or of its class: nothing that every object has may be called. */
function hasMethod(topic: object, name: string): boolean {
  if (Object.hasOwn(topic, name)) return true;
  const type = Object.getPrototypeOf(topic) as object | null;
  return type !== null && type !== Object.prototype && name !== 'constructor' && Object.hasOwn(type, name);
}
