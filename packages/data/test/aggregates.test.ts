import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create type public.state as enum ('new', 'done');
    create table public.shops (id int primary key, city text);
    create table public.orders (id int primary key, shop_id int references public.shops (id), status public.state,
      price numeric, amount int, weight double precision, at timestamptz, on_day date, secret int, hidden boolean default false);
    insert into public.shops values (1, 'Berlin'), (2, 'Oslo');
    insert into public.orders values
      (1, 1, 'new', 10.10, 1, 1.5, '2026-03-28 23:30:00+00', '2026-03-29', 7, false),
      (2, 1, 'done', 20.20, 2, 2.5, '2026-03-29 10:00:00+00', '2026-03-29', 7, false),
      (3, 2, 'done', 99999999999999999999.01, 3, null, '2026-03-29 22:30:00+00', '2026-03-30', 9, false),
      (4, null, null, null, null, null, null, null, null, false),
      (5, 2, 'new', 5, 5, 5, '2026-01-01 00:00:00+00', '2026-01-01', 1, true)`);
  await test.database.query(`create table public.moments (id int primary key, on_day date, at timestamptz, local timestamp);
    insert into public.moments values (1, 'infinity', 'infinity', null), (2, '-infinity', null, null), (3, '2026-12-31', '2026-12-31 23:30Z', null),
      (4, '4713-11-24 BC', null, null), (5, '5874897-12-31', null, '2027-01-01 12:00'), (6, null, '-infinity', null)`);
  await expose(test.database, "public", "orders", "GET");
  await expose(test.database, "public", "moments", "GET");
  await expose(test.database, "public", "shops", "GET");
  await grant(test.database, client.snapshots, roleId, "public/orders", {
    action: "READ",
    fields: ["id", "shop_id", "status", "price", "amount", "weight", "at", "on_day"],
    rowFilter: { hidden: { _eq: false } },
  });
  await grant(test.database, client.snapshots, roleId, "public/moments", { action: "READ" });
  await grant(test.database, client.snapshots, roleId, "public/shops", { action: "READ" });
});
afterAll(() => test.drop());

const data = async (query: string, timeZone?: string): Promise<unknown> => {
  const answer = await client.list(user, "public/orders", query, timeZone);
  return answer.status === 200 ? (answer.body as { data: unknown }).data : answer.body;
};

describe("aggregates", () => {
  it("aggregates count and sum exactly the values that the caller may see", async () => {
    expect(
      await data(
        "aggregate=count,count(price),count_distinct(status),sum(price),sum(amount),avg(amount),min(price),max(status),sum(weight)",
      ),
    ).toEqual([
      {
        count: 4,
        count_price: 3,
        count_distinct_status: 2,
        sum_price: "100000000000000000029.31",
        sum_amount: "6",
        avg_amount: "2.0000000000000000",
        min_price: "10.10",
        max_status: "done",
        sum_weight: 4,
      },
    ]);
  });

  it("aggregates can be grouped, filtered by having and ordered by an aggregate", async () => {
    expect(
      await data("aggregate=count,sum(amount)&group_by=status&order_by=-sum_amount:nulls_last"),
    ).toEqual([
      { status: "done", count: 2, sum_amount: "5" },
      { status: "new", count: 1, sum_amount: "1" },
      { status: null, count: 1, sum_amount: null },
    ]);
    expect(await data("aggregate=sum(price)&group_by=status&having[sum_price][_gt]=10.10")).toEqual(
      [{ status: "done", sum_price: "100000000000000000019.21" }],
    );
    expect(await data("group_by=status&having[count][_gte]=2&where[amount][_lt]=9")).toEqual([
      { status: "done", count: 2 },
    ]);
    expect(
      await client.list(user, "public/orders", "group_by=status&count=exact&limit=1"),
    ).toMatchObject({
      body: { data: [{ count: 1 }], meta: { count: 3 } },
    });
    expect(await client.list(user, "public/orders", "aggregate=count&count=exact")).toMatchObject({
      body: { data: [{ count: 4 }], meta: { count: 1 } },
    });
  });

  it("rows can be grouped by a field of a related row", async () => {
    expect(await data("aggregate=count&group_by=shop.city")).toEqual([
      { "shop.city": "Berlin", count: 2 },
      { "shop.city": "Oslo", count: 1 },
      { "shop.city": null, count: 1 },
    ]);
  });

  it("date_trunc uses the caller's time zone, also for a day that daylight saving shortens", async () => {
    const query = "aggregate=count&group_by=date_trunc(day,at)&where[at][_nnull]=true";
    expect(await data(query)).toEqual([
      { at_day: "2026-03-28T00:00:00+00:00", count: 1 },
      { at_day: "2026-03-29T00:00:00+00:00", count: 2 },
    ]);
    expect(await data(query, "Europe/Berlin")).toEqual([
      { at_day: "2026-03-28T23:00:00+00:00", count: 2 },
      { at_day: "2026-03-29T22:00:00+00:00", count: 1 },
    ]);
    expect(await data("group_by=date_trunc(month,on_day)&where[on_day][_nnull]=true")).toEqual([
      { on_day_month: "2026-03-01", count: 3 },
    ]);
  });

  it("date_part counts by a number of the caller's calendar", async () => {
    const weekdays = "aggregate=count&group_by=date_part(weekday,at)&where[at][_nnull]=true";
    expect(await data(weekdays)).toEqual([
      { at_part_weekday: 6, count: 1 },
      { at_part_weekday: 7, count: 2 },
    ]);
    expect(await data(weekdays, "Europe/Berlin")).toEqual([
      { at_part_weekday: 1, count: 1 },
      { at_part_weekday: 7, count: 2 },
    ]);
    expect(
      await data(
        "group_by=date_part(month,on_day)&having[on_day_part_month][_eq]=3&order_by=-on_day_part_month",
      ),
    ).toEqual([{ on_day_part_month: 3, count: 3 }]);
    expect(await data("group_by=date_part(hour,on_day),date_trunc(year,on_day)&limit=1")).toEqual([
      { on_day_part_hour: 0, on_day_year: "2026-01-01", count: 3 },
    ]);
  });

  it("date_part of infinity is null, and extreme dates have their parts", async () => {
    const ask = async (query: string) => {
      const answer = await client.list(user, "public/moments", `aggregate=count&${query}`);
      return (answer.body as { data: unknown }).data;
    };
    expect(await ask("group_by=date_part(year,on_day)&order_by=on_day_part_year")).toEqual([
      { on_day_part_year: -4713, count: 1 },
      { on_day_part_year: 2026, count: 1 },
      { on_day_part_year: 5_874_897, count: 1 },
      { on_day_part_year: null, count: 3 },
    ]);
    expect(await ask("group_by=date_part(hour,at)&order_by=at_part_hour")).toEqual([
      { at_part_hour: 23, count: 1 },
      { at_part_hour: null, count: 5 },
    ]);
    expect(await ask("group_by=date_part(week,local),date_part(quarter,local)&limit=1")).toEqual([
      { local_part_week: 53, local_part_quarter: 1, count: 1 },
    ]);
  });

  it("a request with five hundred aggregates is rejected", async () => {
    const many = Array.from({ length: 500 }, (_, n) => `sum(a${n})`).join();
    expect(await data(`aggregate=${many}`)).toMatchObject({ errors: [{ code: "QUERY_INVALID" }] });
  });

  it.each([
    ["aggregate=sum(secret)", "FIELD_UNKNOWN"],
    ["aggregate=sum(nope)", "FIELD_UNKNOWN"],
    ["group_by=secret", "FIELD_UNKNOWN"],
    ["group_by=date_trunc(day,secret)", "FIELD_UNKNOWN"],
    ["group_by=status&having[sum_secret][_gt]=1", "FIELD_UNKNOWN"],
    ["group_by=status&order_by=secret", "FIELD_UNKNOWN"],
    ["group_by=status&order_by=price", "FIELD_UNKNOWN"],
    ["aggregate=sum(status)", "QUERY_INVALID"],
    ["aggregate=median(price)", "QUERY_INVALID"],
    ["aggregate=count,count", "QUERY_INVALID"],
    ["aggregate=sum(price", "QUERY_INVALID"],
    ["aggregate=", "QUERY_INVALID"],
    ["group_by=date_trunc(century,at)", "QUERY_INVALID"],
    ["group_by=date_trunc(day,amount)", "QUERY_INVALID"],
    ["group_by=date_part(weekday,secret)", "FIELD_UNKNOWN"],
    ["group_by=date_part(weekday,amount)", "QUERY_INVALID"],
    ["group_by=date_part(minute,at)", "QUERY_INVALID"],
    ["group_by=date_part(weekday)", "QUERY_INVALID"],
    ["aggregate=count&fields=id", "QUERY_INVALID"],
    ["aggregate=count&cursor=x", "QUERY_INVALID"],
    ["having[count][_gt]=1", "QUERY_INVALID"],
  ])("refuse %s", async (query, code) => {
    expect(await data(query)).toMatchObject({ errors: [{ code }] });
  });
});
