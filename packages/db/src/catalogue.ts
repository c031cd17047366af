import { createComputedTest } from "./computed-columns.ts";
import { type Edges, nameEdges } from "./edges.ts";

/** What the catalogue of Postgres says of the relations that are resources. */
export interface Catalogue {
  readonly relations: readonly Relation[];
  relationByOid(oid: number): Relation | undefined;
  relationByName(schema: string, name: string): Relation | undefined;
  relationByResource(resourceId: string): Relation | undefined;
  /** Whether a column's values are worked out as they are read, so that reading one may raise. */
  isComputed(relation: Relation, column: Column): boolean;
  /** The foreign keys from and to a relation of this catalogue, named. */
  edgesOf(relation: Relation): Edges;
  /** The same relations with the exposure of another moment; this catalogue itself if nothing of it differs. */
  withExposures(exposures: Exposures): Catalogue;
}

/** Exposure, label and description by resource id; a resource without an entry is hidden and has neither. */
export type Exposures = ReadonlyMap<string, Exposure>;

export type Exposure = Omit<Resource, "id" | "kind">;

export type RelationKind =
  | "TABLE"
  | "PARTITIONED_TABLE"
  | "FOREIGN_TABLE"
  | "VIEW"
  | "MATERIALIZED_VIEW";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The exposure record of a relation (spec §2, Resource). */
export interface Resource {
  readonly id: string;
  readonly kind: "TABLE" | "VIEW";
  readonly exposedMethods: readonly Method[];
  /** What people call it; null for its name. */
  readonly label: string | null;
  readonly description: string | null;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly resource: Resource;
  /** In the order of their attribute numbers; secret columns are not among them. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
  /** What this description rests on; only where event triggers do not guard it. */
  readonly fingerprint: string | null;
  columnByName(name: string): Column | undefined;
  columnByNumber(attributeNumber: number): Column | undefined;
}

export interface Column {
  readonly attributeNumber: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** `ALWAYS` and generated columns take no value from a caller. */
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  /** Columns of the system schema that the service alone writes are as generated ones. */
  readonly generated: boolean;
  /** Whether its values are worked out each time they are read, and not stored. */
  readonly virtual: boolean;
  readonly comment: string | null;
}

export interface ColumnType {
  /** The type as a cast names it, without its modifier: `bigint`, `text[]`, `"Mood"`. */
  readonly name: string;
  /** The built-in type that holds its values: a domain's base, `enum` for an enum, the element's for an array. */
  readonly base: string;
  readonly kind: "SCALAR" | "ENUM" | "COMPOSITE" | "RANGE" | "OTHER";
  readonly array: boolean;
  readonly domain: boolean;
  /** The labels of an enum, in order. */
  readonly labels: readonly string[] | null;
  /** Characters that a text of the type has at most; null for any number. */
  readonly lengthMax: number | null;
  /** Whether texts that differ may be equal under the column's collation, as which Postgres matches no patterns. */
  readonly folds: boolean;
  /** The OID of a type that may be dropped and made anew under its name; null for one of Postgres' own. */
  readonly ownOid: number | null;
  /** Whether the type's input function makes of every text what a cast from text makes of it. */
  readonly bindable: boolean;
  /** Whether there may be bytes in values, as elements and parts too. */
  readonly holdsBytes: boolean;
  /** Whether values have an order, and are told apart by their texts as by that order. */
  readonly ordered: boolean;
  /** The type as which values are compared, where not as their own: the enum that a domain is over. */
  readonly comparedAs: string | null;
  /** The operators that compare values, where not those that the signs mean: `OPERATOR("public".#<#)` for `<`. */
  readonly operators: Readonly<Partial<Record<Comparison, string>>> | null;
}

/** A comparison, by its sign. */
export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** Whether Postgres may check it at the end of the transaction; no upsert can rest on it then. */
  readonly deferrable: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly targetOid: number;
  readonly targetColumns: readonly string[];
}

export interface Check {
  readonly name: string;
  /** The columns that its expression names. */
  readonly columns: readonly string[];
  /** The `checkMessage` of the table definition (spec §2). */
  readonly message: string | null;
}

/** Written before a check's message in the comment of its constraint, where the message is kept. */
export const checkMessagePrefix = "checkMessage: ";

/** One row of `loadCatalogueSql`. */
interface RelationRow {
  oid: number;
  schema: string;
  name: string;
  kind: string;
  comment: string | null;
  resource_id: string;
  resource_kind: "TABLE" | "VIEW";
  query: string | null;
  fingerprint: string | null;
  columns: ColumnRow[] | null;
  constraints: ConstraintRow[] | null;
}

interface ColumnRow {
  number: number;
  name: string;
  type: TypeRow;
  length_max: number | null;
  folds: boolean;
  not_null: boolean;
  has_default: boolean;
  identity: string;
  generated: boolean;
  virtual: boolean;
  comment: string | null;
}

interface TypeRow {
  name: string;
  base: string;
  category: string;
  array: boolean;
  domain: boolean;
  labels: string[] | null;
  own_oid: number | null;
  bindable: boolean;
  holds_bytes: boolean;
  ordered: boolean;
  compared_as: string | null;
  operators: ColumnType["operators"];
}

interface ConstraintRow {
  name: string;
  type: string;
  deferrable: boolean;
  columns: string[] | null;
  target: number;
  target_columns: string[] | null;
  comment: string | null;
}

