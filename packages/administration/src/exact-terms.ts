import { exactNumberText } from "@rowhouse/json";

/**
 * A part of a grant with every number that a double would change as text: filters and presets take digits as text, and
 * every reader of JSON keeps them that way.
 */
export function keepDigits(value: unknown): unknown {
  const digits = exactNumberText(value);
  if (digits !== undefined) return digits;
  if (Array.isArray(value)) return value.map(keepDigits);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, keepDigits(item)]),
  );
}
