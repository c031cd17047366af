import type { Snapshot } from "@rowhouse/db";
import type { Documents } from "../model/part.ts";
import { rolesPart } from "./roles.ts";

/** Returns the names of the roles that exist once these documents have been applied. */
export function roleNames({ roles }: Snapshot, documents: Documents): ReadonlySet<string> {
  const present = [...roles.values()];
  if (!documents.parts.has(rolesPart.name)) return new Set(present.map(({ name }) => name));
  const administrators = present.filter(({ isAdministrators }) => isAdministrators);
  const wanted = [...documents.of(rolesPart).values()].flatMap(({ names }) => names);
  return new Set([...administrators.map(({ name }) => name), ...wanted]);
}

/** Returns the id of the role with a name. */
export function roleIdOf({ roles }: Snapshot, name: string): string | undefined {
  return [...roles.values()].find((role) => role.name === name)?.id;
}
