import { writeRowId } from "@rowhouse/wire";
import type { NavigationResource } from "../../shell/navigation.ts";
import { kindOf, type RowKey } from "./resource.ts";

/** A record by its resource and key. */
export interface RecordAddress {
  readonly resource: NavigationResource;
  readonly key: RowKey;
}

/** Opens another record on top of those that are open. */
export type PushRecord = (resource: NavigationResource, key: RowKey) => void;

/** Writes the address of a record as `schema/table/name/key`. */
export function recordPath(
  resource: Pick<NavigationResource, "schema" | "kind" | "name">,
  key: RowKey,
): string {
  const { schema, name } = resource;
  const parts = [schema, kindOf(resource), name].map(encodeURIComponent);
  return [...parts, writeRowId(key)].join("/");
}

/** Reads the address of a record; null if this person has no such resource, or the key has another form. */
export function readRecordPath(
  path: string,
  resources: readonly NavigationResource[],
): RecordAddress | null {
  const parts = path.split("/");
  if (parts.length !== 4) return null;
  const [schema, kind, name, keyText = ""] = parts;
  const resource = resources.find(
    (one) =>
      encodeURIComponent(one.schema) === schema &&
      kindOf(one) === kind &&
      encodeURIComponent(one.name) === name,
  );
  if (resource === undefined) return null;
  const isEmptyText = keyText === "," && resource.primaryKey.length === 1;
  const key = isEmptyText ? [""] : keyText.split(",").map(decoded);
  if (key.length !== resource.primaryKey.length) return null;
  return { resource, key };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
