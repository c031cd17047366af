interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

const pageSize = 1000;

/** Loads every page of a list. */
export async function loadAll<Item>(
  load: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: ListPage<Item> = await load({
      limit: pageSize,
      ...(cursor === null ? {} : { cursor }),
    });
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  } while (cursor !== null);
  return items;
}
