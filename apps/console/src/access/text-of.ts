/** Returns a parameter of an address that is a text or a number; undefined for an empty one and for any other form. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" ? text : undefined;
}
