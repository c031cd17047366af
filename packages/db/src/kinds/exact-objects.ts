import { keepDigits, roundNumbers } from "@rowhouse/wire";
import { z } from "zod";

/** An object whose numbers were read by `parseExactJson`; a number that a double cannot represent becomes text. */
export const exactObject = z
  .record(z.string(), z.unknown())
  .transform((value) => mapValues(value, keepDigits));

/** An object whose numbers were read by `parseExactJson`, with doubles. */
export const roundedObject = z
  .record(z.string(), z.unknown())
  .transform((value) => mapValues(value, roundNumbers));

function mapValues(value: Readonly<Record<string, unknown>>, map: (item: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]));
}
