import type { Catalogue, GrantRecord, Relation, Snapshot } from "@rowhouse/db";
import { type EffectiveGrant, type GrantTerms, resolveGrant } from "./meaning/grant-terms.ts";
import type { Principal } from "./principal.ts";

export type Action = GrantRecord["action"];

export type Access =
  /** No grant on the relation: it does not exist for this caller. */
  | { readonly kind: "UNKNOWN" }
  /** Grants on the relation, but none for this action. */
  | { readonly kind: "DENIED" }
  | { readonly kind: "GRANTED"; readonly grants: readonly EffectiveGrant[] };

const everything: EffectiveGrant = {
  id: null,
  fields: null,
  filter: null,
  check: null,
  presets: new Map(),
};

/** Combines the access of a principal's roles. Administrators have every action and field. */
export function accessTo(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  relation: Relation,
  action: Action,
): Access {
  const index = indexOf(snapshot.grants);
  const grants: EffectiveGrant[] = [];
  let known = false;
  for (const roleId of principal.roleIds) {
    if (snapshot.roles.get(roleId)?.isAdministrators === true) {
      return { kind: "GRANTED", grants: [everything] };
    }
    const records = index.get(roleId)?.get(relation.resource.id) ?? [];
    for (const record of records) {
      const { grant } = termsOfGrant(record, relation, snapshot.catalogue);
      if (grant === null) continue;
      known = true;
      if (record.action === action) grants.push(grant);
    }
  }
  if (grants.length > 0) return { kind: "GRANTED", grants };
  return known ? { kind: "DENIED" } : { kind: "UNKNOWN" };
}

type GrantIndex = ReadonlyMap<string, ReadonlyMap<string, readonly GrantRecord[]>>;
const indexes = new WeakMap<Snapshot["grants"], GrantIndex>();

function indexOf(grants: Snapshot["grants"]): GrantIndex {
  const known = indexes.get(grants);
  if (known !== undefined) return known;
  const index = new Map<string, Map<string, GrantRecord[]>>();
  for (const record of grants) {
    const ofRole = index.get(record.roleId) ?? new Map<string, GrantRecord[]>();
    index.set(record.roleId, ofRole);
    const ofResource = ofRole.get(record.resourceId);
    if (ofResource === undefined) ofRole.set(record.resourceId, [record]);
    else ofResource.push(record);
  }
  indexes.set(grants, index);
  return index;
}

const resolved = new WeakMap<Catalogue, WeakMap<GrantRecord, GrantTerms>>();

/** Returns what a grant means in the catalogue of its snapshot. */
export function termsOfGrant(
  record: GrantRecord,
  relation: Relation,
  catalogue: Catalogue,
): GrantTerms {
  let known = resolved.get(catalogue);
  if (known === undefined) {
    known = new WeakMap();
    resolved.set(catalogue, known);
  }
  let terms = known.get(record);
  if (terms === undefined) {
    terms = resolveGrant(record, relation, catalogue);
    known.set(record, terms);
  }
  return terms;
}
