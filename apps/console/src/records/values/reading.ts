/** What a text means in a column: a value as the Data API takes and returns it, or a sentence for the person. */
export type Reading = { readonly value: unknown } | { readonly fault: string };

/** Whether a text was read. */
export function isRead(reading: Reading): reading is { readonly value: unknown } {
  return "value" in reading;
}
