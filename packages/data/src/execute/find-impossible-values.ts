import {
  arrayLiteral,
  type Parameter,
  type PostgresFailure,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { createFault, escapePointer, type Fault, faultsMax } from "@rowhouse/errors";
import { sentValueSql } from "../compile/column-json.ts";
import type { ParameterSource, Statement } from "../compile/statement.ts";
import type { CreateRequest, DataRequest } from "../parse/request.ts";
import { timeZoneHeader } from "../parse/time-zone.ts";
import { slotsOf } from "./bind-parameters.ts";
import { bindValue } from "./bind-value.ts";

/** The faults of the values that a request sent and Postgres cannot read; "KEY" where the id itself cannot be one. */
export async function findImpossibleValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
  database: Queryable,
): Promise<Fault[] | "KEY"> {
  const faults: Fault[] = [];
  for (const { valueSql, texts } of sentValues(statement, request, parameters)) {
    for (const path of await impossibleOf(valueSql, texts, database, faultsMax - faults.length)) {
      if (path === null) return "KEY";
      faults.push(createFault("VALUE_INVALID", { path }));
    }
    if (faults.length >= faultsMax) break;
  }
  return faults;
}

/**
 * The paths of the texts of which Postgres makes no value. All are tried in one statement, then halves of what failed: the
 * number of statements grows with the faults that are found, not with the values.
 */
async function impossibleOf(
  valueSql: string,
  texts: readonly SentText[],
  database: Queryable,
  max: number,
): Promise<(string | null)[]> {
  const [first] = texts;
  if (first === undefined || max <= 0) return [];
  try {
    const list = arrayLiteral(texts.map(({ text }) => text));
    await database.query(`select pg_catalog.count(${valueSql}) from unnest($1::text[]) x (v)`, [
      list,
    ]);
    return [];
  } catch (error) {
    const known = toAppError(error);
    if (known.status >= 500 && !mayBeText(readPostgresFailure(error))) throw known;
    if (texts.length === 1) return [first.path];
    const middle = texts.length >> 1;
    const found = await impossibleOf(valueSql, texts.slice(0, middle), database, max);
    const rest = texts.slice(middle);
    return [...found, ...(await impossibleOf(valueSql, rest, database, max - found.length))];
  }
}

/** Some types' input functions say of a text what Postgres says of a statement: its syntax is wrong, or it names nothing. */
export function mayBeText(failure: PostgresFailure | undefined): boolean {
  return failure !== undefined && /^(?:42601|42602|42622|42704|42P01|3F000)$/.test(failure.code);
}

interface SentText {
  readonly text: string;
  /** Null for a part of the id. */
  readonly path: string | null;
}

/** Values that are made of their texts in the same way. */
interface SentValues {
  /** The value made of the text `x.v`. */
  readonly valueSql: string;
  readonly texts: readonly SentText[];
}

/** Every value that the caller sent and a column's type reads. */
function* sentValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
): Generator<SentValues> {
  for (const [index, source] of statement.parameters.entries()) {
    const text = parameters[index];
    if (text == null) continue;
    const one = (valueSql: string, path: string | null): SentValues => ({
      valueSql,
      texts: [{ text, path }],
    });
    switch (source.kind) {
      case "KEY":
        yield one(textAs(source.column.type.name), null);
        break;
      case "VALUE":
        yield one(sentValueSql("x.v", source.column), `/data/${escapePointer(source.field)}`);
        break;
      case "TIME_ZONE":
        // A name of IANA's that this server's time zone database does not have.
        if (request.timeZone !== undefined) {
          yield one("pg_catalog.now() at time zone x.v", timeZoneHeader);
        }
        break;
      case "VALUES":
        if (request.kind === "CREATE") {
          yield {
            valueSql: sentValueSql("x.v", source.column),
            texts: textsOf(source, request),
          };
        }
        break;
      case "FILTER": {
        const { conversion, type, slot } = source.binding;
        const path = slotsOf(request)[slot]?.path ?? "where";
        if (conversion === "VALUE" || conversion === "ELEMENTS") yield one(textAs(type.name), path);
        if (conversion === "LIST") yield one(textAs(`${type.name}[]`), path);
        break;
      }
      default:
    }
  }
}

function textAs(typeName: string): string {
  return `x.v::${typeName}`;
}

function textsOf(
  { group, field, column }: Extract<ParameterSource, { kind: "VALUES" }>,
  request: CreateRequest,
): SentText[] {
  return (request.groups[group]?.positions ?? []).flatMap((position) => {
    const text = bindValue(column.type, request.rows[position]?.get(field));
    return text == null ? [] : [{ text, path: `/data/${position}/${escapePointer(field)}` }];
  });
}
