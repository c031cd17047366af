import { type CallerKind, isTextual } from "@rowhouse/access";
import type { Column, Parameter, Queryable, Snapshot } from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { AuthorizedCreate } from "../authorize/authorized-plan.ts";
import { headLabel, titleSuffix } from "../cells/heads.ts";
import {
  fieldTextSql,
  type NameSource,
  type TitledReference,
  titledReferences,
  titleSql,
} from "../cells/title-sql.ts";
import { whereSql } from "../compile/column-sql.ts";
import { gateSql } from "../compile/compile-statement.ts";
import { Joins, rowsSql, type SqlScope } from "../compile/scope.ts";
import { type Statement, StatementBuilder } from "../compile/statement.ts";
import { stagingTable } from "./compile-import.ts";
import { type ImportRequest, rowPointer } from "./import-request.ts";
import { fileLocationOf, type RowFault, reportedMax } from "./row-faults.ts";

/** A reference that a file has by title. */
export interface StagedReference {
  /** The columns of the foreign key. */
  readonly own: readonly Column[];
  /** Whether the file has the keys in columns of their own. */
  readonly isBesideKey: boolean;
}

/** What the cells under one head of a CSV file are: values of a column, or titles of the rows that a reference leads to. */
export interface FileHead {
  /** The columns that it sets; one that the table has not, if the head names none. */
  readonly names: readonly string[];
  readonly column?: Column;
  readonly reference?: StagedReference;
}

/**
 * Returns what the heads of a file name: columns by name, or by label if the file has labels; and references by title, if
 * the file has titles.
 *
 * @throws AppError BODY_INVALID for two heads that name one column
 */
export function readHeads(
  { names }: { readonly names: readonly string[] },
  { forms }: ImportRequest,
  { relation, read }: AuthorizedCreate,
  naming: NameSource,
): FileHead[] {
  const { columns } = relation;
  const columnOf = (head: string): Column | undefined => {
    const named = relation.columnByName(head);
    if (named !== undefined || forms.heads === "name") return named;
    return columns.find((column) => headLabel(column, columns, relation, naming) === head);
  };
  const titled = forms.references === "key" ? [] : titledReferences(read, naming).filter(canMatch);
  const byColumn = (column: Column | undefined) =>
    titled.find(({ pairs }) => pairs.length === 1 && pairs[0]?.own === column?.name);
  const referenceOf = (head: string): TitledReference | undefined => {
    if (!head.endsWith(titleSuffix)) {
      return forms.references === "title" ? byColumn(columnOf(head)) : undefined;
    }
    const subject = head.slice(0, -titleSuffix.length);
    const composite = titled.find(
      ({ pairs, edge }) => pairs.length > 1 && edge.edge.name === subject,
    );
    return byColumn(columnOf(subject)) ?? composite;
  };
  const found = names.map((head) => {
    const reference =
      relation.columnByName(head) === undefined || forms.references === "title"
        ? referenceOf(head)
        : undefined;
    return { head, reference, column: reference === undefined ? columnOf(head) : undefined };
  });
  const valued = new Set(found.flatMap(({ column }) => column?.name ?? []));
  const heads = found.map(({ head, reference, column }): FileHead => {
    if (column !== undefined) return { names: [column.name], column };
    if (reference === undefined) return { names: [head] };
    const own = reference.pairs.flatMap((pair) => relation.columnByName(pair.own) ?? []);
    const isBesideKey = own.some(({ name }) => valued.has(name));
    return { names: own.map(({ name }) => name), reference: { own, isBesideKey } };
  });
  const seen = new Set<string>();
  const faults = found.flatMap(({ head, reference }, index): Fault[] => {
    const id = JSON.stringify([reference !== undefined, heads[index]?.names]);
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const message = "The header names a column twice";
    return [createFault("BODY_INVALID", { path: `/${rowPointer(0, head).slice(3)}`, message })];
  });
  throwFaults(faults);
  return heads;
}

/** Whether the text of each key is that of PostgreSQL. */
function canMatch({ pairs }: TitledReference): boolean {
  return pairs.every(({ key: { column } }) => {
    const { type } = column;
    return !type.array && !type.holdsBytes && (isTextual(type) || keyTypes.has(type.base));
  });
}

