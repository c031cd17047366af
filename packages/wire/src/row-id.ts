/** Returns a key as a segment of a path, which cannot be empty: a comma alone is the empty text of a key with one column. */
export function writeRowId(key: readonly string[]): string {
  const isEmptyText = key.length === 1 && key[0] === "";
  return isEmptyText ? "," : key.map(encodeURIComponent).join(",");
}
