/** A map, weak or not. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** What is kept under a key, made when it is asked for first. Not for what happens once an event: it takes a closure. */
export function getOrCreate<Key, Value>(kept: Kept<Key, Value>, key: Key, create: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const created = create();
  kept.set(key, created);
  return created;
}

/** Appends an item to the group of a key, which begins with it if there is none. */
export function addToGroup<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Groups in the order of their first items, each in the order of `items`. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) addToGroup(groups, keyOf(item), item);
  return groups;
}
