interface Entry<Item> {
  readonly item: Item;
  readonly oldIndex: number;
  readonly before: Entry<Item> | undefined;
}

/**
 * Returns the largest set of items that are still in their old order among themselves. The other items have moved.
 *
 * @param oldIndexOf returns the old index of an item; indexes are unique
 */
export function stayingIn<Item>(
  items: readonly Item[],
  oldIndexOf: (item: Item) => number,
): Item[] {
  // Longest increasing subsequence: for each length, keep the subsequence that ends lowest.
  const lowest: Entry<Item>[] = [];
  for (const item of items) {
    const oldIndex = oldIndexOf(item);
    const above = lowest.findIndex((entry) => entry.oldIndex > oldIndex);
    const length = above === -1 ? lowest.length : above;
    lowest[length] = { item, oldIndex, before: lowest[length - 1] };
  }
  const staying: Item[] = [];
  for (let entry = lowest.at(-1); entry !== undefined; entry = entry.before) {
    staying.push(entry.item);
  }
  return staying.reverse();
}