const keyTypes: ReadonlySet<string> = new Set([
  ...["smallint", "integer", "bigint", "numeric", "uuid", "date", "boolean"],
]);

const namedTable = "pg_temp.rowhouse_import_named";
/** Rows that a fault names of those that a title can mean. */
const candidatesMax = 5;

/** Returns the statement that creates the table of the titles, with the number of rows that each can mean and the first one. */
export function createNamedSql(references: readonly StagedReference[]): string {
  const most = Math.max(...references.map(({ own }) => own.length));
  const keys = Array.from({ length: most }, (_, at) => `, k${at} text`).join("");
  return `create temporary table rowhouse_import_named (i smallint, title text, matches bigint, candidates text${keys}) on commit drop`;
}

/** A title as people write it: blanks and case do not count. */
const foldedSql = (text: string) =>
  `pg_catalog.lower(pg_catalog.regexp_replace(pg_catalog.btrim(${text}), '\\s+', ' ', 'g') collate pg_catalog."default") collate "C"`;

/** Compares as bytes, because the collations of two columns may differ. */
const plainSql = (text: string) => `(${text}) collate "C"`;

/** One of the references of a file while its titles are resolved. */
interface Lookup extends StagedReference {
  readonly index: number;
  /** Undefined if the caller may no longer read a title. */
  readonly reference: TitledReference | undefined;
}

/** An attempt to resolve the titles of a file. */
export interface TitleContext {
  readonly plan: AuthorizedCreate;
  /** The columns of the staging table. */
  readonly columns: readonly Column[];
  readonly naming: NameSource;
  readonly snapshot: Snapshot;
  readonly callerKind: CallerKind;
  /** Returns the parameters of a statement. */
  readonly bind: (statement: Statement) => readonly Parameter[];
  readonly transaction: Queryable;
}

/** The staged rows whose titles name no row, or several. */
export interface FaultyTitles {
  /** The first faults. */
  readonly faults: readonly RowFault[];
  readonly count: number;
  /** The condition of the staged rows `x`. */
  readonly sql: string;
}

/**
 * Replaces the titles of staged rows by the keys of the rows that they name, among those that the caller may read. A title
 * counts as it is shown, otherwise without regard to case and blanks; a text that is no title is a key.
 *
 * @returns null without faults
 */
export async function resolveTitles(
  references: readonly StagedReference[],
  context: TitleContext,
): Promise<FaultyTitles | null> {
  const { plan, naming, transaction } = context;
  const titled = titledReferences(plan.read, naming);
  await transaction.query(`delete from ${namedTable}`);
  const found: FaultyTitles[] = [];
  for (const [index, { own, isBesideKey }] of references.entries()) {
    const names = own.map(({ name }) => name).join();
    const reference = titled.find(({ pairs }) => pairs.map((pair) => pair.own).join() === names);
    const lookup: Lookup = { index, own, isBesideKey, reference };
    if (reference !== undefined) {
      const searches = [foundSql, ...(isBesideKey ? [agreeingSql] : [])];
      for (const compile of searches) {
        const statement = compileSearch(lookup, reference, context, compile);
        await transaction.query(statement.text, context.bind(statement));
      }
    }
    await transaction.query(updateSql(lookup, context.columns));
    const faulty = await faultsOf(lookup, nameOf(reference, own), transaction);
    if (faulty.count > 0) found.push(faulty);
  }
  if (found.length === 0) return null;
  const faults = found.flatMap((each) => each.faults).sort((one, other) => one.row - other.row);
  return {
    faults: faults.slice(0, reportedMax),
    count: found.reduce((sum, { count }) => sum + count, 0),
    sql: found.map(({ sql }) => sql).join(" or "),
  };
}

/** What the referenced rows are called; a caller who may not read them knows the columns alone. */
function nameOf(reference: TitledReference | undefined, own: readonly Column[]): string {
  if (reference === undefined) return own.map(({ name }) => name).join(", ");
  const { name, resource } = reference.edge.target.relation;
  return resource.label ?? name;
}

const keysOf = ({ own }: Pick<Lookup, "own">, of: (at: number) => string): string[] =>
  own.map((_, at) => of(at));

