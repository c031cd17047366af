import type { Snapshot } from "@rowhouse/db";
import { z } from "zod";
import { readRelationKey, relationKey } from "../../documents/document-name.ts";
import type { Renames } from "../renames.ts";
import { roleIdOf } from "../role-id.ts";

/** The key of a table or a view. */
export const resourceSchema = z
  .string()
  .refine((key) => readRelationKey(key) !== undefined, "Must be a table or a view: schema.table");

/** The names of the roles that may open a reading. */
export const rolesSchema = z
  .array(z.string())
  .max(200)
  .refine((roles) => new Set(roles).size === roles.length, "A role may be named only once")
  .default([]);

/** Names in place of ids, ids in place of names, or names in place of former ones; undefined to keep one. */
export type ReadingNames = Renames;

/** Returns the names of ids. */
export function namesIn({ catalogue, roles }: Snapshot): ReadingNames {
  return {
    resource: (id) => {
      const relation = catalogue.relationByResource(id.toLowerCase());
      return relation && relationKey(relation.schema, relation.name);
    },
    role: (id) => roles.get(id.toLowerCase())?.name,
  };
}

/** Returns the ids of names. */
export function idsIn(snapshot: Snapshot): ReadingNames {
  return {
    resource: (key) => {
      const { schema = "", name = "" } = readRelationKey(key) ?? {};
      return snapshot.catalogue.relationByName(schema, name)?.resource.id;
    },
    role: (name) => roleIdOf(snapshot, name),
  };
}
