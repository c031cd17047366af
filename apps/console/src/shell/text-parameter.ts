/** Returns a parameter of an address as a text; a text of digits is a number once the address is parsed. */
export function textParameter(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
