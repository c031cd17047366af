import { type Parameter, type Queryable, readPostgresFailure, toAppError } from "@rowhouse/db";
import { AppError, createError, createFault, type Fault } from "@rowhouse/errors";
import type { AuthorizedPlan } from "./authorize-plan.ts";
import { pathOfField } from "./bind-parameters.ts";
import type { DataRequest } from "./request.ts";
import type { ParameterSource, Statement } from "./statement.ts";

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
  if (known.code === "VALUE_INVALID" || failure?.code === "23514") {
    const faults = await findImpossibleValues(statement, request, parameters, database);
    if (faults === "KEY") return createError("NOT_FOUND");
    const [first, ...rest] = faults;
    if (first !== undefined) return new AppError([first, ...rest], { cause: error });
  }
  if (known.code === "REQUIRED_FIELD") return hideField(known, plan, error);
  if (known.code === "UNIQUE_VIOLATION") return nameFields(known, plan, failure?.constraint, error);
  return known;
}

/** "KEY" where the id itself cannot be one. */
async function findImpossibleValues(
  statement: Statement,
  request: DataRequest,
  parameters: readonly Parameter[],
  database: Queryable,
): Promise<Fault[] | "KEY"> {
  const faults: Fault[] = [];
  for (const [index, source] of statement.parameters.entries()) {
    const typeName = typeNameOf(source);
    const parameter = parameters[index];
    if (typeName === undefined || parameter == null) continue;
    try {
      await database.query(`select $1::text::${typeName}`, [parameter]);
    } catch (error) {
      const failure = toAppError(error);
      if (failure.status >= 500) throw failure;
      if (source.kind === "KEY") return "KEY";
      const path = pathOf(source, request);
      faults.push(createFault("VALUE_INVALID", { path }));
    }
  }
  return faults;
}

function typeNameOf(source: ParameterSource): string | undefined {
  switch (source.kind) {
    case "KEY":
    case "VALUE":
      return source.column.type.name;
    case "FILTER":
      if (source.binding.conversion === "LIST") return `${source.binding.type.name}[]`;
      return source.binding.conversion === "VALUE" ? source.binding.type.name : undefined;
    default:
      return undefined;
  }
}

function pathOf(source: ParameterSource, request: DataRequest): string | undefined {
  if (source.kind === "VALUE") return pathOfField(source.field);
  return source.kind === "FILTER" && "slots" in request
    ? request.slots[source.binding.slot]?.path
    : undefined;
}

/** A missing value in a column that the caller may not know of is "a required field", without its name. */
function hideField(known: AppError, plan: AuthorizedPlan, cause: unknown): AppError {
  const path = known.faults[0].path;
  const mayKnow =
    path !== undefined &&
    plan.relation.columns.some(
      ({ name }) =>
        pathOfField(name) === path &&
        (plan.read.fieldByName(name) !== undefined ||
          plan.write.some((grant) => grant.fields === null || grant.fields.has(name))),
    );
  return mayKnow ? known : createError("REQUIRED_FIELD", { cause });
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
