// Tiers: usual, topologies.
import { createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
let path: string;
beforeAll(async () => {
  api = await openTestEnvironment();
  const definition = {
    trigger: { kind: "manual", executeAs: api.admin.id },
    steps: [{ id: "end", kind: "finish", result: 1 }],
  };
  const created = await api.ask("POST", "/workflows", { slug: "a", name: "A", definition });
  path = `/workflows/${created.body.data.id}/watchers`;
});
afterAll(() => api.test.drop());

const list = async (query = "") => (await api.ask("GET", `${path}${query}`)).body;

describe("the watchers of a workflow", () => {
  it("are administrators, added once and removed once", async () => {
    expect((await list()).data).toEqual([]);
    const added = await api.ask("PUT", `${path}/${api.admin.id}`);
    expect([added.status, added.body.data]).toMatchObject([
      200,
      { userId: api.admin.id, email: "admin@example.com" },
    ]);
    const again = await api.ask("PUT", `${path}/${api.admin.id}`);
    expect([again.status, again.body.data]).toEqual([200, added.body.data]);
    expect((await list()).data).toEqual([added.body.data]);
    expect((await api.ask("DELETE", `${path}/${api.admin.id}`)).status).toBe(204);
    expect((await api.ask("DELETE", `${path}/${api.admin.id}`)).status).toBe(404);
    expect((await list()).data).toEqual([]);
    const log = await api.ask("GET", "/audit-log?targetKind=workflow&limit=2");
    expect(log.body.data).toMatchObject([
      { action: "workflow.unwatch", changedFields: ["userId"] },
      { action: "workflow.watch", actorUserId: api.admin.id },
    ]);
  });

  it("cannot be people who are not administrators", async () => {
    const refused = await api.ask("PUT", `${path}/${api.user.id}`);
    expect([refused.status, refused.faults]).toEqual([409, ["CONFLICT"]]);
    expect((await api.ask("PUT", `${path}/${nobody}`)).status).toBe(404);
    expect((await api.ask("PUT", `/workflows/${nobody}/watchers/${api.admin.id}`)).status).toBe(
      404,
    );
    const own = await api.ask("PUT", `${path}/${api.user.id}`, undefined, api.user.secret);
    expect(own.status).toBe(403);
  });

  it("are listed page by page, without those who lost the right", async () => {
    const { database } = api.test;
    const people = ["b@example.com", "c@example.com", "d@example.com"];
    const users = [];
    for (const email of people) users.push(await createUser(database, email, "Administrators"));
    for (const { id } of users) await api.ask("PUT", `${path}/${id}`);
    const first = await list("?limit=2");
    const cursor = encodeURIComponent(first.meta.nextCursor);
    const rest = await list(`?limit=2&cursor=${cursor}`);
    const emails = [...first.data, ...rest.data].map(({ email }: { email: string }) => email);
    expect(emails).toEqual(people);
    expect((await list("?search=C%40")).data).toMatchObject([{ email: "c@example.com" }]);
    expect((await api.ask("POST", `/users/${users[0]?.id}/deactivate`)).status).toBe(200);
    expect((await list()).data).toHaveLength(2);
  });
});
