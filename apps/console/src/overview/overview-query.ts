import type { AdminOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";
import { type SettingWarning, warningOf } from "../shell/settings.ts";
import { isNearEnd } from "../shell/token-life.ts";
import { type FailedRuns, groupFailedRuns } from "./failed-runs.ts";

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
export type LogEntry = Items<"GET /audit-log">;

/** A number of the whole installation; `isMore` if the service has more than this page loads. */
export interface Count {
  readonly count: number;
  readonly isMore: boolean;
}

/** What an administrator should look at, and the numbers of the installation. Lists have at most 1000 entries. */
export interface Overview {
  readonly open: Count;
  readonly hidden: Count;
  readonly people: Count;
  readonly roles: Count;
  readonly workflows: Count;
  readonly enabled: Count;
  readonly hasMailServer: boolean;
  readonly server: AdminOperations["GET /database-server"]["answer"]["data"];
  /** Exposed tables and views that no role but Administrators may use. */
  readonly unreached: readonly Resource[];
  /** Grants that give nothing, because a part of them was deleted. */
  readonly ineffective: readonly {
    readonly grant: Grant;
    readonly role: string | undefined;
    readonly resource: Resource | undefined;
  }[];
  /** Tokens with at most a fifth of their lifetime left. */
  readonly expiring: readonly Token[];
  readonly unsafe: readonly { readonly key: string; readonly warning: SettingWarning }[];
  readonly broken: readonly Workflow[];
  /** Enabled workflows whose check has faults, without those that have a problem. */
  readonly doubtful: readonly Items<"GET /workflow-warnings">[];
  /** Mails that were given up in the last day: rejected for good, or not delivered before their link expired. */
  readonly lostMails: readonly LogEntry[];
  /** The runs that were accepted in the last day, without tests. */
  readonly runs: readonly Run[];
  readonly hasMoreRuns: boolean;
  readonly failed: readonly FailedRuns[];
  /** When they were read, in milliseconds. */
  readonly readAt: number;
}

export const dayMs = 86_400_000;
const limit = 1000;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

function countOf<Item>(
  { data, meta }: Page<Item>,
  isCounted: (item: Item) => boolean = () => true,
): Count {
  return { count: data.filter(isCounted).length, isMore: meta.nextCursor !== null };
}

/** Everything that the overview shows, in one set of requests. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  // What was mended on another page is gone at once.
  staleTime: 0,
  queryFn: async ({ signal }): Promise<Overview> => {
    const readAt = Date.now();
    const since = new Date(readAt - dayMs).toISOString();
    const { admin } = client;
    const all = { query: { limit }, signal };
    const [
      resources,
      grants,
      roles,
      users,
      tokens,
      settings,
      workflows,
      warnings,
      runs,
      mails,
      mail,
      server,
    ] = await Promise.all([
      admin.get("/resources", all),
      admin.get("/grants", all),
      admin.get("/roles", all),
      admin.get("/users", all),
      admin.get("/tokens", { query: { limit, expiresSoon: "true", state: "active" }, signal }),
      admin.get("/settings", { signal }),
      admin.get("/workflows", all),
      admin.get("/workflow-warnings", { signal }),
      admin.get("/workflow-runs", {
        query: { limit, acceptedSince: since, orderBy: "-acceptedAt" },
        signal,
      }),
      admin.get("/audit-log", {
        query: { limit, action: "mail.send", outcome: "FAILED", since },
        signal,
      }),
      admin.get("/mail-server", { signal }),
      admin.get("/database-server", { signal }),
    ]);
    const exposed = resources.data.filter(isExposed);
    const byId = new Map(resources.data.map((resource) => [resource.id, resource]));
    const roleNames = new Map(roles.data.map(({ id, name }) => [id, name]));
    const reached = new Set(
      grants.data.filter(({ effective }) => effective).map(({ resourceId }) => resourceId),
    );
    const values = new Map(settings.data.map(({ key, value }) => [key, value]));
    const broken = workflows.data.filter(({ problem }) => problem !== null);
    const brokenIds = new Set(broken.map(({ id }) => id));
    const real = runs.data.filter(({ origin }) => origin !== "TEST");
    const isOwn = ({ schema }: Resource) => schema !== "system";
    return {
      open: countOf(resources, (one) => isOwn(one) && isExposed(one)),
      hidden: countOf(resources, (one) => isOwn(one) && !isExposed(one)),
      people: countOf(users, ({ isSystem }) => !isSystem),
      roles: countOf(roles),
      workflows: countOf(workflows),
      enabled: countOf(workflows, ({ enabled }) => enabled),
      hasMailServer: mail.data.isConfigured,
      server: server.data,
      unreached:
        grants.meta.nextCursor === null ? exposed.filter(({ id }) => !reached.has(id)) : [],
      ineffective: grants.data
        .filter(({ effective }) => !effective)
        .map((grant) => ({
          grant,
          role: roleNames.get(grant.roleId),
          resource: byId.get(grant.resourceId),
        })),
      expiring: tokens.data.filter((token) => isNearEnd(token, readAt)),
      unsafe: settings.data.flatMap(({ key }) => {
        const warning = warningOf(key, values);
        return warning === undefined ? [] : [{ key, warning }];
      }),
      broken,
      doubtful: warnings.data.filter(({ id }) => !brokenIds.has(id)),
      lostMails: mails.data,
      runs: real,
      hasMoreRuns: runs.meta.nextCursor !== null,
      failed: groupFailedRuns(real, new Map(workflows.data.map(({ id, name }) => [id, name]))),
      readAt,
    };
  },
});

function isExposed({ exposedMethods }: Resource): boolean {
  return exposedMethods.length > 0;
}
