const bytesMax = 63;

/** Gives out constraint names of one table: readable, distinct, and never longer than Postgres keeps. */
export function createConstraintNames(): (table: string, column: string, kind: string) => string {
  const taken = new Set<string>();
  return (table, column, kind) => {
    for (let number = 0; ; number += 1) {
      const ending = `_${kind}${number === 0 ? "" : number}`;
      const name = cutToBytes(`${table}_${column}`, bytesMax - Buffer.byteLength(ending)) + ending;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
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
