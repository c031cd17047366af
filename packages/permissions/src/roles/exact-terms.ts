import { exactNumberText } from "@rowhouse/wire";

/**
 * Converts every number that a double cannot represent exactly to text. Filters and presets accept digits as text, and
 * every JSON parser preserves text.
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
