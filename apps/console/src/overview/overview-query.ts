import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { type SettingWarning, warningOf } from "../shell/settings.ts";

type Items<Path extends keyof AdminOperations> = AdminOperations[Path] extends {
  answer: { data: (infer Item)[] };
}
  ? Item
  : never;

type Grant = Items<"GET /grants">;
export type Resource = Items<"GET /resources">;
type Token = Items<"GET /tokens">;
type Workflow = Items<"GET /workflows">;
export type Run = Items<"GET /workflow-runs">;
type AuditEntry = Items<"GET /audit-log">;

/** What an administrator should look at. Lists have at most 1000 entries. */
export interface Overview {
  /** Exposed tables and views that no role but Administrators may use. */
  readonly unreached: readonly Resource[];
  /** Grants that give nothing, because a part of them was deleted. */
  readonly ineffective: readonly {
    readonly grant: Grant;
    readonly resource: Resource | undefined;
  }[];
  readonly expiring: readonly Token[];
  readonly unsafe: readonly { readonly key: string; readonly warning: SettingWarning }[];
  readonly broken: readonly Workflow[];
  /** Mails that were given up in the last day: rejected for good, or not delivered before their link expired. */
  readonly lostMails: readonly AuditEntry[];
  /** The runs that were accepted in the last day. */
  readonly runs: readonly Run[];
  /** When they were read, in milliseconds. */
  readonly readAt: number;
}

export const dayMs = 86_400_000;
const limit = 1000;

/** Everything that the overview shows, in one set of requests. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  // What was mended on another page is gone at once.
  staleTime: 0,
  queryFn: async ({ signal }): Promise<Overview> => {
    const readAt = Date.now();
    const since = new Date(readAt - dayMs).toISOString();
    const { admin } = client;
    const [resources, grants, tokens, settings, workflows, runs, mails] = await Promise.all([
      admin.get("/resources", { query: { limit, exposed: "true" }, signal }),
      admin.get("/grants", { query: { limit }, signal }),
      admin.get("/tokens", { query: { limit, expiresSoon: "true", state: "active" }, signal }),
      admin.get("/settings", { signal }),
      admin.get("/workflows", { query: { limit }, signal }),
      admin.get("/workflow-runs", {
        query: { limit, acceptedSince: since, orderBy: "-acceptedAt" },
        signal,
      }),
      admin.get("/audit-log", {
        query: { limit, action: "mail.send", outcome: "FAILED", since },
        signal,
      }),
    ]);
    const byId = new Map(resources.data.map((resource) => [resource.id, resource]));
    const reached = new Set(
      grants.data.filter(({ effective }) => effective).map(({ resourceId }) => resourceId),
    );
    const values = new Map(settings.data.map(({ key, value }) => [key, value]));
    return {
      unreached:
        grants.meta.nextCursor === null ? resources.data.filter(({ id }) => !reached.has(id)) : [],
      ineffective: grants.data
        .filter(({ effective }) => !effective)
        .map((grant) => ({ grant, resource: byId.get(grant.resourceId) })),
      expiring: tokens.data,
      unsafe: settings.data.flatMap(({ key }) => {
        const warning = warningOf(key, values);
        return warning === undefined ? [] : [{ key, warning }];
      }),
      broken: workflows.data.filter(({ problem }) => problem !== null),
      lostMails: mails.data,
      runs: runs.data,
      readAt,
    };
  },
});
