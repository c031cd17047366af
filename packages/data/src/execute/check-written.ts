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
 * Requires that the rows of a write have no fault.
 *
 * @param isList whether the body has several rows, so that the path of a fault does not name its row
 * @throws AppError with the faults
 */
export async function requireSound(
  check: WrittenCheck | undefined,
  on: Queryable,
  isList: boolean,
): Promise<void> {
  const faults = (await check?.findFaults(on)) ?? [];
  throwFaults(isList ? faults.map((fault) => ({ ...fault, path: "/data" })) : faults);
}
