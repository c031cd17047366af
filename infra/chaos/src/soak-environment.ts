import type { Database } from "@rowhouse/db";
import type { AppName } from "@rowhouse/testing";
import type { Member } from "./member.ts";
import type { CrashingRedis, CrashingServer } from "./servers.ts";
import { openUpgradeEnvironment } from "./upgrade-environment.ts";

/** A complete deployment: callers use only the gateways. */
export interface SoakEnvironment {
  readonly postgres: CrashingServer;
  readonly redis: CrashingRedis;
  /** The observer's own pool. */
  readonly database: Database;
  readonly gateways: readonly Member[];
  readonly dataApis: readonly Member[];
  readonly adminApis: readonly Member[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  /** An administrator's session. */
  readonly session: string;
  /** Returns the gateways in turn. */
  readonly url: () => string;
  close(): Promise<void>;
}

export const account = { email: "admin@example.com", password: "correct horse battery staple" };

/** Rows of the table that no caller writes. */
export const stockRows = 2000;

/**
 * Starts two gateways, two Data APIs, an Admin API and two workers, or one of each, on their own PostgreSQL and Redis,
 * with tables and workflows that an administrator has created over HTTP.
 */
export async function openSoakEnvironment(processes: 4 | 7): Promise<SoakEnvironment> {
  const testEnvironment = await openUpgradeEnvironment({ hasRedis: true });
  const { postgres, redis, database, close } = testEnvironment;
  try {
    if (redis === undefined) throw new Error("Redis is missing");
    const secret = { ROWHOUSE_SECRET: "a secret of the suite's own, long enough" };
    const inner = { ...secret, DATABASE_URL: testEnvironment.urlOf(), REDIS_URL: redis.url };
    const several = (app: AppName, count: number, environment: Readonly<Record<string, string>>) =>
      testEnvironment.start(
        app,
        Array.from({ length: count }, (_, at) => `${app} ${at + 1}`),
        () => environment,
      );
    const twins = processes === 7 ? 2 : 1;
    const adminApis = await several("admin-api", 1, {
      ...inner,
      ROWHOUSE_ADMIN_EMAIL: account.email,
      ROWHOUSE_ADMIN_PASSWORD: account.password,
    });
    const dataApis = await several("data-api", twins, inner);
    const workers = await several("workflow-worker", twins, inner);
    const urlsOf = (members: readonly Member[]) => members.map((one) => one.url()).join(",");
    const gateways = await several("gateway", twins, {
      ...secret,
      DATA_API_URL: urlsOf(dataApis),
      ADMIN_API_URL: urlsOf(adminApis),
    });
    let turn = 0;
    const url = () => {
      turn += 1;
      return gateways[turn % gateways.length]?.url() ?? "";
    };
    const session = await furnish(url());
    await database.query(
      `insert into public.stock (title) select 'Item ' || i from generate_series(1, ${stockRows}) i`,
    );
    const members = [...gateways, ...dataApis, ...adminApis, ...workers];
    const parts = { postgres, redis, database, gateways, dataApis, adminApis, workers };
    return { ...parts, members, session, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates tables and workflows over HTTP; returns the session of the administrator. */
export async function furnish(url: string): Promise<string> {
  let session = "";
  const call = async (path: string, body: object | undefined, method = "POST") => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { data: Record<string, string> }).data;
  };
  const administer = (path: string, data?: object, method?: string) =>
    call(`/admin/api${path}`, data && { data }, method);

  session = (await call("/api/auth/login", account)).token ?? "";
  const id = { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true };
  const text = (name: string) => ({ name, dataType: "text", nullable: false });
  for (const [name, ...columns] of [
    ["entries", id, text("kind"), text("token")],
    ["stock", id, text("title")],
    ["wide", id, text("title")],
  ] as const) {
    const { resourceId } = await administer("/schema/public/tables", { name, columns });
    await administer(`/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] }, "PATCH");
  }
  const roles = await administer("/roles?search=Administrators", undefined, "GET");
  const [administrators] = roles as unknown as readonly { readonly id: string }[];
  for (const response of ["SYNCHRONOUS", "ASYNCHRONOUS"]) {
    const workflow = await administer("/workflows", {
      slug: `enter-${response.toLowerCase()}`,
      name: response,
      definition: {
        trigger: { kind: "webhook", access: "AUTHENTICATED", response },
        steps: [
          {
            id: "row",
            kind: "createRow",
            table: "entries",
            values: { kind: response, token: "{{start.data.body.token}}" },
          },
          { id: "end", kind: "finish", result: { id: "{{steps.row.id}}" } },
        ],
      },
    });
    await administer(`/workflows/${workflow.id}/publish`);
    await administer(`/workflows/${workflow.id}/enable`);
    await administer(`/workflows/${workflow.id}/invoke-grants`, { roleId: administrators?.id });
  }
  return session;
}
