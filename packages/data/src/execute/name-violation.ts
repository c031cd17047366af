import {
  codeFailed,
  isOfExpression,
  isOfUserCode,
  type PostgresFailure,
  type Queryable,
  type Relation,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import {
  AppError,
  createFault,
  type ErrorCode,
  errorCodes,
  escapePointer,
  type Fault,
} from "@rowhouse/errors";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import type { VisibleEdge } from "../authorize/visible.ts";
import type { DataRequest } from "../parse/request.ts";

/** The row in a request that violates a constraint. */
export interface SentRow {
  /** The pointer to the row. */
  readonly path: string;
  /** Whether the caller sent a value for the column. */
  readonly isSent: (column: string) => boolean;
}

/** Returns the one row of a write; undefined for a list, in which it is unknown. */
export function sentRowOf(request: DataRequest): SentRow | undefined {
  if (request.kind === "UPDATE") {
    return { path: "/data", isSent: (column) => request.values.has(column) };
  }
  if (request.kind !== "CREATE" || request.isList) return undefined;
  return { path: "/data", isSent: (column) => request.rows[0]?.has(column) === true };
}

/**
 * Creates the caller's error for a write that violates a constraint: at the field, if it is known which one is wrong.
 *
 * @param row undefined if the violating row is unknown: the error then has no path
 * @param on not the transaction that failed
 * @param countRows returns how many rows of a relation of the written row the caller may see; undefined if that is unknown
 */
export async function nameViolation(
  error: unknown,
  plan: AuthorizedPlan,
  row: SentRow | undefined,
  on: Queryable,
  countRows: CountRows,
): Promise<AppError> {
  const known = toAppError(error, plan.relation);
  if (known.code === "INTERNAL_ERROR") return failureOfCode(error, [plan.relation], true) ?? known;
  if (!isOfConstraint(error)) return known;
  const place = await findPlace(error, plan, row, on);
  const sentence = await violationSentence(error, plan, place, countRows);
  const told = { ...known.faults[0], ...sentence };
  return new AppError([faultAt(place, told, place.isKnown ? row : undefined)], {
    cause: error,
  });
}

/**
 * Returns the caller's error for an expression of the database's users that failed; undefined if the statement on these
 * relations computes none, or if PostgreSQL refused its text.
 */
export function failureOfCode(
  error: unknown,
  relations: readonly Relation[],
  isWrite: boolean,
): AppError | undefined {
  const failure = readPostgresFailure(error);
  if (failure === undefined || !isOfExpression(failure)) return undefined;
  return relations.some((relation) => computes(relation, isWrite)) ? codeFailed(error) : undefined;
}

/** Whether a statement on a relation computes expressions of the database's users. */
function computes(relation: Relation, isWritten: boolean): boolean {
  const { kind, schema, columns, checks, rowSecurity, runsCode } = relation;
  if (schema === "system") return false;
  if (kind === "VIEW" || rowSecurity !== null || runsCode.reads) return true;
  if (columns.some((column) => column.virtual)) return true;
  if (!isWritten) return false;
  const isComputed = columns.some(
    ({ hasDefault, generated, type }) => hasDefault || generated || type.domain,
  );
  return isComputed || checks.length > 0 || runsCode.writes;
}

/**
 * Creates the fault of one row of a list: at its field if it is known which one is wrong, else at the row.
 *
 * @param on not the transaction that failed
 */
export async function faultOfRow(
  error: unknown,
  plan: AuthorizedPlan,
  row: SentRow,
  on: Queryable,
): Promise<{ readonly fault: Fault; readonly column: string | undefined }> {
  const place = isOfConstraint(error) ? await findPlace(error, plan, row, on) : nowhere;
  const known = toAppError(error, plan.relation);
  const [fault] =
    known.code === "INTERNAL_ERROR"
      ? (failureOfCode(error, [plan.relation], true) ?? known).faults
      : known.faults;
  const sentence = await violationSentence(error, plan, place, async () => undefined);
  return { fault: faultAt(place, { ...fault, ...sentence }, row), column: place.column };
}

/** The place of a violation in a row, as far as its caller may know it. */
interface ViolationPlace {
  /** The only field of the constraint, or the only one that the caller sent. */
  readonly column: string | undefined;
  /** All fields of the constraint; undefined if one of them is hidden. */
  readonly fields: readonly string[] | undefined;
  /** Whether rows that refer to the written one are in the way, and not values of its own. */
  readonly isReferenced: boolean;
  /** Whether the caller sent a value for every field. */
  readonly isSent: boolean;
  /** Whether the caller may know any field of it. */
  readonly isKnown: boolean;
}

type Sentence = Pick<Fault, "message"> & { readonly details?: NonNullable<Fault["details"]> };

/** Returns how many rows of a relation of the written row the caller may see; undefined if that is unknown. */
export type CountRows = (relation: string) => Promise<number | undefined>;

/** Says what a constraint requires, as far as the caller may know it; undefined for the sentence of the code. */
async function violationSentence(
  error: unknown,
  plan: AuthorizedPlan,
  place: ViolationPlace,
  countRows: CountRows,
): Promise<Sentence | undefined> {
  const failure = readPostgresFailure(error);
  const { code, faults } = toAppError(error, plan.relation);
  if (failure === undefined) return undefined;
  if (code === "CHECK_VIOLATION") {
    const { fields = [] } = place;
    const isOwnMessage = faults[0].message !== errorCodes[code].title;
    if (fields.length === 0 || isOwnMessage) return undefined;
    return { message: `The check of ${listed(fields)} failed` };
  }
  if (code !== "FOREIGN_KEY_VIOLATION" || isOfUserCode(failure)) return undefined;
  return place.isReferenced
    ? inUse(failure, plan, countRows)
    : place.isKnown
      ? missing(failure, plan, place)
      : undefined;
}

function listed(names: readonly string[]): string {
  const [last = "", ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} and ${last}`;
}

/** The label of a table that the caller may read, or its name. */
function tableOf({ target }: VisibleEdge) {
  const { name, schema, resource } = target.relation;
  const label = resource.label ?? name;
  return { label, details: { schema, table: name, label } };
}

/** Characters of a key that a sentence shows. */
const keyMax = 100;

function missing(
  { detail }: PostgresFailure,
  plan: AuthorizedPlan,
  place: ViolationPlace,
): Sentence {
  const names = [...(place.fields ?? [])].sort().join();
  const edge = plan.read.edges().find(({ edge: { foreignKey, ...own } }) => {
    if (foreignKey !== "OWN" || !("columns" in own)) return false;
    return (
      own.columns
        .map(([name]) => name)
        .sort()
        .join() === names
    );
  });
  const details = { reason: "MISSING" };
  if (edge === undefined) return { message: "The referenced row does not exist", details };
  const table = tableOf(edge);
  // Values that the caller did not send may be secret.
  const key = place.isSent ? /\)=\((.*)\)[^)]*$/s.exec(detail ?? "")?.[1] : undefined;
  if (key === undefined || key.length > keyMax) {
    const message = `The referenced row of ${table.label} does not exist`;
    return { message, details: { ...details, ...table.details } };
  }
  const shown = place.fields?.length === 1 ? key : `(${key})`;
  const message = `${table.label} ${shown} does not exist`;
  return { message, details: { ...details, ...table.details, key } };
}

async function inUse(
  { schema, table: name }: PostgresFailure,
  plan: AuthorizedPlan,
  countRows: CountRows,
): Promise<Sentence> {
  const details = { reason: "IN_USE" };
  const edge = plan.read
    .edges()
    .find(
      ({ edge: { foreignKey }, target: { relation } }) =>
        foreignKey === "TARGET" && relation.schema === schema && relation.name === name,
    );
  const message = "Other rows refer to this row";
  if (edge === undefined) return { message, details };
  const count = await countRows(edge.edge.name).catch(() => undefined);
  // Rows that the caller may not see are not to be found by a deletion.
  if (count === 0 || (count === undefined && edge.target.rows !== null)) {
    return { message, details };
  }
  const table = tableOf(edge);
  if (count === undefined) {
    return {
      message: `Rows of ${table.label} refer to this row`,
      details: { ...details, ...table.details },
    };
  }
  const rows = count === 1 ? "1 row" : `${count} rows`;
  const verb = count === 1 ? "refers" : "refer";
  return {
    message: `${rows} of ${table.label} ${verb} to this row`,
    details: { ...details, ...table.details, count },
  };
}

/** States of violated constraints. */
function isOfConstraint(error: unknown): boolean {
  return readPostgresFailure(error)?.code.startsWith("23") === true;
}

const nowhere: ViolationPlace = {
  ...{ column: undefined, fields: undefined },
  ...{ isReferenced: false, isSent: false, isKnown: false },
};

function faultAt(
  { column, fields }: ViolationPlace,
  { code, message, details }: Fault,
  row: SentRow | undefined,
): Fault {
  const end = column === undefined ? "" : `/${escapePointer(column)}`;
  const isTelling = fields !== undefined && (fields.length > 1 || code === "UNIQUE_VIOLATION");
  return createFault(code, {
    message,
    path: row === undefined ? undefined : `${row.path}${end}`,
    details: isTelling ? { ...details, fields } : details,
  });
}

async function findPlace(
  error: unknown,
  plan: AuthorizedPlan,
  row: SentRow | undefined,
  on: Queryable,
): Promise<ViolationPlace> {
  const failure = readPostgresFailure(error);
  const found = failure && (await findViolatedColumns(failure, plan.relation, on));
  // A deletion can only be in the way of rows that refer to those it deletes, directly or not.
  if (found === undefined) return { ...nowhere, isReferenced: plan.kind === "DELETE" };
  const isSent = row?.isSent ?? (() => false);
  const isReferenced =
    plan.kind === "DELETE" ||
    found.own.length === 0 ||
    (!found.own.some(isSent) && found.referenced.some(isSent));
  const columns = isReferenced ? found.referenced : found.own;
  const known = columns.filter(knowledgeOf(toAppError(error).code, plan, isSent, columns));
  const sent = known.filter(isSent);
  const [only] = sent.length === 1 ? sent : columns.length === 1 ? known : [];
  const isWhole = known.length > 0 && known.length === columns.length;
  return {
    ...{ column: only, isReferenced, isKnown: known.length > 0 },
    fields: isWhole ? columns : undefined,
    isSent: columns.every(isSent),
  };
}

/** Returns whether the caller may know that a constraint has a column. */
function knowledgeOf(
  code: ErrorCode,
  { relation, read, write }: AuthorizedPlan,
  isSent: (column: string) => boolean,
  columns: readonly string[],
): (column: string) => boolean {
  switch (code) {
    case "REQUIRED_FIELD":
      return (column) =>
        read.fieldByName(column) !== undefined ||
        (relation.columnByName(column) !== undefined &&
          write.some((grant) => grant.fields === null || grant.fields.has(column)));
    case "CHECK_VIOLATION":
    case "FOREIGN_KEY_VIOLATION":
      // Values that the caller sent or may read are not secret.
      return (column) => isSent(column) || read.fieldByName(column) !== undefined;
    default: {
      // The values of the other row are those that the caller sent: a key of fields that it may read tells nothing new.
      const mayKnow = columns.every((column) => read.fieldByName(column) !== undefined);
      return () => mayKnow;
    }
  }
}

/** The columns of a violated constraint, as they are named in the table that a statement writes. */
interface ViolatedColumns {
  /** Those of the table's own constraint, in its order; also those within its expressions. */
  readonly own: readonly string[];
  /** Those that a foreign key refers to, of a row that other rows refer to. */
  readonly referenced: readonly string[];
}

/**
 * Finds the columns of the constraint that a write violates: a check, a key, a unique index, an exclusion or a foreign
 * key, of the table itself or of its partition. Undefined if the failure is that of another table.
 *
 * @param on not the transaction that failed
 */
async function findViolatedColumns(
  failure: PostgresFailure,
  relation: Relation,
  on: Queryable,
): Promise<ViolatedColumns | undefined> {
  const { code, schema, table, constraint, column } = failure;
  // A trigger, or the action of a foreign key, may write to a table of the same name, or other rows of this one.
  if (schema === undefined || isOfUserCode(failure)) return undefined;
  if (table === undefined) {
    // PostgreSQL names the domain that takes no null, and not the column.
    const required = relation.columns.filter(({ type, nullable }) => type.domain && !nullable);
    return { own: code === "23502" ? required.map(({ name }) => name) : [], referenced: [] };
  }
  if (column !== undefined && schema === relation.schema && table === relation.name) {
    return { own: [column], referenced: [] };
  }
  const parameters = [schema, table, constraint ?? null, String(relation.oid)];
  const [row] = await on.query<{ found: string }>(violatedSql, parameters);
  if (row === undefined) return undefined;
  const found = JSON.parse(row.found) as ViolatedColumns & { readonly isOwn: boolean };
  const { isOwn, referenced } = found;
  if (!isOwn && referenced.length === 0) return undefined;
  return { own: isOwn ? (column === undefined ? found.own : [column]) : [], referenced };
}

/** The table with the OID is `family.oid` itself, or one that it inherits from. */
const ancestorsSql = (oid: string) => `with recursive family (oid) as (
      select ${oid} union
      select h.inhparent from family f join pg_catalog.pg_inherits h on h.inhrelid = f.oid)
    select 1 from family f where f.oid = $4::oid`;

/** Names of columns by their numbers; the columns of a partition have the names of those of its table. */
const namesSql = (relation: string, numbers: string) => `array(
    select a.attname::text from (
      select n.number, pg_catalog.min(n.position) as position
      from pg_catalog.unnest(${numbers}) with ordinality n (number, position) group by n.number) n
    join pg_catalog.pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number order by n.position)`;

/** An index has the columns of its expressions in their stored form alone. */
const violatedSql = `with failed as (
  select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relname = $2::text
), violated as (
  select k.contype, k.conindid as index, k.conkey::int2[] as numbers, k.confrelid, k.confkey::int2[] as far
  from failed join pg_catalog.pg_constraint k on k.conrelid = failed.oid and k.conname = $3::text
  union all
  select 'x', i.indexrelid, null, 0, null
  from failed join pg_catalog.pg_index i on i.indrelid = failed.oid
  join pg_catalog.pg_class c on c.oid = i.indexrelid and c.relname = $3::text
  where not exists (select from pg_catalog.pg_constraint k where k.conrelid = failed.oid and k.conname = $3::text)
), columns as (
  select v.confrelid, v.far, case when v.contype in ('c', 'f', 'n') then v.numbers else
    pg_catalog.array_cat((i.indkey::int2[])[0:i.indnkeyatts - 1], array(
      select m.match[1]::int2 from pg_catalog.regexp_matches(i.indexprs::text, ':varattno ([0-9]+)', 'g') m (match))) end as numbers
  from violated v left join pg_catalog.pg_index i on i.indexrelid = v.index
)
select pg_catalog.json_build_object(
  'isOwn', exists (${ancestorsSql("failed.oid")}),
  'own', coalesce((select ${namesSql("failed.oid", "c.numbers")} from columns c limit 1), '{}'),
  'referenced', coalesce((select ${namesSql("c.confrelid", "c.far")} from columns c
    where exists (${ancestorsSql("c.confrelid")}) limit 1), '{}'))::text as found
from failed`;
