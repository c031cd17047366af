import { randomUUID } from "node:crypto";
import { account } from "./soak-environment.ts";
import { expect, idOf, refuse, same } from "./upgrade-http.ts";
import { clerk, table, UpgradeRecords } from "./upgrade-records.ts";
import type { Side } from "./upgrade-sides.ts";

/** An action of one side that the other side must observe, over HTTP. */
export interface Path {
  readonly name: string;
  /** Whether it stops and starts workers. */
  readonly ofWorkers?: true;
  /** @throws Error that states the difference from the expectation */
  readonly walk: (one: Side, other: Side) => Promise<void>;
}

type Walk = (records: UpgradeRecords, one: Side, other: Side) => Promise<void>;

/**
 * The main paths of the contract over two builds at once. Each runs in both directions.
 *
 * @param session an administrator's
 */
export async function createPaths(first: Side, session: string): Promise<Path[]> {
  const records = await UpgradeRecords.create(first, session);
  const path = (name: string, walk: Walk): Path => ({
    name,
    walk: (one, other) => walk(records, one, other),
  });
  return [
    path("a sign-in, a token, and the end of both", walkSignIn),
    path("rows inserted, read, listed, changed and deleted", walkRows),
    path("grants created and revoked, from the next request on", walkGrants),
    path("columns added and dropped, from the next request on", walkColumns),
    {
      ...path(
        "a run that one side accepts while only the other has a worker",
        walkAcceptedElsewhere,
      ),
      ofWorkers: true,
    },
    {
      ...path("a run that one side's worker starts and the other's ends", walkMovedRun),
      ofWorkers: true,
    },
  ];
}

async function walkSignIn(_records: UpgradeRecords, one: Side, other: Side): Promise<void> {
  const signedIn = await expect(one, undefined, "POST", "/api/auth/login", account);
  const own = String(signedIn.data?.token);
  await expect(other, own, "GET", "/api/auth/me");
  const named = { name: randomUUID(), plane: "admin" };
  const token = await expect(one, own, "POST", "/api/auth/tokens", named);
  const secret = String(token.data?.secret);
  await expect(other, secret, "GET", `${table}/stock?limit=1`);
  await expect(other, secret, "GET", "/admin/api/roles");
  await expect(one, own, "POST", `/api/auth/tokens/${idOf(token)}/revoke`);
  await refuse(other, secret, "GET", `${table}/stock?limit=1`, 401);
  await expect(one, own, "POST", "/api/auth/logout");
  await refuse(other, own, "GET", "/api/auth/me", 401);
}

async function walkRows(records: UpgradeRecords, one: Side, other: Side): Promise<void> {
  const { session } = records;
  const title = randomUUID();
  const made = await expect(one, session, "POST", `${table}/wide`, { data: { title } });
  const path = `${table}/wide/${idOf(made)}`;
  await expect(other, session, "GET", path);
  const listed = await expect(other, session, "GET", `${table}/wide?where[title][_eq]=${title}`);
  same(listed.data, [made.data]);
  await expect(other, session, "PATCH", path, { data: { title: `${title}2` } });
  const changed = await expect(one, session, "GET", path);
  same(changed.data?.title, `${title}2`);
  await expect(one, session, "DELETE", path);
  await refuse(other, session, "GET", path, 404);
}

async function walkGrants(records: UpgradeRecords, one: Side, other: Side): Promise<void> {
  const signedIn = await expect(other, undefined, "POST", "/api/auth/login", clerk);
  const own = String(signedIn.data?.token);
  const path = `${table}/wide?limit=1`;
  for (let turn = 0; turn < 3; turn += 1) {
    await refuse(other, own, "GET", path, 404);
    const terms = {
      roleId: records.ids.role,
      resourceId: records.ids.wide,
      action: "READ",
      fields: ["id"],
    };
    const grant = await records.administer(one, "POST", "/grants", terms);
    await expect(other, own, "GET", path);
    await refuse(other, own, "GET", `${path}&fields=title`, 400);
    await records.administer(one, "PATCH", `/grants/${idOf(grant)}`, { fields: null });
    await expect(other, own, "GET", `${path}&fields=title`);
    await records.administer(one, "DELETE", `/grants/${idOf(grant)}`);
  }
  await refuse(other, own, "GET", path, 404);
  await records.administer(one, "POST", `/users/${records.ids.user}/deactivate`);
  await refuse(other, own, "GET", path, 401);
  await records.administer(one, "POST", `/users/${records.ids.user}/activate`);
}

async function walkColumns(records: UpgradeRecords, one: Side, other: Side): Promise<void> {
  const { session } = records;
  const column = { name: "more", dataType: "text" };
  const path = `${table}/wide?limit=1&fields=more`;
  const alter = (change: object) =>
    records.administer(one, "PATCH", "/schema/public/tables/wide", { changes: [change] });
  await refuse(other, session, "GET", path, 400);
  await alter({ kind: "addColumn", ...column });
  await expect(other, session, "GET", path);
  await alter({ kind: "dropColumn", column: "more", confirm: "more" });
  await refuse(other, session, "GET", path, 400);
}

async function walkAcceptedElsewhere(
  records: UpgradeRecords,
  one: Side,
  other: Side,
): Promise<void> {
  const { session } = records;
  await one.worker.stop();
  try {
    await records.untilEnded(other, await records.begin(one));
    const sync = { token: randomUUID() };
    const path = "/api/workflows/enter-synchronous/webhook";
    const ended = await expect(one, session, "POST", path, sync);
    same(ended.data?.status, "SUCCEEDED");
  } finally {
    await one.worker.start();
  }
}

async function walkMovedRun(records: UpgradeRecords, one: Side, other: Side): Promise<void> {
  await other.worker.stop();
  const begun = await records
    .begin(other)
    .then(async (run) => {
      // From here on the run rests.
      await records.untilRows(one, "entries?where[token]", run.token);
      return run;
    })
    .finally(async () => {
      // Start this one first: calls that wait for a run need a worker.
      await other.worker.start();
      await one.worker.stop();
    });
  await records.untilEnded(one, begun).finally(() => one.worker.start());
}
