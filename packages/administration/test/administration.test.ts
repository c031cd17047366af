import { type AuditActor, createSnapshotStore } from "@rowhouse/db";
import { parseExactJson } from "@rowhouse/json";
import {
  createUser as createActor,
  createTestDatabase,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addRoleMember,
  createGrant,
  createRole,
  createUser,
  keepDigits,
  listAuditEntries,
  listResources,
  removeRoleMember,
} from "../src/index.ts";

let test: TestDatabase;
let actor: AuditActor;
beforeAll(async () => {
  test = await createTestDatabase();
  const admin = await createActor(test.database, "admin@example.com", "Administrators");
  actor = { userId: admin.id, tokenId: null, address: null, requestId: null };
  await test.database.query("create table public.vehicles (id int, plate text, driver uuid)");
});
afterAll(() => test.drop());

const everything = { limit: 100, cursor: null, search: null };

describe("the README's example", () => {
  it("lets a role read its own rows, each step audited", async () => {
    const { database } = test;
    const snapshots = createSnapshotStore(database);
    const { items } = listResources(await snapshots.fresh(), { ...everything, schema: "public" });
    const resourceId = items[0]?.id ?? "";
    const role = await createRole(database, { name: "Drivers" }, actor);
    const password = "a long enough secret";
    const user = await createUser(database, { email: "ada@example.com", password }, actor);
    await addRoleMember(database, role.id, user.id, actor);
    const grant = await createGrant(
      database,
      snapshots,
      {
        roleId: role.id,
        resourceId,
        action: "READ",
        fields: ["id", "plate"],
        rowFilter: { driver: { _eq: "$USER.id" } },
      },
      actor,
    );
    expect(grant.effective).toBe(true);
    const log = await listAuditEntries(database, {
      ...everything,
      action: null,
      actorUserId: actor.userId,
      targetKind: null,
      targetId: null,
    });
    expect(log.items.map((entry) => entry.action)).toEqual([
      "grant.create",
      "role_member.create",
      "user.create",
      "role.create",
    ]);
  });
});

describe("the last administrators", () => {
  it("cannot be removed at once by two callers, however often they try", async () => {
    const { database } = test;
    const [role] = await database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    const second = await createActor(database, "second@example.com");
    const members = [actor.userId ?? "", second.id];
    for (let round = 0; round < 10; round += 1) {
      for (const id of members) {
        await addRoleMember(database, role?.id ?? "", id, actor).catch(() => {});
      }
      const results = await Promise.allSettled(
        members.map((id) => removeRoleMember(database, role?.id ?? "", id, actor)),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      const refused = results.find((result) => result.status === "rejected");
      expect(refused?.reason).toMatchObject({ code: "CONFLICT" });
    }
  });
});

describe("keepDigits", () => {
  it("leaves numbers that a double holds, and makes text of the others", () => {
    const sent = parseExactJson('[5,{"a":9007199254740993},1.50,"x",null]');
    expect(keepDigits(sent)).toEqual([5, { a: "9007199254740993" }, "1.50", "x", null]);
  });
});
