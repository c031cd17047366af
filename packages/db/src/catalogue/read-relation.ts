import {
  type Attributes,
  type Column,
  type ColumnType,
  checkMessagePrefix,
  type Exposure,
  type Exposures,
  type Method,
  type Relation,
  type RelationKind,
  type Resource,
  type UniqueKey,
} from "./relation.ts";
import type { CodeReach, RelationLinks } from "./relation-links.ts";

/** A row of `catalogueSql`: one of facts, the others of relations, each as JSON. */
export type CatalogueRow =
  | { readonly facts: string; readonly relation: null }
  | { readonly facts: null; readonly relation: string };

export interface CatalogueFacts {
  /** Whether the source of a function has the word PREPARE. */
  readonly prepares: boolean;
  /** Whether statements of every relation can run code of the database's users. */
  readonly everywhere: boolean;
  /** The types of the columns, by OID. */
  readonly types: Readonly<Record<string, TypeRow>>;
  /** By OID. */
  readonly links: Readonly<Record<string, RelationLinks>>;
}

export interface RelationRow {
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
  unique_columns: string[][] | null;
  unique_keys: UniqueKey[] | null;
  inherited: boolean;
  row_security: Relation["rowSecurity"];
  barred: Method[];
  replaces_delete: boolean;
}

interface ColumnRow {
  number: number;
  name: string;
  /** Its OID. */
  type: number;
  declared: string;
  meaning: string;
  length_max: number | null;
  folds: boolean;
  not_null: boolean;
  has_default: boolean;
  identity: string;
  generated: boolean;
  virtual: boolean;
  comment: string | null;
}

/** A type and its parts by OID: the base of a domain, the element of an array, the attributes of a composite type. */
interface CompositeRows {
  root: number;
  types: Readonly<Record<string, number | Readonly<Record<string, number>> | null>>;
}

interface TypeRow {
  name: string;
  plain: string;
  base: string;
  category: string;
  array: boolean;
  domain: boolean;
  labels: string[] | null;
  own_oid: number | null;
  bindable: boolean;
  holds_bytes: boolean;
  composites: CompositeRows | null;
  ordered: boolean;
  compared_as: string | null;
  operators: ColumnType["operators"];
}

interface ConstraintRow {
  name: string;
  type: string;
  columns: string[] | null;
  target: number;
  target_columns: string[] | null;
  indexed: boolean;
  passes_updates: boolean;
  period: boolean;
  comment: string | null;
}

const relationKinds: Readonly<Record<string, RelationKind>> = {
  r: "TABLE",
  p: "PARTITIONED_TABLE",
  f: "FOREIGN_TABLE",
  v: "VIEW",
  m: "MATERIALIZED_VIEW",
};

/** What a relation's statements can run; see `withCode`. */
type Code = Pick<Relation, "runsCode" | "codeAfter">;

/** @param typeOf returns the type of a column */
export function createRelation(
  row: RelationRow,
  exposures: Exposures,
  code: Code,
  typeOf: TypeOf,
): Relation {
  const columns = (row.columns ?? []).map((column) => createColumn(column, typeOf(column)));
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
    resource: exposeResource(
      { id: row.resource_id, kind: row.resource_kind, barredMethods: row.barred },
      exposures,
    ),
    replacesDelete: row.replaces_delete,
    columns,
    primaryKey: row.inherited ? [] : (ofType("p")[0]?.columns ?? []),
    isInherited: row.inherited,
    rowSecurity: row.row_security,
    uniqueKeys: row.unique_keys ?? [],
    uniqueColumns: row.unique_columns ?? [],
    foreignKeys: ofType("f").map((key) => ({
      name: key.name,
      columns: key.columns ?? [],
      targetOid: key.target,
      targetColumns: key.target_columns ?? [],
      isIndexed: key.indexed,
      passesUpdates: key.passes_updates,
      isPeriod: key.period,
    })),
    checks: ofType("c").map((check) => ({
      name: check.name,
      columns: check.columns ?? [],
      message: check.comment?.startsWith(checkMessagePrefix)
        ? check.comment.slice(checkMessagePrefix.length)
        : null,
    })),
    fingerprint: row.fingerprint,
    ...code,
    columnByName: (name) => byName.get(name),
    columnByNumber: (number) => byNumber.get(number),
  };
}

