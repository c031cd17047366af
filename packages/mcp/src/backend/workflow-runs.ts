import type { Database, SnapshotStore } from "@rowhouse/db";
import { listTools, runTool, settingsIn, type WorkflowConnections } from "@rowhouse/workflows";
import type { McpIdentity } from "../base/access.ts";
import type { RowValues } from "./row-writes.ts";
import type { ToolCall } from "./tool-call.ts";

export interface WorkflowRunDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly workflows: Pick<
    WorkflowConnections,
    "loadWebhook" | "acceptRun" | "queue" | "handOff" | "waiter" | "secrets"
  >;
  /** The clock of this process, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** A workflow that the caller may run. */
export interface WorkflowDescription {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its input; null for none. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** Whether a call waits for the result. */
  readonly isSynchronous: boolean;
}

export interface WorkflowQuery {
  readonly query?: string | undefined;
  readonly slug?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface WorkflowCall {
  readonly slug: string;
  readonly input: RowValues | undefined;
  readonly idempotencyKey: string;
}

/** The run of a call: ended if the workflow is synchronous, otherwise accepted. */
export interface WorkflowAnswer {
  /** A JSON object: `id`, `status`, `result` and `error`, or `run` alone. */
  readonly data: string;
  readonly isReplayed: boolean;
}

/**
 * Lists the workflows that are marked as tools and that the roles may invoke, by slug.
 *
 * @param identity with proven rights
 */
export async function listCallableWorkflows(
  { database }: WorkflowRunDependencies,
  { roleIds }: Pick<McpIdentity, "roleIds">,
  query: WorkflowQuery,
): Promise<readonly WorkflowDescription[]> {
  const tools = await listTools(database, { ...query, roleIds });
  return tools.map(({ input = null, ...tool }) => ({ ...tool, input }));
}

/**
 * Calls a workflow that is marked as a tool, as its webhook would.
 *
 * @param identity with proven rights
 * @throws AppError WORKFLOW_NOT_FOUND, BODY_INVALID with paths below `/input`, WORKFLOW_SYNC_TIMEOUT with `meta.run`
 */
export async function callWorkflow(
  { database, snapshots, workflows, now }: WorkflowRunDependencies,
  { userId, roleIds, tokenId, plane }: McpIdentity,
  call: WorkflowCall,
  { caller, signal }: ToolCall,
): Promise<WorkflowAnswer> {
  const deps = { database, ...workflows, settings: settingsIn(snapshots), now };
  const { body, isRepeated } = await runTool(deps, {
    ...call,
    ...addressOf(caller),
    caller: { userId, roleIds, token: { id: tokenId, plane } },
    signal: signal(),
  });
  // The body is `{"data":{…}}`.
  return { data: body.slice('{"data":'.length, -1), isReplayed: isRepeated };
}

function addressOf({ origin }: ToolCall["caller"]): {
  readonly ip: string;
  readonly requestId: string | null;
} {
  return { ip: origin?.address ?? "", requestId: origin?.requestId ?? null };
}
