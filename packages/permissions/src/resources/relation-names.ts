import { movedGrants } from "@rowhouse/access";
import {
  type Catalogue,
  type Column,
  type DirectEdge,
  type Edges,
  isSoleReference,
  keyOfEdge,
  type Relation,
  type Resource,
  referenceOf,
  requireFound,
  type Snapshot,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { prototypeKeys } from "@rowhouse/wire";

/** The relation of the foreign key that a column alone forms. */
export interface ColumnRelation {
  readonly name: string;
  /** Its name if the administrator gives none to the relations of the table. */
  readonly defaultName: string;
}

const nameBytesMax = 63;
const nameForm = /^\p{L}[\p{L}\p{M}\p{N}_]*$/u;

/** The form of a name of a relation; a leading `_` would be an operator of a filter. */
export const relationNameRule = `A name of a relation has 1 to ${nameBytesMax} bytes: letters, digits and _, with a letter first`;

/** Whether a text has the form of a name of a relation. */
export function isRelationName(text: string): boolean {
  return Buffer.byteLength(text) <= nameBytesMax && nameForm.test(text) && !prototypeKeys.has(text);
}

/** Returns a function for the relations of the columns of a table; null for a column that has none of its own. */
export function columnRelations(
  catalogue: Catalogue,
  relation: Relation,
): (column: Column) => ColumnRelation | null {
  const edges = catalogue.edgesOf(relation);
  const isNamed = Object.keys(relation.resource.relationNames).length > 0;
  const plain = isNamed ? withNames(catalogue, relation, {}).edges : edges;
  return ({ name }) => {
    const own = soleReference(relation, edges, name);
    const byDefault = soleReference(relation, plain, name);
    return own === undefined || byDefault === undefined
      ? null
      : { name: own.name, defaultName: byDefault.name };
  };
}

/**
 * Requires that a column's relation can have a name, and that no grant depends on a name that this changes.
 *
 * @param given null for the default name
 * @returns the names of the table's relations that lead elsewhere or nowhere after the change
 * @throws AppError BODY_INVALID; CONFLICT with the roles whose grants depend on a changed name
 */
export function requireRelationName(
  snapshot: Snapshot,
  relation: Relation,
  { name: column, attributeNumber }: Column,
  given: string | null,
): string[] {
  const { catalogue } = snapshot;
  const { relationNames } = relation.resource;
  const before = catalogue.edgesOf(relation);
  const own = soleReference(relation, before, column);
  if (own === undefined && given !== null) {
    refuse("Only a column that alone forms a foreign key has a relation, and it may form only one");
  }
  const isTaken = (name: string) =>
    relation.columnByName(name) !== undefined ||
    before.byName.has(name) ||
    before.ambiguous.has(name);
  const taken = "A column or another relation of the table has this name";
  if (given !== null && given !== own?.name && isTaken(given)) refuse(taken);

  const { [attributeNumber]: _, ...others } = relationNames;
  const names = given === null ? others : { ...others, [attributeNumber]: given };
  const { edges, catalogue: after } = withNames(catalogue, relation, names);
  if (given !== null && referenceOf(edges, column)?.name !== given) refuse(taken);
  for (const [number, name] of Object.entries(others)) {
    const other = relation.columnByNumber(Number(number))?.name ?? "";
    if (referenceOf(before, other)?.name === name && referenceOf(edges, other)?.name !== name) {
      refuse(`The relation of the column ${other} has the default name; give it another one first`);
    }
  }
  const roles = new Set(
    movedGrants(snapshot, after).map(({ roleId }) => snapshot.roles.get(roleId)?.name ?? roleId),
  );
  if (roles.size > 0) {
    const shown = [...roles].sort().slice(0, 10).join(", ");
    const rest = roles.size > 10 ? ` and ${roles.size - 10} more` : "";
    throw createError("CONFLICT", {
      path: "/data/relationName",
      message: `Row filters or checks depend on the names that this changes; rewrite those of the roles ${shown}${rest} first`,
    });
  }
  return [...before.byName].flatMap(([name, edge]) => {
    const next = edges.byName.get(name);
    return next !== undefined && keyOfEdge(next) === keyOfEdge(edge) ? [] : [name];
  });
}

function soleReference(relation: Relation, edges: Edges, column: string): DirectEdge | undefined {
  return isSoleReference(relation, column) ? referenceOf(edges, column) : undefined;
}

/** Returns the catalogue and the relation's edges if the administrator had given other names to them. */
function withNames(
  catalogue: Catalogue,
  { oid, resource }: Relation,
  relationNames: Resource["relationNames"],
): { readonly catalogue: Catalogue; readonly edges: Edges } {
  const exposures = new Map(
    catalogue.relations.map(({ resource: { id, ...exposure } }) => [
      id,
      id === resource.id ? { ...exposure, relationNames } : exposure,
    ]),
  );
  const named = catalogue.withExposures(exposures);
  const relation = requireFound(named.relationByOid(oid));
  return { catalogue: named, edges: named.edgesOf(relation) };
}

function refuse(message: string): never {
  throw createError("BODY_INVALID", { path: "/data/relationName", message });
}