const triggerEvents = { INSERT: 4, DELETE: 8, UPDATE: 16 } as const;

/**
 * Returns a function for the code that statements of a relation can run.
 *
 * @param isEverywhere whether every statement counts as one that does
 */
export function createCodeOf(reach: CodeReach, isEverywhere: boolean): (oid: number) => Code {
  const events = ["INSERT", "UPDATE", "DELETE"] as const;
  return (oid) => {
    const bits = reach.after.get(oid) ?? 0;
    return {
      runsCode: {
        reads: isEverywhere || reach.reads.has(oid),
        writes: isEverywhere || reach.writes.has(oid),
      },
      codeAfter: events.filter((event) => (bits & triggerEvents[event]) !== 0),
    };
  };
}

/** Returns the relation with this code; the relation itself if it has it. */
export function withCode(relation: Relation, code: Code): Relation {
  const { runsCode, codeAfter } = relation;
  const isSame =
    runsCode.reads === code.runsCode.reads &&
    runsCode.writes === code.runsCode.writes &&
    codeAfter.join() === code.codeAfter.join();
  return isSame ? relation : { ...relation, ...code };
}

const typeKinds: Readonly<Record<string, ColumnType["kind"]>> = {
  b: "SCALAR",
  e: "ENUM",
  c: "COMPOSITE",
  r: "RANGE",
  m: "RANGE",
};

function createColumn(row: ColumnRow, type: ColumnType): Column {
  return {
    attributeNumber: row.number,
    name: row.name,
    type,
    meaning: row.meaning,
    nullable: !row.not_null,
    hasDefault: row.has_default,
    identity: row.identity === "a" ? "ALWAYS" : row.identity === "d" ? "BY_DEFAULT" : null,
    generated: row.generated,
    virtual: row.virtual,
    comment: row.comment,
  };
}

/** Returns the type of a column; columns of the same type share one. */
export type TypeOf = (column: ColumnRow) => ColumnType;

export function createTypeOf(types: CatalogueFacts["types"]): TypeOf {
  const known = new Map<string, ColumnType>();
  return (column) => {
    const { type: oid, declared, length_max, folds } = column;
    const key = `${oid} ${folds} ${length_max} ${declared}`;
    const row = types[oid];
    const type = known.get(key) ?? (row && createType(row, column));
    if (type === undefined) throw new RangeError(`The catalogue has no type ${oid}`);
    known.set(key, type);
    return type;
  };
}

function createType(type: TypeRow, { declared, length_max, folds }: ColumnRow): ColumnType {
  return {
    name: type.name,
    plain: type.plain,
    declared,
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
    attributes: type.composites && createAttributes(type.composites),
  };
}

/** @returns null if neither the type nor its elements are composite */
function createAttributes({ root, types }: CompositeRows): Attributes | null {
  const known = new Map<number, Attributes | null>();
  // Types share their parts: a part is read once, or nested types would take exponential time.
  const read = (oid: number): Attributes | null => {
    const found = known.get(oid);
    if (found !== undefined) return found;
    const parts = types[oid];
    const attributes =
      typeof parts === "number"
        ? read(parts)
        : parts == null
          ? null
          : new Map(Object.entries(parts).map(([name, type]) => [name, read(type)]));
    known.set(oid, attributes);
    return attributes;
  };
  return read(root);
}

const hidden: Exposure = {
  exposedMethods: [],
  label: null,
  description: null,
  history: false,
  junction: false,
  relationNames: {},
};

/** The resource with its current exposure; hidden if it has none. */
export function exposeResource(
  { id, kind, barredMethods }: Pick<Resource, "id" | "kind" | "barredMethods">,
  exposures: Exposures,
): Resource {
  const exposure = exposures.get(id) ?? hidden;
  const exposedMethods = exposure.exposedMethods.filter((each) => !barredMethods.includes(each));
  return { ...exposure, id, kind, barredMethods, exposedMethods };
}
