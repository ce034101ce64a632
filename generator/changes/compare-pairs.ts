/** The difference of two lists whose items are paired by key. */
interface PairOutcomes<Item> {
  added: (item: Item) => void;
  removed: (item: Item) => void;
  both: (before: Item, after: Item) => void;
}

/** Walks two lists in parallel. Keys are unique within a list; the order of the lists does not matter. */
export function comparePairs<Item>(
  previous: readonly Item[],
  next: readonly Item[],
  keyOf: (item: Item) => string,
  { added, removed, both }: PairOutcomes<Item>,
): void {
  const before = new Map(previous.map((item) => [keyOf(item), item]));
  const after = new Map(next.map((item) => [keyOf(item), item]));
  for (const [key, item] of before) if (!after.has(key)) removed(item);
  for (const [key, item] of after) {
    const old = before.get(key);
    if (old === undefined) added(item);
    else both(old, item);
  }
}
