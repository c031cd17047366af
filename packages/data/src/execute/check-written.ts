import type { Queryable, Relation } from "@rowhouse/db";
import { type Fault, throwFaults } from "@rowhouse/errors";
import type { DataRequest } from "../parse/request.ts";

/** Checks rows of one relation of the service that PostgreSQL cannot check, after each write of any route. */
export interface WrittenCheck {
  /** The name of a table of the schema `system`. */
  readonly table: string;
  /**
   * Returns the faults of the rows that a transaction has written so far, each at `/data/<column>`.
   *
   * @param on the transaction
   */
  readonly findFaults: (on: Queryable) => Promise<readonly Fault[]>;
}

/** Returns the check of a write; undefined for a request that needs none. */
export function checkOf(
  checks: readonly WrittenCheck[] | undefined,
  { kind }: Pick<DataRequest, "kind">,
  relation: Pick<Relation, "schema" | "name">,
): WrittenCheck | undefined {
  if (relation.schema !== "system" || (kind !== "CREATE" && kind !== "UPDATE")) return undefined;
  return checks?.find(({ table }) => table === relation.name);
}

/**
 * Requires that the rows of a write have no fault. If its body has several rows, the path of a fault names none of them.
 *
 * @throws AppError with the faults
 */
export async function requireSound(
  check: WrittenCheck | undefined,
  request: DataRequest,
  on: Queryable,
): Promise<void> {
  const faults = (await check?.findFaults(on)) ?? [];
  const isList = request.kind === "CREATE" && request.isList;
  throwFaults(isList ? faults.map((fault) => ({ ...fault, path: "/data" })) : faults);
}
