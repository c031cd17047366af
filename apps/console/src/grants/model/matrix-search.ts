import { type ResourceEntry, resourceName } from "../../shell/resource-queries.ts";
import { textParameter } from "../../shell/text-parameter.ts";
import type { Role } from "./grant-queries.ts";

/** What the matrix shows, as its address has it. */
export interface MatrixSearch {
  /** A part of `schema.name` or of the label. */
  readonly search?: string | undefined;
  readonly schema?: string | undefined;
  /** The id of the only role. */
  readonly role?: string | undefined;
  /** Whether the tables that nothing exposes are unfolded; without it, they are if no other is shown. */
  readonly hidden?: "open" | "folded" | undefined;
}

/** Reads the parameters of an address. */
export function readMatrixSearch(raw: Readonly<Record<string, unknown>>): MatrixSearch {
  return {
    search: textParameter(raw.search),
    schema: textParameter(raw.schema),
    role: textParameter(raw.role),
    hidden: raw.hidden === "open" || raw.hidden === "folded" ? raw.hidden : undefined,
  };
}

/** Returns the resources of the matrix, by schema and name. */
export function resourcesOf(
  all: readonly ResourceEntry[],
  { search = "", schema }: MatrixSearch,
): readonly ResourceEntry[] {
  const wanted = search.toLowerCase();
  return all
    .filter((one) => schema === undefined || one.schema === schema)
    .filter((one) => `${resourceName(one)} ${one.label ?? ""}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.schema.localeCompare(b.schema) || a.name.localeCompare(b.name));
}

/** Returns the roles of the matrix, by name. Members of Administrators need no grant. */
export function rolesOf(all: readonly Role[], { role }: MatrixSearch): readonly Role[] {
  return all
    .filter((one) => !one.isAdministrators && (role === undefined || one.id === role))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
