// Tier: long. A long run has the tables, roles and changes of a large company, which takes minutes.
import { addCrowd, createTestDatabase, erpSize, isLongRun } from "@rowhouse/testing";
import { expect, it, onTestFinished } from "vitest";
import { createConfigurator, expectSameBytes } from "./configuration.ts";

const size = isLongRun() ? erpSize : { tables: 60, views: 30 };
const roles = isLongRun() ? 100 : 20;
const grantsOfRole = 10;
const changed = isLongRun() ? 50 : 12;

it("reads a crowd of tables, roles and grants, and applies changes of many tables together", {
  timeout: 300_000,
}, async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  await addCrowd(test.database, size);
  await test.database.query(
    `with r as (insert into system.roles (name) select 'Role ' || n from generate_series(1, ${roles}) n returning id)
     insert into system.grants (role_id, resource_id, action, all_fields)
     select r.id, s.id, 'READ', true from r cross join lateral (
       select id from system.resources where schema_name = 'crowd' order by md5(id::text || r.id::text) limit ${grantsOfRole}) s`,
  );
  const own = await createConfigurator(test);
  const files = await own.pull();
  expect(Object.keys(files).length).toBeGreaterThan(size.tables + size.views + roles);
  expect((await own.plan(files)).steps).toEqual([]);
  const wanted = Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      const number = Number(/^tables\/crowd\/table_([0-9]+)\.yaml$/.exec(path)?.[1] ?? changed);
      return [
        path,
        number < changed
          ? text.replace("columns:\n", "columns:\n  extra:\n    type: integer\n")
          : text,
      ];
    }),
  );
  const plan = await own.plan(wanted);
  expect(plan.steps.map(({ kind }) => kind)).toEqual(Array(changed - 1).fill("table.alter"));
  await own.apply(plan);
  // A column that is new is the last one.
  expect((await own.plan(wanted)).steps).toEqual([]);
});

it("a crowd of tables and views, applied to an empty database and read again, are the same bytes", {
  timeout: 1_200_000,
}, async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  await addCrowd(test.database, size);
  const files = await expectSameBytes(await createConfigurator(test));
  const count = (part: string) =>
    Object.keys(files).filter(
      (path) => path.startsWith(`${part}/crowd/`) && path.endsWith(".yaml"),
    );
  expect([count("tables").length, count("views").length]).toEqual([size.tables, size.views]);
});
