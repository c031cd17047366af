// Tiers: long, topologies. One of the slowest.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
  await run("create schema fleet");
  await run("create table fleet.trips (id int primary key, country text, km int)");
  await run("insert into fleet.trips values (1, 'NO', 5), (2, 'SE', 7), (3, 'NO', 11)");
});
afterAll(() => environment.stop());

/** Runs SQL as another client would. */
const run = (text: string) => environment.test.database.query(text);
const at = "/admin/api/schema/fleet/views";
const admin = (method: string, path: string, data?: unknown): Promise<Answer> =>
  environment.ask(method, path.startsWith("/") ? path : `${at}/${path}`, {
    as: environment.admin.secret,
    ...(data === undefined ? {} : { body: { data } }),
  });
const member = (view: string, query = ""): Promise<Answer> =>
  environment.ask("GET", `/api/fleet/view/${view}${query}`, { as: environment.member.secret });
const expose = (id: string) =>
  admin("PATCH", `/admin/api/resources/${id}`, { exposedMethods: ["GET"] });
const grant = async (resourceId: string, terms: object): Promise<Answer> => {
  const [role] = (await admin("GET", "/admin/api/roles?search=Members")).body.data;
  return admin("POST", "/admin/api/grants", {
    ...{ roleId: role.id, resourceId, action: "READ" },
    ...terms,
  });
};
/** Waits until the newest refresh has ended. */
const refreshed = async (view: string) => {
  let refresh = { state: "RUNNING" };
  await expect
    .poll(async () => {
      refresh = (await admin("GET", `${view}/refresh`)).body.data;
      return refresh.state;
    })
    .not.toBe("RUNNING");
  return refresh;
};

describe("a view that is created and exposed by HTTP", () => {
  it("shows a role the rows and fields of its grant, independent of its grants on the table", async () => {
    const made = await admin("POST", at, {
      name: "norway",
      definition: "select id, country, km from trips where km > 1",
    });
    const { resourceId } = made.body.data;
    expect((await member("norway")).status).toBe(404);
    await expose(resourceId);
    expect((await member("norway")).status).toBe(404);
    await grant(resourceId, { fields: ["id", "km"], rowFilter: { country: { _eq: "NO" } } });
    expect((await member("norway", "?order_by=id")).body.data).toEqual([
      { id: 1, km: 5 },
      { id: 3, km: 11 },
    ]);
    expect(
      (await environment.ask("GET", "/api/fleet/table/trips", { as: environment.member.secret }))
        .status,
    ).toBe(404);
  });

  it("keeps exposure, grants and DataViews when it is replaced, and gains no right", async () => {
    const { resourceId } = (await admin("GET", "norway")).body.data;
    await run(
      `insert into system.data_views (name, resource_id, definition) values ('North', '${resourceId}', '{}')`,
    );
    await admin("PUT", "norway", {
      definition: "select id, country, km, 'secret' as more from trips where km > 6",
    });
    expect((await member("norway")).body.data).toEqual([{ id: 3, km: 11 }]);
    expect(await run("select name from system.data_views")).toEqual([{ name: "North" }]);
    expect((await member("norway", "?fields=more")).faults).toEqual(["FIELD_UNKNOWN fields"]);
  });

  it("is new and hidden when another client drops and creates it again", async () => {
    await run("drop view fleet.norway");
    await run("create view fleet.norway as select id, country, km from fleet.trips");
    expect((await member("norway")).status).toBe(404);
    const again = (await admin("GET", "norway")).body.data;
    expect(
      (await admin("GET", `/admin/api/resources/${again.resourceId}`)).body.data,
    ).toMatchObject({ exposedMethods: [] });
    await expose(again.resourceId);
    expect((await member("norway")).status).toBe(404);
  });

  it("follows another client's changes from the next request on", async () => {
    const { resourceId } = (await admin("GET", "norway")).body.data;
    await grant(resourceId, { fields: ["id", "km"] });
    expect((await member("norway", "?limit=1")).body.data).toEqual([{ id: 1, km: 5 }]);
    await run("alter view fleet.norway rename column km to distance");
    expect((await member("norway", "?limit=1")).body.data).toEqual([{ id: 1, distance: 5 }]);
    await run("alter view fleet.norway rename to north");
    expect((await member("norway")).status).toBe(404);
    expect((await member("north", "?limit=1")).body.data).toEqual([{ id: 1, distance: 5 }]);
    await run(
      "create or replace view fleet.north as select id, country, km as distance from fleet.trips where id = 3",
    );
    expect((await member("north")).body.data).toEqual([{ id: 3, distance: 11 }]);
    // A table of the same name is another resource.
    await run("drop view fleet.north");
    await run("create table fleet.north (id int primary key, country text, distance int)");
    expect((await member("north")).status).toBe(404);
    expect((await admin("GET", "north")).status).toBe(404);
  });

  it("obeys the statement timeout, at any cost of its definition", async () => {
    const made = await admin("POST", at, {
      name: "endless",
      definition:
        "select count(*) as n from generate_series(1, 9999999) a, generate_series(1, 9999999) b",
    });
    await expose(made.body.data.resourceId);
    // The limit of all statements of this process, until the next request of the Data API.
    await environment.set("data.statement_timeout_ms", 2000);
    const answer = await environment.ask("GET", "/api/fleet/view/endless", {
      as: environment.admin.secret,
    });
    await run("delete from system.settings");
    expect([answer.status, answer.faults]).toEqual([504, ["QUERY_TIMEOUT"]]);
  });
});

