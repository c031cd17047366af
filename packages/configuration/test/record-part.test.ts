import { createSnapshotStore, defineKind, type SimplyDescribed, schema } from "@rowhouse/db";
import { ViewsAside } from "@rowhouse/ddl";
import { createTestDatabase, createUser, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { boolean, text, uuid } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../src/model/document.ts";
import type { World } from "../src/model/part.ts";
import { recordPart } from "../src/parts/record-part.ts";

const table = schema.system.table("labels", {
  id: uuid("id").primaryKey().defaultRandom(),
  key: text("key").notNull(),
  title: text("title").notNull(),
  color: text("color").notNull().default("GRAY"),
  active: boolean("active").notNull().default(true),
});

const kind = defineKind({
  name: "label",
  noun: "label",
  schema: "Label",
  path: "/labels",
  page: "/admin/settings/records/label",
  table,
  alias: "l",
  sortKey: "l.key",
  searched: "l.key",
  title: "l.title",
  conflict: { path: "/data/key", message: "Another label has this key" },
  simple: { part: "roles", key: "key" },
  fields: {
    id: { type: "id", set: "NEVER" },
    key: { type: "text", set: "ONCE", required: true },
    title: { ...{ type: "text", max: 20, legible: true, required: true }, document: {} },
    color: {
      type: "choice",
      choices: ["GRAY", "RED"],
      document: { name: "paint", default: "GRAY" },
    },
    active: { type: "flag", initial: true, document: { default: true } },
  },
});
const part = recordPart(kind as unknown as SimplyDescribed);

let test: TestDatabase;
let world: World;
beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  await database.query(
    `create table system.labels (id uuid primary key default gen_random_uuid(), key text unique not null,
       title text not null, color text not null default 'GRAY', active boolean not null default true)`,
  );
  const { id: userId } = await createUser(database, "admin@example.com", "Administrators");
  world = {
    database,
    snapshots: createSnapshotStore(database),
    actor: { userId, tokenId: null, address: null, requestId: null },
    hasSession: true,
    aside: new ViewsAside(),
    services: { vault: createVault(() => "a secret of the tests' own") },
    dropped: new Set(),
    created: [],
  };
});
afterAll(() => test.drop());

const present = async () =>
  part.read({
    database: world.database,
    snapshot: await world.snapshots.fresh(),
    elsewhere: { patterns: [], documents: {} },
    hasSql: false,
  });

/** Applies documents, by path, and returns what each step said. */
async function apply(documents: Readonly<Record<string, object>>) {
  const wanted = new Map(
    Object.entries(documents).map(([path, value]) => [
      path,
      { path, names: part.namesOf(path), value: part.schema.parse(value) } as Document<never>,
    ]),
  );
  const steps = await part.compare({ world, present: await present(), wanted } as never);
  for (const step of steps) {
    // A plan shows the record as it was and as it becomes, and none of a deletion.
    expect(step.values?.before ?? step.values?.after).toMatchObject({ title: expect.any(String) });
    await step.run(world, () => true);
  }
  return steps.map(({ kind, subject, consent }) => [kind, subject, consent ?? null]);
}

describe("the documents of a simple kind", () => {
  it("are created, changed and dropped with consent, and are the same after another reading", async () => {
    const first = {
      "roles/a%2Fb.yaml": { title: "One", paint: "RED" },
      "roles/b.yaml": { title: "Two" },
    };
    expect(await apply(first)).toEqual([
      ["label.create", "a/b", null],
      ["label.create", "b", null],
    ]);
    expect(await apply(first)).toEqual([]);
    const read = await present();
    expect([...read].map(([path, document]) => [path, part.write(document)])).toEqual([
      ["roles/a%2Fb.yaml", { title: "One", paint: "RED" }],
      ["roles/b.yaml", { title: "Two" }],
    ]);
    expect(await apply({ "roles/b.yaml": { title: "Two", active: false } })).toEqual([
      ["label.update", "b", null],
      ["label.delete", "a/b", "drop:label:a/b"],
    ]);
    const log = await world.database.query<{ action: string }>(
      "select action, changed_fields as fields from system.audit_log where target_kind = 'label' order by id",
    );
    expect(log.map(({ action }) => action)).toEqual([
      "label.create",
      "label.create",
      "label.update",
      "label.delete",
    ]);
    expect([...(await present()).keys()]).toEqual(["roles/b.yaml"]);
  });

  it("refuse what a record cannot have, at its place in the document", async () => {
    for (const document of [
      {},
      { title: "x".repeat(21) },
      { title: "x", color: "RED" },
      { title: 1 },
    ]) {
      expect(part.schema.safeParse(document).success).toBe(false);
    }
    const wanted = new Map([
      [
        "roles/c.yaml",
        { path: "roles/c.yaml", names: ["c"], value: part.schema.parse({ title: "x" }) },
      ],
    ]);
    const [step] = await part.compare({ world, present: new Map(), wanted } as never);
    expect(step?.locate?.("/data/color")).toEqual(["paint"]);
    for (const path of [
      "roles/.yaml",
      "roles/a.b.yaml",
      "roles/a/b.yaml",
      "other/a.yaml",
      "roles/a",
    ]) {
      expect(part.namesOf(path)).toBeUndefined();
    }
  });
});
