/**
 * Returns the condition that a row names an object. It reads one snapshot, so a key that moves from an upload to a file
 * is never missed.
 *
 * @param key an SQL expression
 */
export function isNamedSql(key: string): string {
  const tables = ["files", "uploads", "upload_segments", "file_variants"];
  return `(${tables.map((table) => `exists (select from system.${table} n where n.storage_key = ${key})`).join(" or ")})`;
}
