import {
  type Parameter,
  type PostgresFailure,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import {
  AppError,
  createError,
  createFault,
  escapePointer,
  type Fault,
  faultsMax,
} from "@rowhouse/errors";
import type { AuthorizedPlan } from "./authorize-plan.ts";
import { slotsOf } from "./bind-parameters.ts";
import { bindValue } from "./bind-value.ts";
import { sentValueSql } from "./column-json.ts";
import type { CreateRequest, DataRequest } from "./request.ts";
import type { ParameterSource, Statement } from "./statement.ts";
import { timeZoneHeader } from "./time-zone.ts";

/**
 * The caller's error for a statement that Postgres refused, after it was proven that the statement was compiled for this
 * moment. A value that only Postgres could judge gets its path by asking Postgres again, for that value alone.
 */
export async function explainFailure(
  error: unknown,
  statement: Statement,
  plan: AuthorizedPlan,
  request: DataRequest,
  parameters: readonly Parameter[],
  database: Queryable,
): Promise<AppError> {
  const known = toAppError(error, statement.relation);
  const failure = readPostgresFailure(error);
  if (failure?.code === "42883" || failure?.code === "42725") {
    return createError("QUERY_INVALID", {
      message: "An operator does not apply to its field",
      cause: error,
    });
  }
  if (failure?.code === "55000" && plan.relation.resource.kind === "VIEW") {
    return createError("SERVICE_UNAVAILABLE", {
      message: "A materialized view has not been filled yet",
      headers: { "Retry-After": "10" },
      cause: error,
    });
  }
  // A foreign table that is read-only, or a published table without a replica identity.
  if (isWrite(request) && (failure?.code === "0A000" || failure?.code === "55000")) {
    return createError("ACTION_DENIED", {
      message: "The database does not let the service do this",
      cause: error,
    });
  }
  if (
    known.code === "INTERNAL_ERROR" &&
    statement.requested.some(({ kind }) => kind === "FOREIGN_TABLE")
  ) {
    return createError("SERVICE_UNAVAILABLE", {
      message: "The server behind a foreign table refused the statement",
      headers: { "Retry-After": "10" },
      cause: error,
    });
  }
  if (failure?.code === "21000" && request.kind === "CREATE" && request.conflict !== null) {
    return createError("BODY_INVALID", {
      path: "/data",
      message: "Two rows of the list have the same key",
      cause: error,
    });
  }
  if (known.code === "VALUE_INVALID" || failure?.code === "23514" || mayBeText(failure)) {
    const faults = await findImpossibleValues(statement, request, parameters, database);
    if (faults === "KEY") return createError("NOT_FOUND");
    const [first, ...rest] = faults;
    if (first !== undefined) return new AppError([first, ...rest], { cause: error });
    // What was no value is the user's own.
    if (mayBeText(failure) && statement.text.includes('"$USER.')) {
      return createError("VALUE_INVALID", { cause: error });
    }
  }
  if (known.code === "REQUIRED_FIELD") {
    // A trigger may have missed a value in another table.
    const isOwn = failure?.table === plan.relation.name;
    return nameMissing(plan, request, isOwn ? failure?.column : undefined, error);
  }
  if (known.code === "UNIQUE_VIOLATION") return nameFields(known, plan, failure?.constraint, error);
  return known;
}

function isWrite({ kind }: DataRequest): boolean {
  return kind === "CREATE" || kind === "UPDATE" || kind === "DELETE";
}

/** "KEY" where the id itself cannot be one. */
async function findImpossibleValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
  database: Queryable,
): Promise<Fault[] | "KEY"> {
  const faults: Fault[] = [];
  for (const { valueSql, text, path } of sentValues(statement, request, parameters)) {
    try {
      await database.query(`select ${valueSql}`, [text]);
    } catch (error) {
      const known = toAppError(error);
      if (known.status >= 500 && !mayBeText(readPostgresFailure(error))) throw known;
      if (path === null) return "KEY";
      faults.push(createFault("VALUE_INVALID", { path }));
      if (faults.length >= faultsMax) break;
    }
  }
  return faults;
}

