const mebibyte = 1024 * 1024;

/** Bytes of the first chunk, and the bounds of the others. A chunk is one request, and at most that much is sent twice. */
export const chunkBytes = { first: mebibyte, min: mebibyte / 4, max: 16 * mebibyte } as const;

/** A chunk should take about a second, so that progress is visible and a lost connection costs little. */
const fastMs = 500;
const slowMs = 2000;

/** Returns the size of the chunk after one of `bytes` that took `elapsedMs`. */
export function nextChunkBytes(bytes: number, elapsedMs: number): number {
  if (elapsedMs < fastMs) return Math.min(chunkBytes.max, bytes * 2);
  return elapsedMs > slowMs ? Math.max(chunkBytes.min, bytes / 2) : bytes;
}
