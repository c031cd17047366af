import type { Queryable } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { settingDefinitions } from "@rowhouse/settings";
import type { Trigger } from "../definition/definition.ts";
import { onTimeoutDefault, waitSecondsDefault } from "../definition/trigger.ts";

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
