import type { EffectiveGrant, Principal } from "@rowhouse/access";
import type { Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritable } from "./authorize-write.ts";
import { Visibility } from "./visible.ts";

/** The grants by which a principal may create or change rows of a relation; empty without the right or the exposure. */
export interface WriteGrants {
  readonly create: readonly EffectiveGrant[];
  readonly update: readonly EffectiveGrant[];
}

/** Returns the grants of a principal for writes to a relation. */
export function writeGrantsOf(
  relation: Relation,
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
): WriteGrants {
  const visibility = new Visibility(snapshot, principal);
  const { kind, exposedMethods } = relation.resource;
  const grantsFor = (action: "CREATE" | "UPDATE", method: "POST" | "PATCH") => {
    const access = visibility.accessTo(relation, action);
    const isOpen = kind === "TABLE" && exposedMethods.includes(method);
    return isOpen && access.kind === "GRANTED" ? access.grants : [];
  };
  return { create: grantsFor("CREATE", "POST"), update: grantsFor("UPDATE", "PATCH") };
}

/** The columns that a principal may set in a new row and in an existing one. */
export interface WritableFields {
  readonly create: readonly string[];
  readonly update: readonly string[];
}

/** Lists the columns that a caller may set under these grants. */
export function writableFields(relation: Relation, grants: WriteGrants): WritableFields {
  const fieldsOf = (given: readonly EffectiveGrant[]) =>
    relation.columns.map(({ name }) => name).filter((name) => isWritable(relation, given, name));
  return { create: fieldsOf(grants.create), update: fieldsOf(grants.update) };
}

/** Lists the columns that grants set in place of the caller, who may not set them. */
export function presetFields(relation: Relation, grants: WriteGrants): WritableFields {
  const fieldsOf = (given: readonly EffectiveGrant[]) => {
    const preset = new Set(given.flatMap((grant) => [...grant.presets.keys()]));
    return relation.columns
      .map(({ name }) => name)
      .filter((name) => preset.has(name) && !given.some((grant) => covers(grant, name)));
  };
  return { create: fieldsOf(grants.create), update: fieldsOf(grants.update) };
}
