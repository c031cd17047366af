import { createError, throwFaults } from "@rowhouse/errors";
import { isJsonObject, toJson } from "../base/json.ts";
import type { ToolMark } from "../definition/definition.ts";
import { type AcceptDeps, untilAccepted, type WebhookAnswer } from "../webhook/accept-webhook.ts";
import type { WebhookCaller } from "../webhook/webhook-call.ts";
import { findInputFaults } from "./find-input-faults.ts";

/** A call of a workflow as a tool, by a caller whose credential was just verified. */
export interface WorkflowToolCall {
  readonly slug: string;
  /** JSON with exact numbers: the body of the call. Undefined for none. */
  readonly input: unknown;
  readonly idempotencyKey: string;
  readonly caller: WebhookCaller;
  readonly ip: string;
  readonly requestId: string | null;
  readonly traceParent?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Calls the webhook of a workflow that is marked as a tool. The rights, the redaction, the idempotency key and the wait
 * are those of a call by HTTP. A workflow that the caller may not run is reported like an unknown one.
 *
 * @throws AppError as `acceptWebhook` does; BODY_INVALID with paths below `/input` for an input that the published
 * schema does not accept
 */
export async function runTool(deps: AcceptDeps, call: WorkflowToolCall): Promise<WebhookAnswer> {
  const { slug, caller, ip, requestId, traceParent, signal, idempotencyKey } = call;
  return untilAccepted(deps, async () => {
    const webhook = await deps.loadWebhook(slug);
    const tool = webhook?.trigger.tool;
    const mayInvoke = caller.roleIds.some((id) => webhook?.invokeRoleIds.includes(id));
    if (webhook === undefined || tool === undefined || !mayInvoke) {
      throw createError("WORKFLOW_NOT_FOUND");
    }
    const body = new TextEncoder().encode(bodyOf(tool, call.input));
    const request = {
      search: "",
      headers: {},
      ...{ ip, requestId, traceParent, idempotencyKey },
      method: "POST",
      body: { declaredBytes: body.length, read: async () => body },
      ...(signal === undefined ? {} : { signal }),
    };
    return { state: "AUTHENTICATED", request, webhook, caller };
  });
}

/** @throws AppError BODY_INVALID */
function bodyOf({ input: schema }: ToolMark, input: unknown = {}): string {
  if (schema !== undefined) {
    throwFaults(findInputFaults(schema, input, "/input"));
  } else if (!isJsonObject(input) || Object.keys(input).length > 0) {
    throw createError("BODY_INVALID", { path: "/input", message: "The workflow takes no input" });
  }
  return toJson(input);
}
