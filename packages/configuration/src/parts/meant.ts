import type { Snapshot } from "@rowhouse/db";
import { encodeName } from "@rowhouse/wire";
import { readRelationKey, relationPath } from "../documents/document-name.ts";
import { roleIdOf } from "./role-id.ts";

/** The ids of what names in documents stand for, null for what is yet to be created. */
export interface Meant {
  readonly resource: (key: string) => string | null;
  readonly role: (name: string) => string | null;
}

/** Documents by path, each with the former name of what it describes. */
type Renaming = ReadonlyMap<string, { readonly value: { readonly renamedFrom: string | null } }>;

/** Returns what names stand for; what the documents rename is found by its present name. */
export function meantBy(
  { roles, tables }: { readonly roles: Renaming; readonly tables: Renaming },
  snapshot: Snapshot,
): Meant {
  const roleOf = (name: string) => roleIdOf(snapshot, name);
  const resourceOf = (key: string) => {
    const { schema = "", name = "" } = readRelationKey(key) ?? {};
    return snapshot.catalogue.relationByName(schema, name)?.resource.id;
  };
  return {
    role: (name) => {
      const former = roles.get(`roles/${encodeName(name)}.yaml`)?.value.renamedFrom;
      return roleOf(name) ?? roleOf(former ?? "") ?? null;
    },
    resource: (key) => {
      const { schema = "", name = "" } = readRelationKey(key) ?? {};
      const former = tables.get(relationPath("tables", { schema, name }))?.value.renamedFrom;
      return resourceOf(key) ?? resourceOf(former ?? "") ?? null;
    },
  };
}
