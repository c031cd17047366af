import type { NavigationResource } from "../../shell/navigation.ts";
import { kindOf, type RowKey } from "../model/resource.ts";

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
  return [...parts, key.map(encodeURIComponent).join()].join("/");
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
  const key = keyText.split(",").map(decoded);
  if (resource === undefined || key.length !== resource.primaryKey.length) return null;
  return { resource, key };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
