const bytesMax = 63;

/**
 * Gives out constraint names of one table: readable, distinct, and never longer than Postgres keeps.
 *
 * @param existing names that are taken already
 */
export function createConstraintNames(
  existing: Iterable<string> = [],
): (table: string, column: string, kind: string) => string {
  const taken = new Set(existing);
  return (table, column, kind) => {
    for (let number = 0; ; number += 1) {
      const name = composeName(table, column, kind, number);
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
}

/** The column that a constraint's name was made for by `createConstraintNames`; undefined for none, or several. */
export function guessOwner(
  constraint: string,
  table: string,
  columns: readonly string[],
  kind: string,
): string | undefined {
  const number = Number(/[1-9][0-9]*$/.exec(constraint)?.[0] ?? 0);
  const owners = columns.filter(
    (column) => composeName(table, column, kind, number) === constraint,
  );
  return owners.length === 1 ? owners[0] : undefined;
}

function composeName(table: string, column: string, kind: string, number: number): string {
  const ending = `_${kind}${number === 0 ? "" : number}`;
  return cutToBytes(`${table}_${column}`, bytesMax - Buffer.byteLength(ending)) + ending;
}

/** The longest beginning of `text` that fits, whole characters only. */
function cutToBytes(text: string, bytes: number): string {
  let result = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    result += character;
  }
  return result;
}
