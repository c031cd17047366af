interface Entry<Item> {
  readonly item: Item;
  readonly oldIndex: number;
  readonly before: Entry<Item> | undefined;
}

/**
 * Of items in a new order, as many as possible that are in their old order among themselves: the others are those that
 * were moved.
 *
 * @param oldIndexOf where an item was; no two were in one oldIndex
 */
export function stayingIn<Item>(
  items: readonly Item[],
  oldIndexOf: (item: Item) => number,
): Item[] {
  // The longest increasing subsequence: of those of each length, the one that ends lowest.
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
