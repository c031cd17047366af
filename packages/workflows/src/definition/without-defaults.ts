import { isDeepStrictEqual } from "node:util";
import { isObject } from "@rowhouse/wire";
import type { z } from "zod";
import { type Definition, definitionSchema } from "./definition.ts";

/** Returns a definition without what its schema completes, as its author would write it. */
export function withoutDefaults(definition: Definition): unknown {
  return compact(definitionSchema, definition);
}

function compact(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "default":
    case "optional":
    case "nullable":
      return compact(def.innerType, value);
    case "lazy":
      return compact(def.getter(), value);
    case "array":
      return Array.isArray(value) ? value.map((item) => compact(def.element, item)) : value;
    case "union":
      return isObject(value) ? compactObject(objectOf(def, value), value) : value;
    case "object":
      return isObject(value) ? compactObject(def, value) : value;
    default:
      return value;
  }
}

/** Returns the alternative of a union that describes an object. */
function objectOf(
  { options, ...def }: z.core.$ZodUnionDef,
  value: Readonly<Record<string, unknown>>,
): z.core.$ZodObjectDef | undefined {
  const key = "discriminator" in def ? String(def.discriminator) : undefined;
  return options
    .filter((option) =>
      key === undefined ? true : option._zod.propValues?.[key]?.has(value[key] as string) === true,
    )
    .map((option) => (option as z.core.$ZodTypes)._zod.def)
    .find((option) => option.type === "object");
}

function compactObject(
  def: z.core.$ZodObjectDef | undefined,
  value: Readonly<Record<string, unknown>>,
): unknown {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      const part = def?.shape[key];
      if (part === undefined) return [[key, item]];
      const { def: own } = (part as z.core.$ZodTypes)._zod;
      const isDefault = own.type === "default" && isDeepStrictEqual(own.defaultValue, item);
      return isDefault ? [] : [[key, compact(part, item)]];
    }),
  );
}
