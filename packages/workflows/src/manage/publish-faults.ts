import { schema, type Transaction } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { and, eq, inArray } from "drizzle-orm";
import type { SecretUse } from "../definition/check-trigger.ts";
import type { Compilation } from "../definition/compile-definition.ts";
import type { Definition } from "../definition/definition.ts";
import { findWatchFaults } from "../event/watch.ts";
import { findTriggerFaults } from "./trigger-faults.ts";

const { users, workflowSecrets } = schema;

/** The position of the user in a definition. */
export const executeAsPath = "/trigger/executeAs";

/**
 * Returns every fault that prevents a definition from being published, as WORKFLOW_INVALID with JSON pointers into the
 * definition.
 */
export async function findPublishFaults(
  transaction: Transaction,
  { trigger }: Definition,
  compilation: Pick<Compilation, "faults" | "secretUses">,
): Promise<Fault[]> {
  const faults = [
    ...compilation.faults,
    ...(await unknownSecrets(transaction, compilation.secretUses)),
    ...(await findWatchFaults(transaction, trigger)),
    ...(await findTriggerFaults(transaction, trigger, "")),
  ];
  if (trigger.executeAs !== null && !(await isActiveUser(transaction, trigger.executeAs))) {
    faults.push(
      createFault("WORKFLOW_INVALID", {
        path: executeAsPath,
        message: "executeAs must be the id of an active user",
      }),
    );
  }
  return faults;
}

async function unknownSecrets({ orm }: Transaction, uses: readonly SecretUse[]): Promise<Fault[]> {
  if (uses.length === 0) return [];
  const used = uses.map(({ name }) => name);
  const rows = await orm
    .select({ name: workflowSecrets.name })
    .from(workflowSecrets)
    .where(inArray(workflowSecrets.name, used));
  const known = new Set(rows.map(({ name }) => name));
  return uses
    .filter(({ name }) => !known.has(name))
    .map(({ name, path }) =>
      createFault("WORKFLOW_INVALID", { path, message: `The secret ${name} does not exist` }),
    );
}

async function isActiveUser({ orm }: Transaction, id: string): Promise<boolean> {
  const rows = await orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.active, true)));
  return rows.length === 1;
}
