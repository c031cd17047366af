import type { Output, Path, TypeName } from "./model.ts";
import { writePath } from "./relations.ts";

/** Returns the name of a result: `sum_price`, `created_at_month`, `status`. */
export function nameOfOutput({ apply, path, unit, part, alias }: Output): string {
  if (alias != null) return alias;
  const field = path === null ? "" : writePath(path);
  if (apply !== null) return path === null ? apply : `${apply}_${field}`;
  if (part !== undefined) return `${field}_part_${part}`;
  return unit === null ? field : `${field}_${unit}`;
}

const withoutLeast: ReadonlySet<TypeName> = new Set<TypeName>([
  ...(["boolean", "uuid", "jsonb", "int4range", "int4multirange"] as const),
]);

/** Returns the type of a result; null if the field's type does not support it. */
export function typeOfOutput(
  { apply, path, unit, part, expression }: Output,
  type: TypeName,
): TypeName | null {
  if (expression !== undefined) return "numeric";
  const isInside = path?.inside !== undefined;
  switch (apply) {
    case "count":
    case "count_distinct":
      return "bigint";
    case "sum":
    case "avg":
      return isInside || isNumeric(type) ? "numeric" : null;
    case "min":
    case "max":
      return !isInside && withoutLeast.has(type) ? null : type;
    default:
      if (unit === null && part === undefined) return type;
      if (type !== "date" && type !== "timestamptz") return null;
      return part === undefined ? type : "int";
  }
}

/** A number of related rows as the result of an aggregate over them. */
export function outputOf({ name, inside, apply = "count", expression, aliases }: Path): Output {
  const keys = inside === undefined ? {} : { inside };
  const path = name === null ? null : { steps: [], name, ...keys };
  return { apply, path, unit: null, expression, alias: aliases?.name };
}

/** Whether values of the type are numbers. */
export const isNumeric = (type: TypeName): boolean =>
  type === "int" || type === "bigint" || type === "numeric";
