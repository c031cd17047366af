/** Lists that parts of the pages contribute for the time they are shown. */
interface Registry<Entry> {
  /** Adds a list; returns the function that removes it. */
  add(entries: readonly Entry[]): () => void;
  /** Every entry, in the order of the lists. The same array until a list changes. */
  all(): readonly Entry[];
  onChange(listener: () => void): () => void;
}

/** Creates an empty registry. */
export function createRegistry<Entry>(): Registry<Entry> {
  const lists = new Set<readonly Entry[]>();
  const listeners = new Set<() => void>();
  let entries: readonly Entry[] = [];
  const update = (): void => {
    entries = [...lists].flat();
    for (const listener of listeners) listener();
  };
  return {
    add: (added) => {
      // A copy, so that one list can be added twice.
      const list = [...added];
      lists.add(list);
      update();
      return () => {
        lists.delete(list);
        update();
      };
    },
    all: () => entries,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
