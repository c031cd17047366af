import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { applyOne, createEmptyDatabase, migrateTo } from "./migrate-to.ts";

// Migration 63 gives providers the stored secrets that their documents name.

let test: TestDatabase;
let empty: Awaited<ReturnType<typeof createEmptyDatabase>>;
beforeAll(async () => {
  test = await createTestDatabase();
  empty = await createEmptyDatabase(test.ownerUrl);
});
afterAll(async () => {
  await empty.drop();
  await test.drop();
});

it("the secrets that providers name become theirs, and those that workflows name too are copied", async () => {
  const { database } = empty;
  await migrateTo(database, 62);
  const names = ["AUTH_CORP_1_SECRET", "OF_PLAN", "OF_FLOW_PLAN", "BOTH", "OF_WORKFLOW", "UNUSED"];
  for (const name of names) {
    await database.query(
      "insert into system.workflow_secrets (name, sealed) values ($1::text, 'sealed ' || $1::text)",
      [name],
    );
  }
  await database.query(
    `insert into system.auth_providers (key, kind, name, issuer, client_id, client_secret_sealed)
     values ('corp-1', 'oidc', 'Corp', 'https://id.example.com', 'c', 'x')`,
  );
  const files = {
    "providers/a.yaml": "kind: oidc\nclientSecret:\n  secret: OF_PLAN\n",
    "providers/b.yaml": "kind: oidc\nclientSecret: { secret: OF_FLOW_PLAN }\n",
    "providers/c.yaml": 'clientSecret: {secret: "BOTH"}\n',
  };
  await database.query(
    "insert into system.configuration_plans (digest, files, options, consents) values ('d', $1::text::json, '{}', '{}')",
    [JSON.stringify(files)],
  );
  await database.query(
    `insert into system.workflows (slug, name, draft) values ('w', 'W', '{"token":"{{secrets.BOTH}} {{secrets.OF_WORKFLOW}}"}')`,
  );
  await applyOne(database, 63);
  const namesIn = async (table: string) =>
    (await database.query<{ name: string }>(`select name from system.${table} order by 1`)).map(
      ({ name }) => name,
    );
  expect(await namesIn("workflow_secrets")).toEqual(["BOTH", "OF_WORKFLOW", "UNUSED"]);
  expect(await namesIn("provider_secrets")).toEqual([
    "AUTH_CORP_1_SECRET",
    "BOTH",
    "OF_FLOW_PLAN",
    "OF_PLAN",
  ]);
  expect(
    await database.query(
      "select sealed, taken_for from system.provider_secrets where name like 'AUTH%'",
    ),
  ).toEqual([{ sealed: "sealed AUTH_CORP_1_SECRET", taken_for: "https://id.example.com" }]);
});
