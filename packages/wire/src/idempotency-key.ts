export const malformedIdempotencyKey =
  "An idempotency key must have 1 to 255 printable characters without spaces";

/** Whether a text can be an `Idempotency-Key`, or the id by which a sender marks a repeated delivery. */
export function isIdempotencyKey(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}
