import type { Database, SnapshotStore } from "@rowhouse/db";
import type { PortCall, WorkflowRunner } from "@rowhouse/mcp";
import { settingsOf } from "@rowhouse/settings";
import { listTools, runTool, type WorkflowConnections } from "@rowhouse/workflows";

interface WorkflowRunnerDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly workflows: Pick<
    WorkflowConnections,
    "loadWebhook" | "acceptRun" | "queue" | "handOff" | "waiter" | "secrets"
  >;
  /** The clock of this process, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Creates the workflows of the tools: those that are marked as tools, called as their webhooks are. */
export function createWorkflowRunner(dependencies: WorkflowRunnerDependencies): WorkflowRunner {
  const { database, snapshots, workflows, now } = dependencies;
  const settings = async () => ({
    maxSyncWaitMs: settingsOf(await snapshots.current())["workflows.max_sync_wait_ms"],
  });
  const deps = { database, ...workflows, settings, ...(now === undefined ? {} : { now }) };
  return {
    list: async ({ roleIds }, query) => {
      const tools = await listTools(database, { ...query, roleIds });
      return tools.map(({ input = null, ...tool }) => ({ ...tool, input }));
    },
    run: async ({ userId, roleIds, tokenId, plane }, call, { caller, signal }) => {
      const { body, isRepeated } = await runTool(deps, {
        ...call,
        ...addressOf(caller),
        caller: { userId, roleIds, token: { id: tokenId, plane } },
        signal: signal(),
      });
      // The body is `{"data":{…}}`.
      return { data: body.slice('{"data":'.length, -1), isReplayed: isRepeated };
    },
  };
}

function addressOf({ origin }: PortCall["caller"]): {
  readonly ip: string;
  readonly requestId: string | null;
} {
  return { ip: origin?.address ?? "", requestId: origin?.requestId ?? null };
}
