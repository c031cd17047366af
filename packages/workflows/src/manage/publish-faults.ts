import { arrayLiteral, type Queryable, schema, type Transaction } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { settingDefinitions } from "@rowhouse/settings";
import type { Vault } from "@rowhouse/vault";
import { and, eq } from "drizzle-orm";
import { type SecretUse, signatureSecrets } from "../compile/check-trigger.ts";
import type { Compilation } from "../compile/compile-definition.ts";
import type { Definition, Trigger } from "../definition/definition.ts";
import { onTimeoutDefault, waitSecondsDefault } from "../definition/trigger.ts";
import { findWatchFaults } from "../event/watch.ts";
import { createSecretReader } from "../secrets/secret-reader.ts";
import { signingKeyFault } from "../secrets/signing-key.ts";

const { users } = schema;

/** Opens the stored secrets that a definition uses. */
export type SecretOpener = Pick<Vault, "open">;

/** The position of the user in a definition. */
export const executeAsPath = "/trigger/executeAs";

/**
 * Returns every fault that prevents a definition from being published, as WORKFLOW_INVALID with JSON pointers into the definition.
 */
export async function findPublishFaults(
  transaction: Transaction,
  { trigger }: Definition,
  compilation: Pick<Compilation, "faults" | "secretUses">,
  vault: SecretOpener,
): Promise<Fault[]> {
  const faults = [
    ...compilation.faults,
    ...(await findSecretFaults(transaction, trigger, compilation.secretUses, vault)),
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

/** Returns the uses of secrets that do not exist, cannot be decrypted, or cannot be the key that they should be. */
async function findSecretFaults(
  transaction: Transaction,
  trigger: Trigger,
  uses: readonly SecretUse[],
  vault: SecretOpener,
): Promise<Fault[]> {
  if (uses.length === 0) return [];
  const rows = await transaction.query<{ name: string }>(
    "select name from system.workflow_secrets where name = any ($1::text::text[])",
    [arrayLiteral(uses.map(({ name }) => name))],
  );
  const stored = new Set(rows.map(({ name }) => name));
  const values = await createSecretReader(transaction, vault).load([...stored]);
  const signature = trigger.kind === "webhook" ? trigger.signature : null;
  const signing: ReadonlySet<string> = new Set(signatureSecrets(trigger).map(({ path }) => path));
  return uses.flatMap(({ name, path }) => {
    const value = values.get(name);
    const fault =
      value !== undefined && signature !== null && signing.has(path)
        ? signingKeyFault(signature.kind, value)
        : undefined;
    if (value !== undefined && fault === undefined) return [];
    const wrong = stored.has(name)
      ? "cannot be decrypted; store its value again"
      : "does not exist";
    return [
      createFault("WORKFLOW_INVALID", { path, message: `The secret ${name} ${fault ?? wrong}` }),
    ];
  });
}

async function isActiveUser({ orm }: Transaction, id: string): Promise<boolean> {
  const rows = await orm
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), eq(users.active, true)));
  return rows.length === 1;
}

const cap = "workflows.max_sync_wait_ms";

/**
 * Returns the settings of a trigger that no call could honor, as WORKFLOW_INVALID: a wait above the setting, and
 * settings of the wait on a trigger that does not wait. A definition always has the defaults, which are no faults.
 *
 * @param pointer the position of the definition
 */
export async function findTriggerFaults(
  database: Queryable,
  trigger: Trigger,
  pointer: string,
): Promise<Fault[]> {
  if (trigger.kind !== "webhook") return [];
  const { response, waitSeconds, onTimeout } = trigger;
  const fault = (field: string, message: string) =>
    createFault("WORKFLOW_INVALID", { path: `${pointer}/trigger/${field}`, message });
  const waits = waitSeconds !== waitSecondsDefault;
  if (response === "ASYNCHRONOUS") {
    const message = (field: string) => `${field} requires response SYNCHRONOUS`;
    return [
      ...(waits ? [fault("waitSeconds", message("waitSeconds"))] : []),
      ...(onTimeout === onTimeoutDefault ? [] : [fault("onTimeout", message("onTimeout"))]),
    ];
  }
  if (!waits) return [];
  const [row] = await database.query<{ ms: number }>(
    "select (value::text)::integer as ms from system.settings where key = $1::text",
    [cap],
  );
  const maxMs = row?.ms ?? settingDefinitions[cap].default;
  if (waitSeconds * 1000 <= maxMs) return [];
  const message = `waitSeconds must be at most ${Math.floor(maxMs / 1000)}, by the setting ${cap}`;
  return [fault("waitSeconds", message)];
}
