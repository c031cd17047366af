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
import { createError, createFault, type Fault } from "@rowhouse/errors";
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

/** A name that the relation of a column shall have. */
export interface GivenRelationName {
  readonly column: Column;
  /** Null for the default name. */
  readonly name: string | null;
  /** Where the name stands in the body. */
  readonly path: string;
}

/**
 * Compares names of relations of a table, which change together, with those of its columns and other relations.
 *
 * @returns what makes the names impossible, and the names of the table's relations that lead elsewhere or nowhere after the change
 * @throws AppError CONFLICT with the roles whose grants depend on a changed name, for names without faults
 */
export function checkRelationNames(
  snapshot: Snapshot,
  relation: Relation,
  given: readonly GivenRelationName[],
): { readonly faults: readonly Fault[]; readonly formerRelations: readonly string[] } {
  if (given.length === 0) return { faults: [], formerRelations: [] };
  const { catalogue } = snapshot;
  const before = catalogue.edgesOf(relation);
  const names = namesWith(relation, given);
  const { edges, catalogue: after } = withNames(catalogue, relation, names);
  const faults = findNameFaults(relation, given, { before, after: edges });
  if (faults.length > 0) return { faults, formerRelations: [] };
  const roles = rolesWithMovedGrants(snapshot, after);
  if (roles.length > 0) {
    const moving = given.find((one) => {
      const alone = withNames(catalogue, relation, namesWith(relation, [one]));
      return rolesWithMovedGrants(snapshot, alone.catalogue).length > 0;
    });
    const shown = roles.slice(0, 10).join(", ");
    const rest = roles.length > 10 ? ` and ${roles.length - 10} more` : "";
    throw createError("CONFLICT", {
      path: (moving ?? given[0])?.path,
      message: `Row filters or checks depend on the names that this changes; rewrite those of the roles ${shown}${rest} first`,
    });
  }
  const formerRelations = [...before.byName].flatMap(([name, edge]) => {
    const next = edges.byName.get(name);
    return next !== undefined && keyOfEdge(next) === keyOfEdge(edge) ? [] : [name];
  });
  return { faults, formerRelations };
}

function findNameFaults(
  relation: Relation,
  given: readonly GivenRelationName[],
  edges: { readonly before: Edges; readonly after: Edges },
): Fault[] {
  const { before, after } = edges;
  /** The relations that this names, whose present names are free. */
  const renamed = new Set(
    given.flatMap(({ column }) => soleReference(relation, before, column.name)?.name ?? []),
  );
  const isTaken = (name: string) =>
    relation.columnByName(name) !== undefined ||
    (before.byName.has(name) && !renamed.has(name)) ||
    before.ambiguous.has(name);
  const faults = given.flatMap(({ column, name, path }) => {
    const fault = (message: string) => [createFault("BODY_INVALID", { path, message })];
    if (name === null) return [];
    const own = soleReference(relation, before, column.name);
    if (own === undefined) {
      return fault(
        "Only a column that alone forms a foreign key has a relation, and it may form only one",
      );
    }
    const isOther = name !== own.name && isTaken(name);
    return isOther || referenceOf(after, column.name)?.name !== name
      ? fault("A column or another relation of the table has this name")
      : [];
  });
  if (faults.length > 0) return faults;
  const numbers = new Set(given.map(({ column }) => String(column.attributeNumber)));
  for (const [number, name] of Object.entries(relation.resource.relationNames)) {
    const other = relation.columnByNumber(Number(number))?.name ?? "";
    const isLost =
      !numbers.has(number) &&
      referenceOf(before, other)?.name === name &&
      referenceOf(after, other)?.name !== name;
    if (!isLost) continue;
    const taker = given.find(({ column }) => referenceOf(after, column.name)?.name === name);
    const message = `The relation of the column ${other} has the default name; give it another one first`;
    faults.push(createFault("BODY_INVALID", { path: (taker ?? given[0])?.path, message }));
  }
  return faults;
}

/** The names that an administrator has given to relations of a table, after a change. */
function namesWith(
  { resource }: Relation,
  given: readonly GivenRelationName[],
): Resource["relationNames"] {
  const names = new Map(Object.entries(resource.relationNames));
  for (const { column, name } of given) {
    if (name === null) names.delete(String(column.attributeNumber));
    else names.set(String(column.attributeNumber), name);
  }
  return Object.fromEntries(names);
}

/** The names of the roles with grants that mean something else in a changed catalogue. */
function rolesWithMovedGrants(snapshot: Snapshot, after: Catalogue): string[] {
  const moved = movedGrants(snapshot, after);
  return [...new Set(moved.map(({ roleId }) => snapshot.roles.get(roleId)?.name ?? roleId))].sort();
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
