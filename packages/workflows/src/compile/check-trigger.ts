import { isTimeZone } from "@rowhouse/settings";
import type { ScheduleTrigger, Trigger, WebhookTrigger } from "../definition/definition.ts";
import { CronSyntaxError, createRecurrence } from "./recurrence.ts";
import { checkInputSchema } from "./tool-input.ts";

/** Reports a fault, with its pointer into the definition. */
export type Report = (pointer: readonly string[], message: string) => void;

export interface SecretUse {
  readonly name: string;
  /** A JSON pointer into the definition. */
  readonly path: string;
}

/** Reports the faults that prevent a trigger from being published. */
export function checkTrigger(trigger: Trigger, report: Report): void {
  switch (trigger.kind) {
    case "webhook":
      if (trigger.access === "PUBLIC" && trigger.executeAs === null) {
        report(
          ["trigger", "executeAs"],
          "A public webhook needs executeAs, the user that its runs execute as",
        );
      }
      if (trigger.signature !== null && trigger.method !== "POST") {
        report(["trigger", "signature"], "A signature requires method POST");
      }
      checkTool(trigger, report);
      break;
    case "manual":
      break;
    case "databaseEvent":
      if (trigger.changedFields !== undefined && !trigger.on.includes("update")) {
        report(["trigger", "changedFields"], 'changedFields requires "update" in on');
      }
      break;
    case "schedule":
      checkSchedule(trigger, report);
      break;
    default:
      trigger satisfies never;
  }
}

/** Agents sign nothing, and their rights to a workflow are invoke grants. */
function checkTool({ tool, access, method, signature }: WebhookTrigger, report: Report): void {
  if (tool === undefined) return;
  if (access !== "AUTHENTICATED")
    report(["trigger", "tool"], "A tool requires access AUTHENTICATED");
  if (method !== "POST") report(["trigger", "tool"], "A tool requires method POST");
  if (signature !== null) report(["trigger", "tool"], "A tool must have no signature");
  if (tool.input !== undefined) {
    checkInputSchema(tool.input, ["trigger", "tool", "input"], report);
  }
}

function checkSchedule({ cron, timeZone }: ScheduleTrigger, report: Report): void {
  if (!isTimeZone(timeZone)) {
    report(["trigger", "timeZone"], "timeZone must be the name of an IANA time zone");
    return;
  }
  try {
    if (createRecurrence(cron, timeZone).after(0) === null) {
      report(["trigger", "cron"], "The expression matches no date");
    }
  } catch (error) {
    if (!(error instanceof CronSyntaxError)) throw error;
    report(["trigger", "cron"], error.message);
  }
}

/** Returns the secrets that a webhook's callers sign with. */
export function signatureSecrets(trigger: Trigger): SecretUse[] {
  if (trigger.kind !== "webhook" || trigger.signature === null) return [];
  return trigger.signature.secrets.map((name, index) => ({
    name,
    path: `/trigger/signature/secrets/${index}`,
  }));
}
