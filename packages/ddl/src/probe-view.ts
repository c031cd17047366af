import {
  type Database,
  type PostgresFailure,
  type Queryable,
  readPostgresFailure,
} from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isStatementsFault } from "./base/attempt.ts";
import { forbiddenSql } from "./base/forbidden-sql.ts";
import { placeAt, type TextPlace } from "./base/text-place.ts";
import { lockTimeout } from "./base/transaction-settings.ts";
import { definitionPath, type GuardedView } from "./guarded-view.ts";
import { absence, findUnknownTypes } from "./verify-table.ts";
import { toViewError } from "./view-errors.ts";

/** A column that a view's definition produces. */
export interface ProbedColumn {
  readonly name: string;
  /** With its modifier. */
  readonly type: string;
  readonly collation: string | null;
}

/** Returns the columns of a view or materialized view by its OID (`$1`), in the form of `ProbedColumn`. */
export const columnsSql = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         (select c.collname from pg_catalog.pg_collation c where c.oid = a.attcollation) as collation
  from pg_catalog.pg_attribute a
  where a.attrelid = $1::text::oid and a.attnum > 0 and not a.attisdropped
  order by a.attnum`;

/**
 * Creates a view as a temporary one and rolls back. It returns the columns and checks that every object that the
 * definition mentions exists and is allowed. It executes no query of the view.
 *
 * @throws AppError with each fault at its path
 */
export async function probeView(database: Database, view: GuardedView): Promise<ProbedColumn[]> {
  throwFaults(await findUnknownTypes(database, view.references.types));
  throwFaults(await findUnknownRelations(database, view));
  const { columns, faults } = await tryView(database, view);
  throwFaults(faults);
  throwFaults(findUnknownIndexColumns(view, columns));
  return columns;
}

/** A view may read only tables and views that are resources, and nothing in the system schema. */
async function findUnknownRelations(database: Queryable, view: GuardedView): Promise<Fault[]> {
  const { relations } = view.references;
  if (relations.length === 0) return [];
  const known = await database.query<{ schema: string; name: string }>(
    `select r.schema_name as schema, r.relation_name as name from system.registrable_relations r
     join jsonb_to_recordset($1::text::jsonb) w (schema text, name text)
       on w.schema = r.schema_name and w.name = r.relation_name
     where r.schema_name <> 'system'`,
    [JSON.stringify(relations)],
  );
  const keyOf = (relation: { readonly schema: string; readonly name: string }): string =>
    JSON.stringify([relation.schema, relation.name]);
  const keys = new Set(known.map(keyOf));
  const unknown = new Map(
    relations.filter((relation) => !keys.has(keyOf(relation))).map((r) => [keyOf(r), r]),
  );
  return [...unknown.values()].map(({ schema, name, place }) =>
    createFault("EXPRESSION_INVALID", {
      path: definitionPath,
      message: `The table or view ${schema}.${name} does not exist`,
      details: { ...absence, ...place },
    }),
  );
}

class Undo extends Error {}

async function tryView(
  database: Database,
  view: GuardedView,
): Promise<{ columns: ProbedColumn[]; faults: Fault[] }> {
  const statement = `create temporary view rowhouse_probe as ${view.sql}`;
  let columns: ProbedColumn[] = [];
  let faults: Fault[] = [];
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
      await transaction.asService.query(statement);
      const [probe] = await transaction.query<{ oid: string }>(
        "select 'pg_temp.rowhouse_probe'::regclass::oid::text as oid",
      );
      const oid = probe?.oid ?? null;
      columns = await transaction.query<ProbedColumn>(columnsSql, [oid]);
      faults = (
        await transaction.query<{ name: string }>(forbiddenSql("$1::text::oid"), [oid])
      ).map(({ name }) =>
        createFault("EXPRESSION_INVALID", {
          path: definitionPath,
          message: `${name} is not allowed in a view; functions of your own must be declared IMMUTABLE`,
        }),
      );
      throw new Undo();
    });
  } catch (error) {
    if (error instanceof Undo) return { columns, faults };
    const failure = readPostgresFailure(error);
    if (failure === undefined || !isStatementsFault(failure.code)) {
      throw toViewError(error, definitionPath);
    }
    const near = findNear(failure, statement);
    const message = describeFailure(failure, near?.token);
    const place = near && findPlace(view.written, near);
    const isAbsent = absent.has(failure.code);
    const details = { ...(isAbsent ? absence : {}), ...place };
    throw createError("EXPRESSION_INVALID", {
      ...{ path: definitionPath, message, cause: error },
      ...(isAbsent || place !== undefined ? { details } : {}),
    });
  }
  return { columns, faults };
}

/** Messages by SQLSTATE. Messages of Postgres are not passed on. */
const sentences: Readonly<Record<string, string>> = {
  "42601": "The definition is inconsistent",
  "42P01": "This table or view does not exist",
  "42703": "This column does not exist",
  "42702": "Several columns have this name; qualify it with the table's name",
  "42701": "Two columns of the view have the same name",
  "42883": "No function or operator accepts values of these types",
  "42725": "Several functions match; cast the arguments",
  "42803": "A column must appear in GROUP BY or in an aggregate",
  "42804": "The types do not match",
  "42846": "A value of this type has no such cast",
  "42704": "This type or collation does not exist",
  "42712": "Two tables have the same name; give one an alias",
  "42P10": "This column cannot be referenced here",
  "42P19": "Postgres does not allow this recursion",
  "42P20": "Postgres does not allow this window",
  "0A000": "Postgres does not support this form",
};

/** SQLSTATEs of a table, a function or a type that does not exist. */
const absent: ReadonlySet<string> = new Set(["42P01", "42883", "42704"]);

function describeFailure({ code }: PostgresFailure, near: string | undefined): string {
  const sentence =
    sentences[code] ??
    (code.startsWith("22") ? "A constant does not fit its type" : undefined) ??
    "The database does not accept this definition";
  return near === undefined ? sentence : `${sentence}, near ${near}`;
}

/** A part of a text: the name, with its qualification, or the sign at which an error stands. */
interface Near {
  readonly token: string;
  /** How many times the words before it have its last word. */
  readonly occurrence: number;
}

/** Returns the part of a deparsed statement at which PostgreSQL found an error. */
function findNear({ position }: PostgresFailure, statement: string): Near | undefined {
  if (position === undefined) return undefined;
  const characters = [...statement];
  const token = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}\p{N}_$.]|::)+|^[^\s\p{L}]{1,3}/u.exec(
    characters.slice(position - 1).join(""),
  )?.[0];
  if (token === undefined) return undefined;
  const word = wordsOf(token).at(-1)?.word;
  // Without the words that stand before the SELECT.
  const before = characters.slice(statement.indexOf(" as ") + 4, position - 1).join("");
  const occurrence = wordsOf(before).filter((other) => other.word === word).length;
  return { token, occurrence };
}

/**
 * Returns the line and column of a part in the text that was deparsed. PostgreSQL's position is in the deparsed one, which has
 * the same words in the same order, and only their quotation marks, spaces and case differ.
 */
function findPlace(written: string, { token, occurrence }: Near): TextPlace | undefined {
  const qualified = wordsOf(token).map(({ word }) => word);
  const words = wordsOf(written);
  const found = words.filter(({ word }) => word === qualified.at(-1))[occurrence];
  if (found === undefined) return undefined;
  const first = words[words.indexOf(found) - qualified.length + 1];
  const start = first !== undefined && first.word === qualified[0] ? first : found;
  return placeAt(written, start.at);
}

/** Returns the names, numbers and texts of a statement as PostgreSQL reads them, with their places. */
function wordsOf(text: string): { readonly word: string; readonly at: number }[] {
  const words = text.matchAll(/"((?:[^"]|"")*)"|'(?:[^']|'')*'|[\p{L}\p{N}_$]+/gu);
  return [...words].map(({ 0: whole = "", 1: quoted, index }) => ({
    word: quoted?.replaceAll('""', '"') ?? (whole.startsWith("'") ? whole : whole.toLowerCase()),
    at: index,
  }));
}

function findUnknownIndexColumns(view: GuardedView, columns: readonly ProbedColumn[]): Fault[] {
  const names = new Set(columns.map((column) => column.name));
  return (view.indexes ?? []).flatMap((index, at) =>
    index.columns.flatMap((name, column) =>
      names.has(name)
        ? []
        : [
            createFault("VALUE_INVALID", {
              path: `/data/indexes/${at}/columns/${column}`,
              message: "The view has no such column",
            }),
          ],
    ),
  );
}