/** Some types' input functions say of a text what Postgres says of a statement: its syntax is wrong, or it names nothing. */
function mayBeText(failure: PostgresFailure | undefined): boolean {
  return failure !== undefined && /^(?:42601|42602|42622|42704|42P01|3F000)$/.test(failure.code);
}

interface SentValue {
  /** The value made of its text, which is the parameter. */
  readonly valueSql: string;
  readonly text: string;
  /** Null for a part of the id. */
  readonly path: string | null;
}

/** Every value that the caller sent and a column's type reads. */
function* sentValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
): Generator<SentValue> {
  for (const [index, source] of statement.parameters.entries()) {
    const text = parameters[index];
    if (text == null) continue;
    switch (source.kind) {
      case "KEY":
        yield { valueSql: textAs(source.column.type.name), text, path: null };
        break;
      case "VALUE":
        yield {
          valueSql: sentValueSql("$1::text", source.column),
          text,
          path: pathOfField(source.field),
        };
        break;
      case "TIME_ZONE":
        // A name of IANA's that this server's time zone database does not have.
        if (request.timeZone !== undefined) {
          yield { valueSql: "now() at time zone $1::text", text, path: timeZoneHeader };
        }
        break;
      case "VALUES":
        if (request.kind === "CREATE") yield* rowValues(source, request);
        break;
      case "FILTER": {
        const { conversion, type, slot } = source.binding;
        const path = slotsOf(request)[slot]?.path ?? "where";
        if (conversion === "VALUE" || conversion === "ELEMENTS") {
          yield { valueSql: textAs(type.name), text, path };
        }
        if (conversion === "LIST") yield { valueSql: textAs(`${type.name}[]`), text, path };
        break;
      }
      default:
    }
  }
}

function textAs(typeName: string): string {
  return `$1::text::${typeName}`;
}

function* rowValues(
  { group, field, column }: Extract<ParameterSource, { kind: "VALUES" }>,
  request: CreateRequest,
): Generator<SentValue> {
  for (const position of request.groups[group]?.positions ?? []) {
    const text = bindValue(column.type, request.rows[position]?.get(field));
    if (text != null) {
      const path = `/data/${position}/${escapePointer(field)}`;
      yield { valueSql: sentValueSql("$1::text", column), text, path };
    }
  }
}

function pathOfField(field: string): string {
  return `/data/${escapePointer(field)}`;
}

/** A missing value in a column that the caller may not know of is "a required field", without its name. */
function nameMissing(
  plan: AuthorizedPlan,
  request: DataRequest,
  column: string | undefined,
  cause: unknown,
): AppError {
  const mayKnow =
    column !== undefined &&
    (plan.read.fieldByName(column) !== undefined ||
      (plan.relation.columnByName(column) !== undefined &&
        plan.write.some((grant) => grant.fields === null || grant.fields.has(column))));
  if (!mayKnow) return createError("REQUIRED_FIELD", { cause });
  if (request.kind !== "CREATE" || !request.isList) {
    return createError("REQUIRED_FIELD", { path: pathOfField(column), cause });
  }
  const hasDefault = plan.relation.columnByName(column)?.hasDefault === true;
  const position = request.rows.findIndex((row) =>
    row.has(column) ? row.get(column) === null : !hasDefault,
  );
  const path = position < 0 ? undefined : `/data/${position}/${escapePointer(column)}`;
  return createError("REQUIRED_FIELD", { path, cause });
}

/** The fields of a violated key, if the caller may read them all. */
function nameFields(
  known: AppError,
  plan: AuthorizedPlan,
  constraint: string | undefined,
  cause: unknown,
): AppError {
  const key = plan.relation.uniqueKeys.find((candidate) => candidate.name === constraint);
  const mayKnow = key?.columns.every((name) => plan.read.fieldByName(name)?.rows === null);
  return key !== undefined && mayKnow === true
    ? createError("UNIQUE_VIOLATION", { details: { fields: key.columns }, cause })
    : known;
}
