// Tiers: usual, topologies.
import { createVault } from "@rowhouse/vault";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealedColumns } from "../src/sealed-columns.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

it("the list of sealed columns is complete", async () => {
  const columns = await api.test.database.query<{ name: string }>(
    `select 'system.' || table_name || ' ' || column_name as name from information_schema.columns
     where table_schema = 'system' and column_name like '%sealed' order by 1`,
  );
  expect(sealedColumns.map(({ table, column }) => `${table} ${column}`).sort()).toEqual(
    columns.map(({ name }) => name),
  );
});

it("values that no secret opens stay unchanged, and up to a hundred are listed by table and id", async () => {
  expect((await api.ask("GET", "/sealed-values")).body.data).toEqual({
    current: 0,
    other: 0,
    unreadable: 0,
    unreadableValues: [],
  });
  await api.ask("POST", "/workflow-secrets", { name: "GOOD", value: "a good value" });
  const strange = await createVault(() => "strange").seal("a value", "workflow secret S1");
  await api.test.database.query(
    `insert into system.workflow_secrets (name, sealed)
     select 'S' || lpad(n::text, 4, '0'), $1::text from generate_series(1, 1100) n`,
    [strange],
  );
  const before = await api.test.database.query(
    "select name, sealed from system.workflow_secrets order by 1",
  );
  const answer = await api.ask("POST", "/sealed-values/reseal");
  expect(answer.status).toBe(200);
  const { unreadableValues, ...counts } = answer.body.data;
  expect(counts).toEqual({ resealed: 0, current: 1, other: 0, unreadable: 1100 });
  expect(unreadableValues).toHaveLength(100);
  expect(unreadableValues[0]).toEqual({ table: "system.workflow_secrets", id: "S0001" });
  expect(
    await api.test.database.query("select name, sealed from system.workflow_secrets order by 1"),
  ).toEqual(before);
  // Nothing was changed, and the audit log has no entry.
  const { data } = (await api.ask("GET", "/audit-log?targetKind=sealed_values")).body;
  expect(data).toEqual([]);
});
