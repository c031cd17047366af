import {
  authenticationRequired,
  type Caller,
  isCredentialGood,
  standingOf,
} from "@rowhouse/access";
import type { Column } from "@rowhouse/db";
import { AppError, createError, type Fault } from "@rowhouse/errors";
import { authorizePlan } from "../authorize/authorize-plan.ts";
import type { AuthorizedCreate } from "../authorize/authorized-plan.ts";
import type { Rights } from "../execute/prove-and-repeat.ts";
import { planRequest } from "../plan/plan-request.ts";
import { createOfImport, type ImportRequest } from "./import-request.ts";

/**
 * Checks an import against the caller's grants, as a create of rows with these sets of fields.
 *
 * @throws AppError as a create; the paths of its faults are those of the file
 */
export function authorizeImport(
  request: ImportRequest,
  fieldSets: readonly (readonly string[])[],
  { snapshot, principal }: Rights,
  caller: Caller,
): AuthorizedCreate {
  if (caller.kind !== "USER" && !isCredentialGood(principal, standingOf(principal, snapshot))) {
    throw authenticationRequired();
  }
  const create = createOfImport(request, fieldSets);
  try {
    const plan = authorizePlan(planRequest(create, snapshot.catalogue), snapshot, principal);
    if (plan.kind !== "CREATE") throw createError("INTERNAL_ERROR");
    return plan;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [first, ...rest] = error.faults;
    const faults = [inHeader(first), ...rest.map(inHeader)] as const;
    throw new AppError(faults, { headers: error.headers, meta: error.meta });
  }
}

/** Replaces the pointer to a field of a JSON body by one to a name of the header. */
function inHeader(fault: Fault): Fault {
  const { path } = fault;
  return path?.startsWith("/data/") === true ? { ...fault, path: path.slice(5) } : fault;
}

/** Returns the columns of which the caller may create values, in the order of the table. */
export function creatableColumns(
  request: ImportRequest,
  rights: Rights,
  caller: Caller,
): readonly Column[] {
  const { relation } = authorizeImport(request, [], rights, caller);
  return relation.columns.filter(({ name }) => {
    try {
      authorizeImport(request, [[name]], rights, caller);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === "FIELD_UNKNOWN") return false;
      throw error;
    }
  });
}
