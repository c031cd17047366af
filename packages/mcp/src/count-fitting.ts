/**
 * Returns how many texts of JSON fit into a list, from the first one on.
 *
 * @param bytesMax limit of the list with its brackets and commas
 */
export function countFitting(items: Iterable<string>, bytesMax: number): number {
  let bytes = 2;
  let count = 0;
  for (const item of items) {
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > bytesMax) break;
    count += 1;
  }
  return count;
}
