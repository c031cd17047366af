import type { Snapshot } from "@rowhouse/db";
import { encodeName } from "@rowhouse/wire";
import { namesOfRelation, readRelationKey, relationPath } from "../documents/document-name.ts";
import type { Step } from "../model/part.ts";
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
  {
    roles,
    tables,
    views,
  }: { readonly roles: Renaming; readonly tables: Renaming; readonly views: Renaming },
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
      const document =
        tables.get(relationPath("tables", { schema, name })) ??
        views.get(relationPath("views", { schema, name }));
      return resourceOf(key) ?? resourceOf(document?.value.renamedFrom ?? "") ?? null;
    },
  };
}

/**
 * Returns the identity of the table or view that a step changes: another one may get its name before the apply. Null for a
 * step of something else, and for a relation that is yet to be created.
 */
export function relationMeant(
  { catalogue }: Pick<Snapshot, "catalogue">,
  { kind, subject, document }: Pick<Step, "kind" | "subject" | "document">,
): number | null {
  const find = (schema = "", name = "") => catalogue.relationByName(schema, name)?.oid;
  const [noun] = kind.split(".");
  if (noun === "table" || noun === "view") {
    const { schema, name } = readRelationKey(subject) ?? {};
    return find(schema, name) ?? null;
  }
  if (noun !== "resource") return null;
  const [schema, name] =
    namesOfRelation("tables", document) ?? namesOfRelation("views", document) ?? [];
  return find(schema, name) ?? null;
}
