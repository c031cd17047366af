import { readName } from "@rowhouse/access/written-name";
import type { NavigationResource } from "../../shell/navigation.ts";
import { isEqual } from "../model/is-equal.ts";
import type { Row } from "../model/resource.ts";
import type { Filter } from "./rows-address.ts";

/**
 * Returns the values that each row of a filter has: those that it requires to be equal. A new row with them is one of these
 * rows. A column with two different values has none.
 *
 * @param userId the person, for a filter by `$USER.id`
 */
export function equalValues(
  where: Filter | undefined,
  resource: NavigationResource,
  userId: string | undefined,
): Row {
  const found = new Map<string, unknown>();
  const refused = new Set<string>();
  const set = (name: string, given: unknown): void => {
    const value = given === "$USER.id" ? userId : given;
    const column = resource.columns.find((one) => one.name === name);
    // Another variable, such as a time, has another value when the row is created.
    const isVariable = typeof value === "string" && value.startsWith("$");
    if (column?.creatable !== true || value === null || value === undefined || isVariable) return;
    if (found.has(name) && !isEqual(found.get(name), value)) refused.add(name);
    found.set(name, value);
  };
  const read = (filter: unknown): void => {
    if (!isFilter(filter)) return;
    for (const [written, condition] of Object.entries(filter)) {
      if (written === "_and" && Array.isArray(condition)) for (const one of condition) read(one);
      if (written.startsWith("_") || !isFilter(condition)) continue;
      const name = readName(written);
      const value = equalOf(condition);
      if (value !== undefined) set(name, value);
      else readRelation(name, condition);
    }
  };
  // `{"customer": {"id": {"_eq": 7}}}` requires the column that refers to the customer to be 7.
  const readRelation = (name: string, condition: Filter): void => {
    const relation = resource.relations.find(
      (one) => one.name === name && one.foreignKey === "OWN",
    );
    for (const { from, to } of relation?.columns ?? []) {
      const entry = Object.entries(condition).find(([written]) => readName(written) === to);
      const value = isFilter(entry?.[1]) ? equalOf(entry[1]) : undefined;
      if (value !== undefined) set(from, value);
    }
  };
  read(where);
  return Object.fromEntries([...found].filter(([name]) => !refused.has(name)));
}

function equalOf(condition: Filter): unknown {
  const { _eq, _in } = condition;
  if (_eq !== undefined) return typeof _eq === "object" ? undefined : _eq;
  return Array.isArray(_in) && _in.length === 1 && typeof _in[0] !== "object" ? _in[0] : undefined;
}

function isFilter(value: unknown): value is Filter {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
