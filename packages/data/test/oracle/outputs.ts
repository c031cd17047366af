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

/** Returns the type of a result; null if the field's type does not support it. */
export function typeOfOutput({ apply, unit, part }: Output, type: TypeName): TypeName | null {
  const isNumber = type === "int" || type === "bigint" || type === "numeric";
  switch (apply) {
    case "count":
    case "count_distinct":
      return "bigint";
    case "sum":
    case "avg":
      return isNumber ? "numeric" : null;
    case "min":
    case "max":
      return ["boolean", "uuid", "jsonb"].includes(type) ? null : type;
    default:
      if (unit === null && part === undefined) return type;
      if (type !== "date" && type !== "timestamptz") return null;
      return part === undefined ? type : "int";
  }
}

/** A number of related rows as the result of an aggregate over them. */
export function outputOf({ name, apply = "count", aliases }: Path): Output {
  const path = name === null ? null : { steps: [], name };
  return { apply, path, unit: null, alias: aliases?.name };
}
