import type { Snapshot } from "@rowhouse/db";
import { readRelationKey, relationKey } from "../documents/document-name.ts";
import type { Documents } from "../model/part.ts";
import { type Meant, meantBy } from "./meant.ts";
import { roleIdOf } from "./role-id.ts";
import { rolesPart } from "./roles.ts";
import { tablesPart } from "./tables/tables-part.ts";
import { viewsPart } from "./views/views-part.ts";

/** The names that relations and roles get from their documents, by their present ones; undefined for one that stays. */
export interface Renames {
  readonly resource: (key: string) => string | undefined;
  readonly role: (name: string) => string | undefined;
}

/** Returns what the documents rename. Whatever refers to it by id follows, so that its document does not change it. */
export function renamesIn(documents: Documents, snapshot: Snapshot): Renames {
  const { catalogue } = snapshot;
  const hasRelation = (key: string) => {
    const { schema = "", name = "" } = readRelationKey(key) ?? {};
    return catalogue.relationByName(schema, name) !== undefined;
  };
  const relations = [documents.of(tablesPart), documents.of(viewsPart)].flatMap((found) =>
    [...found.values()].map(
      ({ names: [schema = "", name = ""], value }) =>
        [value.renamedFrom, relationKey(schema, name)] as const,
    ),
  );
  const roles = [...documents.of(rolesPart).values()].map(
    ({ names: [name = ""], value }) => [value.renamedFrom, name] as const,
  );
  const resources = renamed(relations, hasRelation);
  const names = renamed(roles, (name) => roleIdOf(snapshot, name) !== undefined);
  return { resource: (key) => resources.get(key), role: (name) => names.get(name) };
}

/** Returns what names in documents stand for. */
export function meantIn(documents: Documents, snapshot: Snapshot): Meant {
  const [roles, tables] = [documents.of(rolesPart), documents.of(tablesPart)];
  return meantBy({ roles, tables, views: documents.of(viewsPart) }, snapshot);
}

function renamed(
  pairs: readonly (readonly [string | null, string])[],
  exists: (name: string) => boolean,
): ReadonlyMap<string, string> {
  return new Map(
    pairs.flatMap(([from, to]) =>
      from !== null && exists(from) && !exists(to) ? [[from, to] as const] : [],
    ),
  );
}

/** Returns the names of the roles that exist once these documents have been applied. */
export function roleNames({ roles }: Snapshot, documents: Documents): ReadonlySet<string> {
  const present = [...roles.values()];
  if (!documents.parts.has(rolesPart.name)) return new Set(present.map(({ name }) => name));
  const administrators = present.filter(({ isAdministrators }) => isAdministrators);
  const wanted = [...documents.of(rolesPart).values()].flatMap(({ names }) => names);
  return new Set([...administrators.map(({ name }) => name), ...wanted]);
}