describe("the SQL of a preview", () => {
  it("is the executed SQL: another client that runs it creates the same view", async () => {
    const bodies = [
      {
        name: "same",
        definition: "select id, km * 2 as twice from trips where km > 1",
        comment: "It's \\ one",
      },
      {
        name: "same",
        definition:
          "with t as (select country, km from trips) select country, avg(km) as mean from t group by 1",
        materialized: true,
        comment: "Means",
        indexes: [{ columns: ["country"], unique: true }, { columns: ["mean", "country"] }],
      },
    ];
    for (const body of bodies) {
      const { sql } = (await admin("POST", `${at}/preview`, body)).body.data;
      for (const statement of sql) await run(statement);
      const known = async () => {
        const answer = await admin("GET", "same");
        expect(answer.status, answer.text).toBe(200);
        const { resourceId, refresh, columns, ...rest } = answer.body.data;
        const names = columns.map((column: { name: string; dataType: string }) => [
          column.name,
          column.dataType,
        ]);
        return { ...rest, names };
      };
      const byHand = await known();
      await run(
        body.materialized === true ? "drop materialized view fleet.same" : "drop view fleet.same",
      );
      expect((await admin("POST", at, body)).status).toBe(201);
      if (body.materialized === true) await refreshed("same");
      expect(await known()).toEqual(byHand);
      expect((await admin("DELETE", "same?confirm=same")).status).toBe(204);
    }
  });

  it.each([
    "select t.*, row_number() over w as n, lag(km, 1, 0) over (partition by country order by id rows between 2 preceding and current row) as before from trips t window w as (order by km desc nulls last)",
    "with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select i, (select count(*) from trips where km > i) as more from n",
    "select country, km, count(*) as n from trips group by grouping sets ((country, km), (country), ()) having count(*) > 0 order by 1 nulls first, 2",
    "select t.id, l.best, x.n from trips t left join lateral (select max(u.km) as best from trips u where u.country = t.country) l on true cross join generate_series(1, 2) as x(n)",
    "select id, case when km > 5 then 'long' when km is null then null else 'short' end as kind, coalesce(country, '?') || '!' as c, extract(year from now()) as y, substring(country from 1 for 1) as s from trips where country in ('NO', 'SE') and not (km between 1 and 2) and country like 'N%' escape '!'",
    "(select id from trips order by km limit 2) union all (select id from trips except select 1) order by 1",
    "select distinct on (country) country, array_agg(id) filter (where km > 1) over (partition by country) as ids, (string_to_array(country, 'O'))[1] as part, '{\"a\": 1}'::jsonb ->> 'a' as a from trips order by country, km",
    "select percentile_cont(0.5) within group (order by km) as middle, string_agg(distinct country, ', ' order by country) as all_of_them, jsonb_object_agg(id, km) as map from trips",
    "select a.id, b.id as other from trips a natural join (select id, km from trips) b where exists (select 1 from trips c where c.id = a.id) and a.km = any (array[5, 7]) and (a.id, a.km) <> (1, 1)",
    "select timestamptz '2026-01-01 00:00+00' at time zone 'UTC' as t, interval '1 day' * 2 as i, date_trunc('month', now()) as m, -id as minus, id::numeric(10, 2) as n, cast(km as text) collate \"C\" as c from trips",
    "select * from (values (1, 'a'), (2, 'b')) v (n, t)",
    "select * from jsonb_to_recordset('[{\"a\": 1}]') as x(a int, b text)",
  ])("is returned as a definition that can be sent again: %s", async (definition) => {
    const made = await admin("POST", at, { name: "again", definition });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    const before = (await admin("GET", "again")).body.data;
    const answer = await admin("PUT", "again", { definition: before.definition });
    expect([answer.status, answer.faults]).toEqual([200, []]);
    expect(answer.body.data).toEqual(before);
    await admin("DELETE", "again?confirm=again");
  });
});

