import { createError, throwFaults } from "@rowhouse/errors";
import { isJsonObject, toJson } from "../base/json.ts";
import type { ToolMark } from "../definition/definition.ts";
import {
  callWebhook,
  untilWritten,
  type WebhookAnswer,
  type WebhookDeps,
} from "../webhook/accept-webhook.ts";
import type { WebhookCaller } from "../webhook/webhook-request.ts";
import { findInputFaults } from "./find-input-faults.ts";

/** A call of a workflow as a tool, by a caller whose credential was just verified. */
export interface ToolCall {
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
export async function runTool(
  deps: Omit<WebhookDeps, "rateLimit" | "rememberedCalls">,
  call: ToolCall,
): Promise<WebhookAnswer> {
  const { slug, caller, ip, requestId, traceParent, signal } = call;
  return untilWritten(async () => {
    const webhook = await deps.loadWebhook(slug);
    const tool = webhook?.trigger.tool;
    const mayInvoke = caller.roleIds.some((id) => webhook?.invokeRoleIds.includes(id));
    if (webhook === undefined || tool === undefined || !mayInvoke) {
      throw createError("WORKFLOW_NOT_FOUND");
    }
    const body = bodyOf(tool, call.input);
    const request = {
      search: "",
      headers: {},
      ...{ ip, requestId, traceParent },
      method: "POST",
      idempotencyKey: () => call.idempotencyKey,
      readBody: async () => new TextEncoder().encode(body),
      ...(signal === undefined ? {} : { signal }),
    };
    return callWebhook(deps, request, webhook, caller);
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
