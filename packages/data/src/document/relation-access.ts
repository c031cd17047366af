import type { EffectiveGrant } from "@rowhouse/access";
import type { Column, Relation, Snapshot } from "@rowhouse/db";
import { covers, isWritableField } from "../authorize/authorize-write.ts";
import type { Visibility, Visible } from "../authorize/visible.ts";
import type { DocumentedEdge } from "./filter-schemas.ts";

export interface RelationAccess {
  readonly relation: Relation;
  /** The component name. */
  readonly name: string;
  /** The rows and fields that the principal may read. */
  readonly visible: Visible;
  readonly edges: readonly DocumentedEdge[];
  /** The columns of the primary key; empty if rows have no path of their own. */
  readonly key: readonly Column[];
  readonly reads: boolean;
  /** Whether the history of a row can be read. */
  readonly history: boolean;
  /** The fields that a create or an update may set; null without that right. */
  readonly creates: readonly WritableField[] | null;
  readonly updates: readonly WritableField[] | null;
  readonly deletes: boolean;
}

export interface WritableField {
  readonly column: Column;
  /** Whether a create must include the field. */
  readonly required: boolean;
}

/** The rights of a principal on a relation. */
interface RelationRights {
  readonly visible: Visible;
  readonly reads: boolean;
  /** Null without the right. */
  readonly create: readonly EffectiveGrant[] | null;
  readonly update: readonly EffectiveGrant[] | null;
  readonly deletes: boolean;
}

/** Returns undefined if the relation is hidden or accepts no request from the principal. */
function rightsOn(relation: Relation, visibility: Visibility): RelationRights | undefined {
  const { exposedMethods, kind } = relation.resource;
  const isTable = kind === "TABLE";
  const visible = visibility.of(relation);
  const grantsFor = (
    action: "CREATE" | "UPDATE" | "DELETE",
    method: (typeof exposedMethods)[number],
  ): readonly EffectiveGrant[] | null => {
    if (!isTable || !exposedMethods.includes(method)) return null;
    const access = visibility.accessTo(relation, action);
    return access.kind === "GRANTED" ? access.grants : null;
  };
  const reads = exposedMethods.includes("GET") && visible.fields.length > 0;
  const create = grantsFor("CREATE", "POST");
  const update = grantsFor("UPDATE", "PATCH");
  const deletes = grantsFor("DELETE", "DELETE") !== null;
  if (!reads && create === null && update === null && !deletes) return undefined;
  return { visible, reads, create, update, deletes };
}

/**
 * Returns the principal's access to a relation, or undefined if the relation is hidden or accepts no request from the
 * principal.
 */
export function accessOf(
  relation: Relation,
  snapshot: Snapshot,
  visibility: Visibility,
  names: ComponentNames,
): RelationAccess | undefined {
  const rights = rightsOn(relation, visibility);
  if (rights === undefined) return undefined;
  const { visible, reads, create, update, deletes } = rights;
  const key = relation.primaryKey.flatMap((column) => relation.columnByName(column) ?? []);
  return {
    relation,
    name: names.of(relation),
    visible,
    edges: reads ? edgesOf(relation, snapshot, visible, names) : [],
    key: key.length === relation.primaryKey.length ? key : [],
    reads,
    history: reads && key.length > 0 && relation.resource.history,
    creates: create === null ? null : writableFields(relation, create),
    updates: update === null ? null : writableFields(relation, update),
    deletes,
  };
}

function edgesOf(
  relation: Relation,
  snapshot: Snapshot,
  visible: Visible,
  names: ComponentNames,
): DocumentedEdge[] {
  if (relation.resource.kind === "VIEW") return [];
  const { byName } = snapshot.catalogue.edgesOf(relation);
  return [...byName.keys()].flatMap((name) => {
    const found = visible.edgeByName(name);
    if (found === undefined) return [];
    return [{ name, kind: found.edge.kind, target: names.of(found.target.relation) }];
  });
}

function writableFields(relation: Relation, grants: readonly EffectiveGrant[]): WritableField[] {
  return relation.columns
    .filter((column) => isWritableField(relation, grants, column.name))
    .map((column) => ({
      column,
      required:
        !column.nullable &&
        !column.hasDefault &&
        column.identity === null &&
        // If one grant presets the field and another permits it, a caller may omit it.
        grants.every((grant) => covers(grant, column.name) || !grant.presets.has(column.name)),
    }));
}

/** What follows the name of a relation in the names of its further components. */
const componentSuffixes = ["", "Result", "Filter", "List", "Written", "Key", "New", "Change"];

/**
 * Names relations as components of the document. A component name permits letters, digits, `.`, `-` and `_` only. Generators
 * drop the signs and change the case, so names must also differ in their letters and digits: `orders` and `Orders`, or
 * `price.List` of `price` and the table `price_list`.
 */
export class ComponentNames {
  readonly #byOid = new Map<number, string>();
  readonly #taken: Set<string>;

  /** @param shared the names of components that are not of a relation */
  constructor(shared: readonly string[] = []) {
    this.#taken = new Set(shared.map(lettersOf));
  }

  /**
   * Names the relations of a document in an order in which a usual name does not change for an unusual one (`Orders`), nor
   * `orders` for `orders_list`: the catalogue's order within each kind.
   */
  nameAll({ catalogue }: Snapshot, visibility: Visibility): void {
    const shown = catalogue.relations.filter((one) => rightsOn(one, visibility) !== undefined);
    const isUsual = ({ schema, name }: Relation) => /^[a-z0-9_.]+$/.test(`${schema}.${name}`);
    for (const relation of shown) if (isUsual(relation)) this.of(relation);
    for (const relation of shown) this.of(relation);
  }

  /** Returns a name that is unique to the relation and equal on each call. */
  of(relation: Relation): string {
    const known = this.#byOid.get(relation.oid);
    if (known !== undefined) return known;
    const plain = `${plainName(relation.schema)}.${plainName(relation.name)}`;
    let name = plain;
    for (let count = 2; this.#isTaken(name); count += 1) name = `${plain}-${count}`;
    for (const suffix of componentSuffixes) this.#taken.add(lettersOf(name + suffix));
    this.#byOid.set(relation.oid, name);
    return name;
  }

  #isTaken(name: string): boolean {
    return componentSuffixes.some((suffix) => this.#taken.has(lettersOf(name + suffix)));
  }
}

/** A name without the differences that generators remove. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