describe("a materialized view", () => {
  let resourceId = "";
  it("is filled after the request that creates it, and by a refresh beside its readers", async () => {
    const body = {
      name: "totals",
      definition: "select country, sum(km) as km from trips group by country",
      materialized: true,
      comment: "By country",
      indexes: [{ columns: ["country"], unique: true }],
    };
    const preview = await admin("POST", `${at}/preview`, body);
    expect(preview.body.data.sql).toEqual([
      `create materialized view "fleet"."totals" as
SELECT country, pg_catalog.sum(km) AS km FROM fleet.trips GROUP BY country
with no data`,
      'create unique index on "fleet"."totals" ("country")',
      `comment on materialized view "fleet"."totals" is 'By country'`,
      'refresh materialized view "fleet"."totals"',
    ]);
    resourceId = (await admin("POST", at, body)).body.data.resourceId;
    expect(await refreshed("totals")).toMatchObject({
      state: "SUCCEEDED",
      concurrently: false,
      error: null,
    });
    expect((await admin("GET", "totals")).body.data).toMatchObject({
      materialized: true,
      populated: true,
      indexes: [{ columns: ["country"], unique: true }],
      columns: [{ source: { table: "trips", column: "country" } }, { source: null }],
    });
    await expose(resourceId);
    await grant(resourceId, { fields: ["country", "km"], rowFilter: { country: { _eq: "NO" } } });
    expect((await member("totals")).body.data).toEqual([{ country: "NO", km: "16" }]);

    await run("insert into fleet.trips values (4, 'NO', 100)");
    expect((await member("totals")).body.data).toEqual([{ country: "NO", km: "16" }]);
    const answer = await admin("POST", "totals/refresh");
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ concurrently: true });
    expect(await refreshed("totals")).toMatchObject({ state: "SUCCEEDED", concurrently: true });
    expect((await member("totals")).body.data).toEqual([{ country: "NO", km: "116" }]);
    const log = await admin("GET", `/admin/api/audit-log?targetId=${resourceId}`);
    const actions = log.body.data.map((entry: { action: string }) => entry.action);
    expect(actions.filter((action: string) => action === "view.refresh")).toHaveLength(2);
  });

  it("shows the running refresh, one at a time, while reads continue", async () => {
    let release: () => void = () => undefined;
    const held = environment.test.database.transaction(async (transaction) => {
      await transaction.query("lock table fleet.trips in access exclusive mode");
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await expect
      .poll(() =>
        run(
          "select 1 from pg_locks where relation = 'fleet.trips'::regclass and mode = 'AccessExclusiveLock' and granted",
        ),
      )
      .toHaveLength(1);
    const begun = await admin("POST", "totals/refresh");
    expect([begun.status, begun.body.data]).toEqual([
      200,
      {
        state: "RUNNING",
        concurrently: true,
        startedAt: expect.any(String),
        finishedAt: null,
        refreshedAt: expect.any(String),
        error: null,
      },
    ]);
    const second = await admin("POST", "totals/refresh");
    expect([second.status, second.faults]).toEqual([409, ["CONFLICT"]]);
    expect((await member("totals")).status).toBe(200);
    expect((await admin("GET", "totals/refresh")).body.data.state).toBe("RUNNING");
    // Its definition cannot be returned while the table is locked; the request must not wait long for it.
    expect((await admin("GET", "totals")).faults).toEqual(["CONFLICT"]);
    release();
    await held;
    expect(await refreshed("totals")).toMatchObject({ state: "SUCCEEDED" });
  });

  it("reports the failure of a refresh, and keeps its rows", async () => {
    await environment.set("views.refresh_timeout_ms", 1000);
    await admin("POST", at, {
      name: "slow",
      definition:
        "select count(*) as n from generate_series(1, 9999999) a, generate_series(1, 9999999) b",
      materialized: true,
    });
    expect(await refreshed("slow")).toMatchObject({
      state: "FAILED",
      error: { code: "QUERY_TIMEOUT", message: "It took too long or was canceled" },
      refreshedAt: null,
    });
    await run("delete from system.settings where key = 'views.refresh_timeout_ms'");
    const slow = (await admin("GET", "slow")).body.data;
    expect(slow.populated).toBe(false);
    await expose(slow.resourceId);
    const unfilled = await environment.ask("GET", "/api/fleet/view/slow", {
      as: environment.admin.secret,
    });
    expect([unfilled.status, unfilled.faults]).toEqual([503, ["SERVICE_UNAVAILABLE"]]);
    expect(unfilled.headers.get("retry-after")).toBe("10");

    await admin("POST", at, {
      name: "shares",
      definition: "select id, 100 / km as share from trips",
      materialized: true,
    });
    expect(await refreshed("shares")).toMatchObject({ state: "SUCCEEDED" });
    await run("insert into fleet.trips values (5, 'XX', 0)");
    await admin("POST", "shares/refresh");
    const failed = await refreshed("shares");
    expect(failed).toMatchObject({
      state: "FAILED",
      error: { code: "VALUE_INVALID", message: "The definition divides by zero" },
      refreshedAt: expect.any(String),
    });
    expect(await run("select * from fleet.shares")).toHaveLength(4);
    await run("delete from fleet.trips where id = 5");

    await admin("POST", at, {
      name: "twins",
      definition: "select country from trips",
      materialized: true,
      indexes: [{ columns: ["country"], unique: true }],
    });
    expect(await refreshed("twins")).toMatchObject({ error: { code: "UNIQUE_VIOLATION" } });
  });

  it("distinguishes a refresh whose process has stopped from a running one", async () => {
    await run(
      `update system.view_refreshes set state = 'RUNNING', finished_at = null, error_code = null, error_message = null
       where resource_id = '${resourceId}'`,
    );
    expect((await admin("GET", "totals")).body.data.refresh).toMatchObject({
      state: "FAILED",
      error: {
        code: "SERVICE_UNAVAILABLE",
        message: "The process that refreshed the view stopped",
      },
    });
    expect((await admin("POST", "totals/refresh")).status).toBe(200);
    expect(await refreshed("totals")).toMatchObject({ state: "SUCCEEDED" });
  });

  it("keeps record, exposure, grants, indexes, comments and privileges when it is replaced", async () => {
    await run("create role reporting");
    await run("grant select on fleet.totals to reporting with grant option");
    await run("comment on column fleet.totals.km is 'Kilometres'");
    await run("create index by_km on fleet.totals (km desc) where km > 1");
    await run(
      `insert into system.data_views (name, resource_id, definition) values ('Sums', '${resourceId}', '{}')`,
    );
    const definition =
      "select country, sum(km) as km, count(*) as trips from trips group by country";
    const preview = await admin("POST", "totals/preview", { action: "replace", definition });
    const before = (await admin("GET", "totals")).body.data;
    const answer = await admin("PUT", "totals", { definition });
    expect(answer.status).toBe(200);
    expect(await refreshed("totals")).toMatchObject({ state: "SUCCEEDED", concurrently: false });
    expect((await admin("GET", "totals")).body.data).toMatchObject({
      resourceId,
      comment: "By country",
      indexes: before.indexes,
      columns: [{ name: "country" }, { name: "km", comment: "Kilometres" }, { name: "trips" }],
    });
    expect((await member("totals")).body.data).toEqual([{ country: "NO", km: "116" }]);
    const [kept] = await run(
      `select has_table_privilege('reporting', 'fleet.totals', 'select with grant option') as granted,
         (select count(*)::int from system.resources where relation_name like 'rowhouse_replaced%') as left_over`,
    );
    expect(kept).toEqual({ granted: true, left_over: 0 });
    expect(await run("select name from system.data_views")).toEqual([{ name: "Sums" }]);
    const log = await admin(
      "GET",
      `/admin/api/audit-log?targetId=${resourceId}&action=view.replace`,
    );
    expect(log.body.data).toHaveLength(1);
    const [first] = await run("select 'fleet.totals'::regclass::oid::int as oid");
    expect(preview.body.data.sql[0]).toMatch(
      /^alter materialized view "fleet"."totals" rename to "rowhouse_replaced_\d+"$/,
    );
    expect(first).toBeDefined();
    await run("drop owned by reporting");
    await run("drop role reporting");
  });

  it("is not replaced while others read it, nor by a definition that lacks a column", async () => {
    await run("create view fleet.above as select km from fleet.totals");
    const before = JSON.stringify((await admin("GET", "totals")).body);
    const kept = "select country, sum(km) as km, count(*) as trips from trips group by country";
    const refused = await admin("PUT", "totals", { definition: kept });
    expect([refused.status, refused.body.errors[0].details]).toEqual([
      409,
      { dependents: [{ kind: "view", name: "fleet.above" }] },
    ]);
    await run("drop view fleet.above");
    const lost = await admin("PUT", "totals", { definition: "select country from trips" });
    expect(lost.body.errors.map((fault: { details: object }) => fault.details)).toEqual([
      { column: "km", change: "DROPPED" },
      { column: "trips", change: "DROPPED" },
    ]);
    expect(JSON.stringify((await admin("GET", "totals")).body)).toBe(before);
  });

  it("is dropped by its kind, and a plain view cannot be refreshed", async () => {
    await admin("POST", at, { name: "plain", definition: "select 1 as a" });
    expect((await admin("POST", "plain/refresh")).faults).toEqual(["CONFLICT"]);
    expect((await admin("GET", "plain/refresh")).faults).toEqual(["CONFLICT"]);
    expect((await admin("POST", "nope/refresh")).status).toBe(404);
    expect((await admin("DELETE", "totals?confirm=totals")).status).toBe(204);
    expect((await member("totals")).status).toBe(404);
    expect(
      await run(
        "select 1 from system.view_refreshes v join system.resources r on r.id = v.resource_id where r.relation_name = 'totals'",
      ),
    ).toEqual([]);
  });
});