/** Compiles a statement with `r`, the rows that the caller may read: their keys and their title. */
function compileSearch(
  lookup: Lookup,
  { edge: { target }, pairs, title }: TitledReference,
  { snapshot, callerKind }: TitleContext,
  searchSql: (lookup: Lookup) => string,
): Statement {
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const { sql, alias } = builder.from(target.relation);
  const own = { joins: new Joins(), pass: null, filterJoins: null, relatedMax: null, path: "" };
  const scope: SqlScope = { visible: target, alias, builder, ...own, named: [target] };
  const keys = pairs.map(({ key }, at) => `${plainSql(fieldTextSql(scope, key))} as k${at}`);
  const shown = builder.conditions(() => rowsSql(scope)) ?? [];
  const where = whereSql(["gate.ok", ...[shown].flat()]);
  // A foreign key refers to rows of its table alone.
  const from = target.relation.isInherited ? `only ${sql}` : sql;
  const rows = `select ${keys.join(", ")}, ${plainSql(titleSql(scope, title))} as title from ${from}${where}`;
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: `insert into ${namedTable} (i, title, matches, candidates, ${keysOf(lookup, (at) => `k${at}`).join(", ")})
with r as (select d.* from (${gate} offset 0) gate, lateral (${rows}) d)
${searchSql(lookup)}`,
    parameters: builder.parameters,
    relation: target.relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}

/** The rows that each title can mean: those with this title or this key, otherwise those with a similar title. */
function foundSql(lookup: Lookup): string {
  const { index, own, isBesideKey } = lookup;
  const keys = (prefix: string) => keysOf(lookup, (at) => `${prefix}k${at}`).join(", ");
  const text = `x.t${index}`;
  const isKeyed = own.length === 1 && !isBesideKey;
  const names = isKeyed
    ? `lateral (values ('T', ${foldedSql("r.title")}), ('K', r.k0)) v (kind, name)`
    : `lateral (values ('T', ${foldedSql("r.title")})) v (kind, name)`;
  return `, w as (select distinct ${plainSql(text)} as text from ${stagingTable} x where ${text} is not null),
wanted as (select w.text, 'T' as kind, ${foldedSql("w.text")} as name from w${
    isKeyed ? " union all select w.text, 'K', w.text from w" : ""
  }),
found as (select wanted.text, ${keys("r.")}, pg_catalog.bool_or(v.kind = 'K' or r.title = wanted.text) as exact
  from r, ${names}, wanted where wanted.kind = v.kind and wanted.name = v.name group by wanted.text, ${keys("r.")}),
ranked as (select found.*, pg_catalog.rank() over (partition by found.text order by found.exact desc) as place from found),
numbered as (select ranked.*, pg_catalog.row_number() over (partition by ranked.text order by ${keys("ranked.")}) as number
  from ranked where ranked.place = 1)
select ${index}, n.text, pg_catalog.count(*), (pg_catalog.json_agg(pg_catalog.json_build_array(${keys("n.")}) order by n.number)
    filter (where n.number <= ${candidatesMax}))::text, ${keysOf(lookup, (at) => `pg_catalog.min(n.k${at}) filter (where n.number = 1)`).join(", ")}
  from numbered n group by n.text`;
}

/** The titles that stand beside the keys of rows with these titles; they match no further row. */
function agreeingSql(lookup: Lookup): string {
  const { index } = lookup;
  const keys = keysOf(lookup, (at) => `x.k${index}_${at}`);
  const isSame = keys.map((key, at) => `${plainSql(key)} = r.k${at}`);
  return `select distinct ${index}, x.t${index}, 0, null::text, ${keys.join(", ")} from ${stagingTable} x, r
  where ${isSame.join(" and ")} and ${foldedSql(`x.t${index}`)} = ${foldedSql("r.title")}`;
}

/** Whether the file has a key in a row. */
function hasKeySql(lookup: Lookup): string {
  return `pg_catalog.num_nonnulls(${keysOf(lookup, (at) => `x.k${lookup.index}_${at}`).join(", ")}) > 0`;
}

