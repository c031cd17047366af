const bytesMax = 63;

/**
 * Creates a function that generates names for the constraints of one table: readable, distinct, and at most as long as
 * a Postgres identifier.
 *
 * @param existing names in use
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

/**
 * Returns the column for which `createConstraintNames` generated a constraint's name; undefined if there is none, or
 * more than one.
 */
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

/** Returns the longest prefix of `text` that fits, without splitting a character. */
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
