import { type AuditActor, createSnapshotStore } from "@rowhouse/db";
import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DashboardInput,
  type DataViewInput,
  dashboardRecords,
  dataViewRecords,
  plainTable,
  type StoredDashboard,
} from "../src/index.ts";

const dropped = "00000000-0000-4000-8000-000000000001";
let test: TestDatabase;
let actor: AuditActor;
let roleId: string;
let resourceId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  const admin = await createUser(test.database, "admin@example.com", "Administrators");
  actor = { userId: admin.id, tokenId: null, address: null, requestId: null };
  await test.database.query("create table public.vehicles (id int primary key)");
  await createSnapshotStore(test.database).fresh();
  const [row] = await test.database.query<{ resource: string; role: string }>(
    `select r.id as resource, o.id as role from system.resources r, system.roles o
     where r.relation_name = 'vehicles' and o.is_administrators`,
  );
  resourceId = row?.resource ?? "";
  roleId = row?.role ?? "";
});
afterAll(() => test.drop());

const view = (): DataViewInput => ({
  name: "Vehicles",
  description: "",
  resourceId,
  fields: ["id"],
  where: { id: { _gt: 1 } },
  orderBy: ["-id"],
  limit: 5,
  icon: "truck",
  position: 3,
  presentation: plainTable,
  roleIds: [roleId],
});

const panel = (id: string, resource: string): DashboardInput["panels"][number] => ({
  id,
  title: `Panel ${id}`,
  kind: "LIST",
  resourceId: resource,
  definition: { fields: null, text: "1" },
  presentation: {},
  layout: { x: 0, y: 0, w: 6, h: 4 },
  bindings: [],
});

describe("a DataView", () => {
  it("returns its parts as they were given", async () => {
    expect(await dataViewRecords.create(test.database, view(), [], actor)).toMatchObject(view());
  });

  it("of a resource that was dropped after the validation is not created, and the error is NOT_FOUND", async () => {
    const created = dataViewRecords.create(
      test.database,
      { ...view(), resourceId: dropped },
      [],
      actor,
    );
    await expect(created).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("omits roles that were deleted after the validation", async () => {
    const input = { ...view(), roleIds: [dropped, roleId] };
    expect(await dataViewRecords.create(test.database, input, [], actor)).toMatchObject({
      roleIds: [roleId],
    });
  });
});

describe("a dashboard", () => {
  it("keeps the order of its panels, and a panel of a dropped resource has none", async () => {
    const panels = [panel("b", resourceId), panel("a", dropped)];
    const input: DashboardInput = {
      ...{ name: "All", description: "x", icon: null, position: 0, refreshSeconds: null },
      ...{ roleIds: [dropped, roleId], parameters: [], panels },
    };
    const created = await dashboardRecords.create(test.database, input, [], actor);
    const kept = [panels[0], { ...panels[1], resourceId: null }];
    expect(created).toMatchObject({ name: "All", roleIds: [roleId], panels: kept });
    const change = (changes: Partial<DashboardInput>) => {
      const revise = ({ columns: _, ...stored }: StoredDashboard) => ({
        input: { ...stored, ...changes } as DashboardInput,
        columns: [],
      });
      return dashboardRecords.update(test.database, created.id, changes, revise, actor);
    };
    const columns = await change({ name: "Some" });
    expect(columns).toMatchObject({ name: "Some", description: "x", panels: kept });
    await change({ panels: [], roleIds: [] });
    const read = await dashboardRecords.read(test.database, created.id);
    expect(read).toMatchObject({ name: "Some", roleIds: [], panels: [] });
  });
});