function updateSql(lookup: Lookup, columns: readonly Column[]): string {
  const { index, own, isBesideKey } = lookup;
  const values = own.map((_, at) => {
    const [found, given] = [`f.k${at}`, `x.k${index}_${at}`];
    const value = isBesideKey
      ? `case when ${hasKeySql(lookup)} then ${given} else ${found} end`
      : `coalesce(${found}, ${given})`;
    return `${value} as v${at}`;
  });
  const set = own.map((column, at) => `c${columns.indexOf(column)} = r.v${at}`);
  const named = `${namedTable} f on ${namesSql(lookup)} and f.matches = 1`;
  return `update ${stagingTable} s set ${set.join(", ")}
from (select x.n, ${values.join(", ")} from ${stagingTable} x left join ${named}) r where r.n = s.n`;
}

/** The condition that a title `f` is that of a staged row. */
function namesSql({ index }: Lookup): string {
  return `f.i = ${index} and f.title = x.t${index}`;
}

/** Returns the condition of the staged rows whose title names no row, several, or another one than their key. */
function faultySql(lookup: Lookup): string {
  const { index, isBesideKey } = lookup;
  const exists = (condition: string) =>
    `exists (select 1 from ${namedTable} f where ${namesSql(lookup)} and ${condition})`;
  const isUnknown = `not ${exists("f.matches = 1")}`;
  if (!isBesideKey) {
    const isKey = `(${hasKeySql(lookup)} and not ${exists("f.matches > 1")})`;
    return `(x.t${index} is not null and ${isUnknown} and not ${isKey})`;
  }
  const same = keysOf(lookup, (at) => `f.k${at} = x.k${index}_${at}`).join(" and ");
  const isOther = `not ${exists(`f.matches = 0 and ${same}`)}`;
  return `(x.t${index} is not null and case when ${hasKeySql(lookup)} then ${isOther} else ${isUnknown} end)`;
}

interface FaultyRow {
  readonly n: string;
  readonly line: string;
  readonly title: string;
  readonly matches: string | null;
  readonly candidates: string | null;
  readonly has_key: string;
}

async function faultsOf(
  lookup: Lookup,
  name: string,
  transaction: Queryable,
): Promise<FaultyTitles> {
  const { index, own, isBesideKey } = lookup;
  const sql = faultySql(lookup);
  const [counted] = await transaction.query<{ count: string }>(
    `select pg_catalog.count(*)::text as count from ${stagingTable} x where ${sql}`,
  );
  const count = Number(counted?.count ?? 0);
  if (count === 0) return { faults: [], count, sql };
  const rows = await transaction.query<FaultyRow>(
    `select x.n::text, x.line::text, pg_catalog.left(pg_catalog.btrim(x.t${index}), ${titleMax}) as title, f.matches::text, f.candidates, (${hasKeySql(lookup)})::text as has_key
     from ${stagingTable} x left join ${namedTable} f on ${namesSql(lookup)} and f.matches > 0
     where ${sql} order by x.n limit ${reportedMax}`,
  );
  const column = own.length === 1 ? own[0]?.name : undefined;
  const faults = rows.map((row): RowFault => {
    const keys = JSON.parse(row.candidates ?? "[]") as readonly (readonly string[])[];
    const isOther = isBesideKey && row.has_key === "true";
    const isAmbiguous = !isOther && keys.length > 0;
    const message = isOther
      ? `The key is not that of ${name} “${row.title}”`
      : isAmbiguous
        ? `“${row.title}” can be ${row.matches} rows of ${name}: ${textOfKeys(keys, Number(row.matches))}`
        : `No row of ${name} is “${row.title}”`;
    const location = fileLocationOf(Number(row.line), column);
    const details = {
      ...location,
      ...(column === undefined ? { fields: own.map((each) => each.name) } : {}),
      reason: isOther ? "OTHER_TITLE" : isAmbiguous ? "AMBIGUOUS_TITLE" : "UNKNOWN_TITLE",
      title: row.title,
      label: name,
      ...(isAmbiguous ? { candidates: keys, matches: Number(row.matches) } : {}),
    };
    const options = { path: rowPointer(Number(row.n), column), message, details };
    return { row: Number(row.n), fault: createFault("VALUE_INVALID", options) };
  });
  return { faults, count, sql };
}

/** Characters of a title that a fault shows. */
const titleMax = 100;

function textOfKeys(keys: readonly (readonly string[])[], count: number): string {
  const shown = keys.map((key) => (key.length === 1 ? (key[0] ?? "") : `(${key.join(", ")})`));
  return `${shown.join(", ")}${count > keys.length ? ", …" : ""}`;
}
