/** Statuses with which a server asks for a pause. */
const statuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns the pause that a response requests by `Retry-After`, in seconds or as a date.
 *
 * @param now in milliseconds since 1970
 * @returns milliseconds, 0 without a request or for a date in the past
 */
export function retryAfterMs(status: number, header: string | undefined, now: number): number {
  if (header === undefined || !statuses.has(status)) return 0;
  const text = header.trim();
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  // Three forms of dates exist; each begins with the name of a day.
  const moment = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text.slice(0, 40)) : Number.NaN;
  return Number.isNaN(moment) ? 0 : Math.max(0, moment - now);
}
