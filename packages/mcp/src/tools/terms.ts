import { isObject } from "@rowhouse/wire";
import { z } from "zod";

/** Arguments that several tools have. The Data API validates the terms themselves. */
export const schemaName = z.string().min(1).max(63);
export const resourceNameInput = z.string().min(1).max(63);
export const terms = z.array(z.string().max(1000)).max(200);
export const key = z.array(z.string().max(10_000)).min(1).max(32);
/** A JSON object, with all its keys: `z.record` would drop `__proto__`. */
export const dataObject = z
  .unknown()
  .check(({ value, issues }) => {
    if (isObject(value)) return;
    issues.push({ code: "invalid_type", expected: "record", input: value });
  })
  .meta({ type: "object", additionalProperties: {} }) as z.ZodType<
  Record<string, unknown>,
  Record<string, unknown>
>;
export const limit = z.int().min(1).max(100_000);
export const cursor = z.string().max(20_000);
export const search = z.string().max(1000);

/** The name of a resource in the journal. */
export function qualifiedNameOf(resource: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${resource.schema}.${resource.name}`;
}