const relationKinds: Readonly<Record<string, RelationKind>> = {
  r: "TABLE",
  p: "PARTITIONED_TABLE",
  f: "FOREIGN_TABLE",
  v: "VIEW",
  m: "MATERIALIZED_VIEW",
};

/** Builds the catalogue from the rows of `loadCatalogueSql`. */
export function createCatalogue(
  rows: readonly { relation: string }[],
  exposures: Exposures,
): Catalogue {
  const parsed = rows.map((row) => JSON.parse(row.relation) as RelationRow);
  const queries = new Map(parsed.map((row) => [row.oid, row.query]));
  return indexRelations(
    parsed.map((row) => createRelation(row, exposures)),
    queries,
  );
}

function indexRelations(
  relations: readonly Relation[],
  queries: ReadonlyMap<number, string | null>,
): Catalogue {
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const byResource = new Map(relations.map((relation) => [relation.resource.id, relation]));
  // Named on demand: of a catalogue that changes often, most are never asked for.
  let edges: ReadonlyMap<number, Edges> | undefined;
  const byName = new Map<string, Map<string, Relation>>();
  for (const relation of relations) {
    let schema = byName.get(relation.schema);
    if (schema === undefined) {
      schema = new Map();
      byName.set(relation.schema, schema);
    }
    schema.set(relation.name, relation);
  }
  const isComputed = createComputedTest((oid) => byOid.get(oid), queries);
  const catalogue: Catalogue = {
    relations,
    isComputed,
    relationByOid: (oid) => byOid.get(oid),
    relationByName: (schema, name) => byName.get(schema)?.get(name),
    relationByResource: (resourceId) => byResource.get(resourceId),
    edgesOf: (relation) => {
      edges ??= nameEdges(relations);
      return edges.get(relation.oid) ?? { byName: new Map(), ambiguous: new Map() };
    },
    withExposures: (exposures) => {
      const exposed = relations.map((relation) => {
        const resource = exposeResource(relation.resource, exposures);
        return isSameExposure(resource, relation.resource) ? relation : { ...relation, resource };
      });
      const isSame = exposed.every((relation, index) => relation === relations[index]);
      return isSame ? catalogue : indexRelations(exposed, queries);
    },
  };
  return catalogue;
}

const hidden: Exposure = { exposedMethods: [], label: null, description: null };

function exposeResource({ id, kind }: Pick<Resource, "id" | "kind">, exposures: Exposures) {
  const { exposedMethods, label, description } = exposures.get(id) ?? hidden;
  return { id, kind, exposedMethods, label, description };
}

function isSameExposure(a: Exposure, b: Exposure): boolean {
  return (
    a.label === b.label &&
    a.description === b.description &&
    a.exposedMethods.join() === b.exposedMethods.join()
  );
}

function createRelation(row: RelationRow, exposures: Exposures): Relation {
  const columns = (row.columns ?? []).map(createColumn);
  const constraints = row.constraints ?? [];
  const byName = new Map(columns.map((column) => [column.name, column]));
  const byNumber = new Map(columns.map((column) => [column.attributeNumber, column]));
  const ofType = (type: string) => constraints.filter((constraint) => constraint.type === type);
  return {
    oid: row.oid,
    schema: row.schema,
    name: row.name,
    kind: relationKinds[row.kind] ?? "TABLE",
    comment: row.comment,
    resource: exposeResource({ id: row.resource_id, kind: row.resource_kind }, exposures),
    columns,
    primaryKey: ofType("p")[0]?.columns ?? [],
    uniqueKeys: [...ofType("p"), ...ofType("u")].map((key) => ({
      name: key.name,
      columns: key.columns ?? [],
      deferrable: key.deferrable,
    })),
    foreignKeys: ofType("f").map((key) => ({
      name: key.name,
      columns: key.columns ?? [],
      targetOid: key.target,
      targetColumns: key.target_columns ?? [],
    })),
    checks: ofType("c").map((check) => ({
      name: check.name,
      columns: check.columns ?? [],
      message: check.comment?.startsWith(checkMessagePrefix)
        ? check.comment.slice(checkMessagePrefix.length)
        : null,
    })),
    fingerprint: row.fingerprint,
    columnByName: (name) => byName.get(name),
    columnByNumber: (number) => byNumber.get(number),
  };
}

const typeKinds: Readonly<Record<string, ColumnType["kind"]>> = {
  b: "SCALAR",
  e: "ENUM",
  c: "COMPOSITE",
  r: "RANGE",
  m: "RANGE",
};

function createColumn(row: ColumnRow): Column {
  return {
    attributeNumber: row.number,
    name: row.name,
    type: createType(row),
    nullable: !row.not_null,
    hasDefault: row.has_default,
    identity: row.identity === "a" ? "ALWAYS" : row.identity === "d" ? "BY_DEFAULT" : null,
    generated: row.generated,
    virtual: row.virtual,
    comment: row.comment,
  };
}

function createType({ type, length_max, folds }: ColumnRow): ColumnType {
  return {
    name: type.name,
    base: type.base,
    kind: typeKinds[type.category] ?? "OTHER",
    array: type.array,
    domain: type.domain,
    labels: type.labels,
    lengthMax: length_max,
    folds,
    ownOid: type.own_oid,
    bindable: type.bindable,
    holdsBytes: type.holds_bytes,
    ordered: type.ordered,
    comparedAs: type.compared_as,
    operators: type.operators,
  };
}
