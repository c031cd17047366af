interface Entry<Item> {
  readonly item: Item;
  readonly place: number;
  readonly before: Entry<Item> | undefined;
}

/**
 * Of items in a new order, as many as possible that are in their old order among themselves: the others are those that
 * were moved.
 *
 * @param placeOf where an item was; no two were in one place
 */
export function stayingIn<Item>(items: readonly Item[], placeOf: (item: Item) => number): Item[] {
  // The longest increasing subsequence: of those of each length, the one that ends lowest.
  const lowest: Entry<Item>[] = [];
  for (const item of items) {
    const place = placeOf(item);
    const above = lowest.findIndex((entry) => entry.place > place);
    const length = above === -1 ? lowest.length : above;
    lowest[length] = { item, place, before: lowest[length - 1] };
  }
  const staying: Item[] = [];
  for (let entry = lowest.at(-1); entry !== undefined; entry = entry.before) {
    staying.push(entry.item);
  }
  return staying.reverse();
}
