import { impossibleValue } from "@rowhouse/access";
import {
  arrayLiteral,
  convertAllSql,
  type Parameter,
  type PostgresFailure,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { createFault, escapePointer, type Fault, faultsMax } from "@rowhouse/errors";
import { heldValueSql } from "../compile/column-sql.ts";
import type { ParameterSource, Statement } from "../compile/statement.ts";
import { timeZoneHeader } from "../parse/headers.ts";
import { type CreateRequest, changedValue, type DataRequest } from "../parse/request.ts";
import { slotsOf } from "./bind-parameters.ts";
import { bindValue } from "./bind-value.ts";

/** Returns the errors for the values of a request that PostgreSQL rejects; "KEY" if the id itself is impossible. */
export async function findImpossibleValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
  database: Queryable,
): Promise<Fault[] | "KEY"> {
  const faults: Fault[] = [];
  for (const { valueSql, texts, isFilter, isPosition } of sentValues(
    statement,
    request,
    parameters,
  )) {
    const found = await impossibleOf(valueSql, texts, database, faultsMax - faults.length);
    for (const { path, text } of found) {
      if (path === null) return "KEY";
      if (isPosition) {
        const message = "The type of a column of the order has changed, or a label of it";
        return [createFault("QUERY_INVALID", { path, message })];
      }
      faults.push(isFilter ? impossibleValue(path, text) : createFault("VALUE_INVALID", { path }));
    }
    if (faults.length >= faultsMax) break;
  }
  return faults;
}

/**
 * Returns the texts that PostgreSQL rejects. It tries all of them in one statement and then halves of
 * each failed set, so the number of statements grows with the errors and not with the values.
 */
async function impossibleOf(
  valueSql: string,
  texts: readonly SentText[],
  database: Queryable,
  max: number,
): Promise<SentText[]> {
  const [first] = texts;
  if (first === undefined || max <= 0) return [];
  try {
    const list = arrayLiteral(texts.map(({ text }) => text));
    await database.query(
      `select pg_catalog.count(${valueSql}) from pg_catalog.unnest($1::text[]) x (v)`,
      [list],
      // A domain of the database's users may have a function of theirs in its check.
      { runsCode: true },
    );
    return [];
  } catch (error) {
    const known = toAppError(error);
    if (known.status >= 500 && !mayBeText(readPostgresFailure(error))) throw known;
    if (texts.length === 1) return [first];
    const middle = texts.length >> 1;
    const found = await impossibleOf(valueSql, texts.slice(0, middle), database, max);
    const rest = texts.slice(middle);
    return [...found, ...(await impossibleOf(valueSql, rest, database, max - found.length))];
  }
}

/**
 * Error codes that an input function can raise for a text, although they usually refer to a statement: a syntax error
 * or an undefined object.
 */
export function mayBeText(failure: PostgresFailure | undefined): boolean {
  return failure !== undefined && /^(?:42601|42602|42622|42704|42P01|3F000)$/.test(failure.code);
}

interface SentText {
  readonly text: string;
  /** Null for a part of the id. */
  readonly path: string | null;
}

/** Values that the same SQL expression converts. */
interface SentValues {
  /** SQL that converts the text `x.v` to the value. */
  readonly valueSql: string;
  readonly texts: readonly SentText[];
  /** Whether it is a value of a filter, where a null has an operator of its own. */
  readonly isFilter?: true;
  /** Whether it is a value of a cursor. */
  readonly isPosition?: true;
}

/** Lists every value of the request that a column's type must parse. */
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
        yield one(textAs(source.column.type.plain), null);
        break;
      case "CURSOR":
        yield { ...one(textAs(source.typeName), "cursor"), isPosition: true };
        break;
      case "DEEP_CURSOR":
        yield { ...one(textAs(source.typeName), `deep[${source.path}][cursor]`), isPosition: true };
        break;
      case "VALUE":
        yield one(heldValueSql("x.v", source.column), `/data/${escapePointer(source.field)}`);
        break;
      case "CHANGE": {
        if (request.kind !== "UPDATE") break;
        const { pointer } = changedValue(request.values.get(source.field), source.index);
        const path = ["/data", ...[source.field, ...pointer].map(escapePointer)].join("/");
        yield one(textAs(source.column.type.base), path);
        break;
      }
      case "TIME_ZONE":
        // An IANA name that is missing in this server's time zone database.
        if (request.timeZone !== undefined) {
          yield one("pg_catalog.now() at time zone x.v", timeZoneHeader);
        }
        break;
      case "VALUES":
        if (request.kind === "CREATE") {
          yield {
            valueSql: heldValueSql("x.v", source.column),
            texts: textsOf(source, request),
          };
        }
        break;
      case "FILTER": {
        const { conversion, type, slot } = source.binding;
        const path = slotsOf(request)[slot]?.path ?? "where";
        if (conversion === "VALUE" || conversion === "ELEMENTS") {
          yield { ...one(textAs(type.plain), path), isFilter: true };
        }
        if (conversion === "LIST") yield one(textAs(`${type.plain}[]`), path);
        if (conversion === "ARRAYS") yield one(convertAllSql("x.v::text[]", type), path);
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
