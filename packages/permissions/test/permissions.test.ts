import { type AuditActor, createSnapshotStore } from "@rowhouse/db";
import { listResources } from "@rowhouse/permissions";
import {
  createUser as createActor,
  createTestDatabase,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addRoleMember,
  createGrant,
  createUser,
  listAuditEntries,
  removeRoleMember,
  roleRecords,
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

const anyEntry = {
  action: null,
  actorUserId: null,
  actorTokenId: null,
  targetKind: null,
  targetId: null,
  changedField: null,
  outcome: null,
  address: null,
  requestId: null,
  since: null,
  until: null,
};
const everything = { limit: 100, cursor: null, search: null };

describe("the example of the README", () => {
  it("lets a role read its own rows and writes an audit entry for each step", async () => {
    const { database } = test;
    const snapshots = createSnapshotStore(database);
    const { items } = await listResources(database, await snapshots.fresh(), {
      ...everything,
      ...{ schema: "public", kind: null, exposed: null },
    });
    const resourceId = items[0]?.id ?? "";
    const role = await roleRecords.create(database, { name: "Drivers" }, actor);
    const password = "a long enough secret";
    const newUser = { email: "ada@example.com", password };
    const user = await createUser(database, newUser, actor, () => []);
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
      ...anyEntry,
      actorUserId: actor.userId,
    });
    expect(log.items.map((entry) => entry.action)).toEqual([
      "grant.create",
      "role_member.create",
      "user.create",
      "role.create",
    ]);
  });
});

describe("the last active administrator", () => {
  it("remains if two administrators remove each other concurrently", async () => {
    const { database } = test;
    const [role] = await database.query<{ id: string }>(
      "select id from system.roles where is_administrators",
    );
    const second = await createActor(database, "second@example.com");
    const members = [actor.userId ?? "", second.id];
    await addRoleMember(database, role?.id ?? "", second.id, actor);
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.allSettled(
        members.map((userId, index) =>
          removeRoleMember(database, role?.id ?? "", userId, {
            ...actor,
            userId: members[1 - index] ?? "",
          }),
        ),
      );
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      // The second caller is no longer an administrator.
      const refused = results.findIndex((result) => result.status === "rejected");
      expect(results[refused]).toMatchObject({ reason: { code: "ACTION_DENIED" } });
      const left = members[refused] ?? "";
      const fallen = members[1 - refused] ?? "";
      await expect(
        removeRoleMember(database, role?.id ?? "", left, { ...actor, userId: left }),
      ).rejects.toMatchObject({ code: "CONFLICT" });
      await addRoleMember(database, role?.id ?? "", fallen, { ...actor, userId: left });
    }
  });
});