describe("without event triggers", () => {
  it("a materialized view is replaced and keeps its record as well", async () => {
    await run("drop event trigger rowhouse_after_ddl");
    await run("drop event trigger rowhouse_after_drop");
    const made = await admin("POST", at, {
      name: "sums",
      definition: "select country, sum(km) as km from trips group by country",
      materialized: true,
    });
    const { resourceId } = made.body.data;
    await refreshed("sums");
    await expose(resourceId);
    await grant(resourceId, { fields: ["country"] });
    // Another client's table of this name is not confused with it.
    await run("create table fleet.mine (id int)");
    const [mine] = (await admin("GET", "/admin/api/resources?search=fleet.mine")).body.data;
    await run("drop table fleet.mine");
    const own = await admin("POST", at, { name: "mine", definition: "select 1 as a" });
    expect(own.body.data.resourceId).not.toBe(mine.id);
    const replaced = await admin("PUT", "sums", {
      definition: "select country, sum(km) as km, 1 as one from trips group by country",
    });
    expect([replaced.status, replaced.body.data.resourceId]).toEqual([200, resourceId]);
    await refreshed("sums");
    expect((await member("sums", "?order_by=country")).body.data).toEqual([
      { country: "NO" },
      { country: "SE" },
    ]);
    expect((await admin("DELETE", "sums?confirm=sums")).status).toBe(204);
    expect((await member("sums")).status).toBe(404);
    expect((await admin("GET", `/admin/api/resources/${resourceId}`)).status).toBe(404);
  });
});
