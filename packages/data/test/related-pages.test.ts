import { AppError } from "@rowhouse/errors";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { parseExactJson } from "@rowhouse/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inBody, parseQueryBody } from "../src/parse/parse-read.ts";
import { createClient, grant, limits } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database, { copies: 2 });
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create table public.drivers (id int primary key, name text);
    create table public.vehicles (id int primary key, plate text, driver_id int references public.drivers (id));
    create table public.trips (id int primary key, vehicle_id int references public.vehicles (id), purpose text,
      distance_km numeric, started_at timestamptz, secret text, open boolean default true);
    create table public.marks (vehicle_id int references public.vehicles (id), note text);
    insert into public.drivers values (1, 'Ann'), (2, 'Bob');
    insert into public.vehicles values (1, 'A', 1), (2, 'B', 1), (3, 'C', 2);
    insert into public.trips (id, vehicle_id, purpose, distance_km, started_at, secret, open)
      select n, 1 + n % 2, case when n % 3 > 0 then 'p' || n % 3 end, nullif(n % 5, 0),
        timestamptz '2026-01-15 23:30:00+00' + n * interval '10 days', 's' || n, n % 7 > 0
      from generate_series(1, 40) n;
    insert into public.marks values (1, 'x'), (1, 'y')`);
  for (const name of ["drivers", "vehicles", "trips", "marks"]) {
    await expose(test.database, "public", name, "GET");
  }
  const allow = (name: string, input: object = {}) =>
    grant(test.database, client.snapshots, roleId, `public/${name}`, { action: "READ", ...input });
  await allow("drivers");
  await allow("vehicles");
  await allow("marks");
  await allow("trips", {
    fields: ["id", "purpose", "distance_km", "started_at"],
    rowFilter: { open: { _eq: true } },
  });
});
afterAll(() => test.drop());

interface Paged {
  readonly data: { readonly id: number }[];
  readonly nextCursor?: string;
}

const said = ({ status, body }: { status: number; body: unknown }): unknown => {
  if (status === 200) return (body as { data: unknown }).data;
  const [fault] = (body as { errors: { code: string; path: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}: ${fault?.message}`;
};
const ask = async (name: string, query: string, zone?: string): Promise<unknown> =>
  said(await client.list(user, `public/${name}`, query, zone));
const read = async (name: string, id: string, query: string): Promise<unknown> =>
  said(await client.read(user, `public/${name}`, id, query));

/** The ids of one vehicle's trips in all of its pages. */
async function walk(vehicle: string, deep: string, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor = "true"; ; ) {
    const query = `fields=trips.id&${deep}&deep[trips][limit]=${limit}&deep[trips][cursor]=${cursor}`;
    const { trips } = (await read("vehicles", vehicle, query)) as { trips: Paged };
    ids.push(...trips.data.map(({ id }) => id));
    if (trips.nextCursor === undefined) return ids;
    if (ids.length > 100) throw new Error("The last page was not reached");
    cursor = trips.nextCursor;
  }
}

describe("pages of related rows", () => {
  it.each([
    "",
    "deep[trips][order_by]=-id",
    "deep[trips][order_by]=distance_km",
    "deep[trips][order_by]=-distance_km:nulls_last,purpose",
    "deep[trips][order_by]=-purpose,started_at",
    "deep[trips][order_by]=vehicle.driver.name,-distance_km",
    "deep[trips][where][distance_km][_gt]=1&deep[trips][order_by]=purpose",
  ])("contain each row once, in the order of the whole list: %s", async (deep) => {
    for (const vehicle of ["1", "2"]) {
      const whole = (await read("vehicles", vehicle, `fields=trips.id&${deep}`)) as {
        trips: { id: number }[];
      };
      const ids = whole.trips.map(({ id }) => id);
      for (const limit of [1, 4, 100]) expect(await walk(vehicle, deep, limit)).toEqual(ids);
    }
  });

  it("each row of a list has the cursor of its own list, which continues in that row alone", async () => {
    const deep = "deep[trips][where][id][_gt]=2&deep[trips][limit]=2";
    const query = `fields=id,trips.id&where[id][_in]=1,2,3&order_by=id&${deep}`;
    const rows = (await ask("vehicles", `${query}&deep[trips][cursor]=true`)) as {
      id: number;
      trips: Paged;
    }[];
    expect(rows.map(({ trips }) => trips.data.map(({ id }) => id))).toEqual([[4, 6], [3, 5], []]);
    expect(rows.map(({ trips }) => typeof trips.nextCursor)).toEqual([
      "string",
      "string",
      "undefined",
    ]);
    const cursor = rows[1]?.trips.nextCursor;
    const rest = `fields=trips.id&${deep}&deep[trips][cursor]=${cursor}`;
    expect(await read("vehicles", "2", rest)).toMatchObject({
      trips: { data: [{ id: 9 }, { id: 11 }] },
    });
    // In a list of this row alone.
    expect(await ask("vehicles", `${rest}&where[id][_eq]=2`)).toMatchObject([
      { trips: { data: [{ id: 9 }, { id: 11 }] } },
    ]);
    const other = "400 QUERY_INVALID deep[trips][cursor]: This is a cursor of another row";
    expect(await read("vehicles", "1", rest)).toBe(other);
    expect(await ask("vehicles", `${rest}&where[id][_in]=1,2`)).toBe(other);
    expect(await ask("vehicles", `${rest}&where[id][_eq]=99`)).toEqual([]);
  });

  it("rows that are inserted or deleted do not shift later pages", async () => {
    const query =
      "fields=trips.id&deep[trips][order_by]=-id&deep[trips][limit]=3&deep[trips][cursor]=";
    const first = (await read("vehicles", "1", `${query}true`)) as { trips: Paged };
    const last = first.trips.data.at(-1)?.id ?? 0;
    await test.database.query(
      `insert into public.trips (id, vehicle_id) values (1000, 1); delete from public.trips where id = ${last}`,
    );
    const second = (await read("vehicles", "1", `${query}${first.trips.nextCursor}`)) as {
      trips: Paged;
    };
    expect(second.trips.data[0]?.id).toBeLessThan(last);
    await test.database.query(
      `delete from public.trips where id = 1000; insert into public.trips (id, vehicle_id, purpose, distance_km, started_at)
         select ${last}, 1, case when ${last} % 3 > 0 then 'p' || ${last} % 3 end, nullif(${last} % 5, 0), timestamptz '2026-01-15 23:30:00+00' + ${last} * interval '10 days'`,
    );
  });

  it("a cursor of another order, filter, relation or resource, a changed and an invented one are refused", async () => {
    const own = "deep[trips][order_by]=-purpose&deep[trips][limit]=2";
    const { trips } = (await read(
      "vehicles",
      "1",
      `fields=trips.id&${own}&deep[trips][cursor]=true`,
    )) as { trips: Paged };
    const cursor = trips.nextCursor ?? "";
    expect(cursor).not.toBe("");
    // The position is not readable: it has the key of the row, and values that may be hidden.
    expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toContain("p1");
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`;
    for (const deep of [
      `deep[trips][order_by]=purpose&deep[trips][cursor]=${cursor}`,
      `deep[trips][cursor]=${cursor}`,
      `${own}&deep[trips][where][id][_gt]=0&deep[trips][cursor]=${cursor}`,
      `${own}&deep[trips][cursor]=${changed}`,
      `${own}&deep[trips][cursor]=x`,
      `${own}&deep[trips][cursor]=`,
      `${own}&deep[trips][cursor]=false`,
    ]) {
      expect(await read("vehicles", "1", `fields=trips.id&${deep}`)).toBe(
        "400 QUERY_INVALID deep[trips][cursor]: This is not a cursor of this query",
      );
    }
    expect(
      await read(
        "vehicles",
        "1",
        `fields=x:trips.id&${own.replaceAll("trips", "x")}&deep[x][cursor]=${cursor}`,
      ),
    ).toContain("not a cursor of this query");
    // Page size and fields may differ.
    expect(
      await read(
        "vehicles",
        "1",
        `fields=trips.purpose&deep[trips][order_by]=-purpose&deep[trips][limit]=1&deep[trips][cursor]=${cursor}`,
      ),
    ).toMatchObject({ trips: { data: [expect.any(Object)] } });
    expect(await ask("vehicles", `fields=id&cursor=${cursor}`)).toContain("not a cursor");
  });

  it("lists in lists, with aliases, have cursors of their own", async () => {
    const query =
      "fields=vehicles.id,vehicles.x:trips.id&deep[vehicles.x][limit]=1&deep[vehicles.x][cursor]=";
    const first = (await read("drivers", "1", `${query}true`)) as {
      vehicles: { id: number; x: Paged }[];
    };
    expect(first.vehicles.map(({ x }) => x.data)).toEqual([[{ id: 2 }], [{ id: 1 }]]);
    const only = "&deep[vehicles][where][id][_eq]=2";
    expect(
      await read("drivers", "1", `${query}${first.vehicles[1]?.x.nextCursor}${only}`),
    ).toMatchObject({ vehicles: [{ id: 2, x: { data: [{ id: 3 }] } }] });
    expect(await read("drivers", "1", `${query}${first.vehicles[1]?.x.nextCursor}`)).toContain(
      "deep[vehicles.x][cursor]: This is a cursor of another row",
    );
  });

  it("rows without a key, and a limit of 0, have no cursor", async () => {
    const query = "fields=marks.note&deep[marks][cursor]=true&deep[marks][limit]=1";
    expect(await read("vehicles", "1", query)).toEqual({ marks: { data: [{ note: "x" }] } });
    expect(
      await read("vehicles", "1", "fields=trips.id&deep[trips][cursor]=true&deep[trips][limit]=0"),
    ).toEqual({ trips: { data: [] } });
  });

  it("an offset skips rows of each list, and meta.more still names a longer one", async () => {
    expect(
      await ask(
        "vehicles",
        "fields=trips.id&order_by=id&deep[trips][offset]=2&deep[trips][limit]=2",
      ),
    ).toEqual([
      { trips: [{ id: 6 }, { id: 8 }] },
      { trips: [{ id: 5 }, { id: 9 }] },
      { trips: [] },
    ]);
    await test.database.query(
      "insert into public.trips (id, vehicle_id) select 2000 + n, 3 from generate_series(1, 1003) n",
    );
    const more = async (offset: number) => {
      const query = `fields=trips.id&deep[trips][offset]=${offset}`;
      const { body } = await client.read(user, "public/vehicles", "3", query);
      const { data, meta } = body as { data: { trips: unknown[] }; meta?: unknown };
      return [data.trips.length, meta];
    };
    expect(await more(2)).toEqual([1000, { more: ["trips"] }]);
    expect(await more(3)).toEqual([1000, undefined]);
    expect(await more(5000)).toEqual([0, undefined]);
    await test.database.query("delete from public.trips where id > 2000");
    expect(
      await read("vehicles", "1", "fields=trips.id&deep[trips][offset]=1&deep[trips][cursor]=abc"),
    ).toContain("A cursor takes the place of an offset");
    const exporter = createExporter(test.database);
    expect(
      await exporter.csv(
        user,
        "public/vehicles",
        "fields=id,trips.id&order_by=id&limit=1&deep[trips][offset]=17",
      ),
    ).toBe('id,trips\r\n1,"[{""id"":40}]"\r\n');
  });
});

describe("groups of related rows", () => {
  it("fields with numbers and group_by return a list of groups for each row", async () => {
    const query =
      "fields=plate,trips.count,trips.sum(distance_km)&order_by=id&deep[trips][group_by]=purpose";
    expect(await ask("vehicles", query)).toEqual([
      {
        plate: "A",
        trips: [
          { purpose: "p1", count: 6, sum_distance_km: "11" },
          { purpose: "p2", count: 6, sum_distance_km: "11" },
          { purpose: null, count: 6, sum_distance_km: "11" },
        ],
      },
      {
        plate: "B",
        trips: expect.arrayContaining([expect.objectContaining({ purpose: null })]),
      },
      { plate: "C", trips: [] },
    ]);
  });

  it("equal the groups of an aggregation of the same rows, with having, order, limit and the caller's zone", async () => {
    for (const [groups, rest] of [
      ["purpose,date_trunc(month,started_at)", ""],
      ["date_part(weekday,started_at)", "order_by=-count,started_at_part_weekday"],
      ["purpose", "having[count][_gt]=5&order_by=-purpose:nulls_last&limit=2"],
      ["purpose", "order_by=-sum_distance_km&limit=1&offset=1"],
      ["vehicle.plate,purpose", "having[sum_distance_km][_gt]=11"],
    ] as const) {
      const terms = rest.split("&").filter((term) => term !== "");
      const options = terms.map((term) => {
        const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(term) ?? [];
        const bracket = name.indexOf("[");
        const [head, tail] =
          bracket < 0 ? [name, ""] : [name.slice(0, bracket), name.slice(bracket)];
        return `&deep[trips][${head}]${tail}=${value}`;
      });
      const query = `fields=id,trips.count,trips.sum(distance_km)&deep[trips][group_by]=${groups}${options.join("")}`;
      for (const zone of [undefined, "Pacific/Auckland"]) {
        const rows = (await ask("vehicles", query, zone)) as { id: number; trips: unknown }[];
        for (const { id, trips } of rows) {
          const alone = `aggregate=count,sum(distance_km)&group_by=${groups}&where[vehicle.id][_eq]=${id}&limit=1000&${rest.includes("limit") ? rest : `${rest}&`}`;
          const flat = rest.includes("limit") ? alone.replace("&limit=1000", "") : alone;
          expect(trips).toEqual(await ask("trips", flat, zone));
        }
      }
    }
  });

  it("readings with an alias are grouped by themselves, and meta.more names a longer list", async () => {
    const query =
      "fields=x:trips.count,trips.n:count&where[id][_eq]=1&deep[x][group_by]=purpose&deep[x][limit]=1&deep[x][where][distance_km][_null]=true";
    expect(await ask("vehicles", query)).toEqual([
      { x: [{ purpose: "p1", count: 2 }], trips: { n: 18 } },
    ]);
    await test.database.query(
      "insert into public.trips (id, vehicle_id, purpose) select 2000 + n, 3, n from generate_series(1, 1001) n",
    );
    const { body } = await client.list(
      user,
      "public/vehicles",
      "fields=id,x:trips.count&deep[x][group_by]=purpose",
    );
    await test.database.query("delete from public.trips where id > 2000");
    expect(body).toMatchObject({ meta: { more: ["x"] } });
  });

  it("an export has them as one column", async () => {
    const exporter = createExporter(test.database);
    const query =
      "fields=plate,trips.count&order_by=id&limit=1&deep[trips][group_by]=purpose&deep[trips][limit]=1";
    expect(await exporter.csv(user, "public/vehicles", query)).toBe(
      'plate,trips\r\nA,"[{""purpose"":""p1"",""count"":6}]"\r\n',
    );
  });

  it.each([
    [
      "trips.count",
      "[group_by]=secret",
      "FIELD_UNKNOWN deep[trips][group_by]: Unknown field secret",
    ],
    [
      "trips.count",
      "[group_by]=nothing",
      "FIELD_UNKNOWN deep[trips][group_by]: Unknown field nothing",
    ],
    [
      "trips.count",
      "[group_by]=date_trunc(month,secret)",
      "FIELD_UNKNOWN deep[trips][group_by]: Unknown field secret",
    ],
    [
      "trips.count",
      "[group_by]=date_trunc(month,purpose)",
      "QUERY_INVALID deep[trips][group_by]: purpose_month does not",
    ],
    [
      "trips.count",
      "[group_by]=vehicle.trips.id",
      "QUERY_INVALID deep[trips][group_by]: vehicle.trips.id crosses",
    ],
    [
      "trips.purpose:count",
      "[group_by]=purpose",
      "QUERY_INVALID deep[trips][group_by]: Two results have one name",
    ],
    [
      "trips.count",
      "[group_by]=purpose&deep[trips][having][id][_gt]=1",
      "FIELD_UNKNOWN deep[trips][having][id]",
    ],
    [
      "trips.count",
      "[group_by]=purpose&deep[trips][order_by]=id",
      "FIELD_UNKNOWN deep[trips][order_by]",
    ],
    [
      "trips.count",
      "[group_by]=purpose&deep[trips][cursor]=true",
      "QUERY_INVALID deep[trips][cursor]: Numbers",
    ],
    [
      "trips.count",
      "[having][count][_gt]=1",
      "QUERY_INVALID deep[trips]: Numbers of related rows take only a where",
    ],
    [
      "trips.count",
      "[offset]=1",
      "QUERY_INVALID deep[trips]: Numbers of related rows take only a where",
    ],
    ["trips.count", "[cursor]=true", "QUERY_INVALID deep[trips][cursor]: Numbers"],
    [
      "trips.id",
      "[group_by]=purpose",
      "QUERY_INVALID deep[trips][group_by]: This requires numbers",
    ],
    [
      "trips.id",
      "[having][count][_gt]=1",
      "QUERY_INVALID deep[trips][having]: This requires numbers",
    ],
    ["trips.id", "[offset]=-1", "QUERY_INVALID deep[trips][offset]"],
    [
      "trips.count",
      "[group_by]=f(x)",
      "QUERY_INVALID deep[trips][group_by]: f(x) is not understood",
    ],
    ["trips.id", "[order_by]=secret", "FIELD_UNKNOWN deep[trips][order_by]: Unknown field secret"],
  ])("fields=%s&deep[trips]%s is refused", async (fields, deep, message) => {
    expect(await ask("vehicles", `fields=${fields}&deep[trips]${deep}`)).toContain(
      `400 ${message}`,
    );
  });

  it("the body of a query takes the same members, and its faults name them", () => {
    const target = { schema: "public", name: "vehicles", kind: "TABLE" } as const;
    const parse = (deep: unknown) =>
      parseQueryBody({ target, query: "", data: { fields: ["trips.count"], deep } }, limits, {
        etags: false,
      });
    const options = { offset: 2, group_by: ["purpose"], having: { count: { _gt: 1 } } };
    expect(parse({ trips: options })).toMatchObject({
      deep: new Map([["trips", { offset: 2, isPaged: false, groups: [{ field: "purpose" }] }]]),
    });
    expect(parse({ trips: { cursor: true } })).toMatchObject({
      deep: new Map([["trips", { isPaged: true, cursor: null }]]),
    });
    const faultOf = (deep: unknown) => {
      try {
        return parse(deep);
      } catch (error) {
        return error instanceof AppError ? inBody(error).faults[0]?.path : error;
      }
    };
    expect(faultOf({ trips: { cursor: 1 } })).toBe("/data/deep/trips/cursor");
    expect(faultOf(parseExactJson("12345678901234567890"))).toBe("/data/deep");
    expect(faultOf({ trips: parseExactJson("12345678901234567890") })).toBe("/data/deep/trips");
    expect(faultOf({ trips: { cursor: "x", offset: 1 } })).toBe("/data/deep/trips/offset");
    expect(faultOf({ trips: { group_by: ["f(x)"] } })).toBe("/data/deep/trips/group_by");
    expect(faultOf({ trips: { having: { count: { _more: 1 } } } })).toBe(
      "/data/deep/trips/having/count/_more",
    );
  });
});

describe("orders of related rows by numbers of their own", () => {
  it("sort each list, also with a cursor", async () => {
    const query = "fields=vehicles.id&deep[vehicles][order_by]=-trips.max(id)";
    expect(await ask("drivers", `${query}&order_by=id`)).toEqual([
      { vehicles: [{ id: 1 }, { id: 2 }] },
      { vehicles: [{ id: 3 }] },
    ]);
    const ascending = "fields=vehicles.id&deep[vehicles][order_by]=trips.count,-id";
    expect(await read("drivers", "1", ascending)).toEqual({ vehicles: [{ id: 2 }, { id: 1 }] });
    const paged = `${query}&deep[vehicles][limit]=1&deep[vehicles][cursor]=`;
    const first = (await read("drivers", "1", `${paged}true`)) as { vehicles: Paged };
    expect(await read("drivers", "1", `${paged}${first.vehicles.nextCursor}`)).toMatchObject({
      vehicles: { data: [{ id: 2 }] },
    });
  });

  it("refuse what is hidden or missing alike", async () => {
    for (const name of ["secret", "nothing"]) {
      expect(
        await ask("drivers", `fields=vehicles.id&deep[vehicles][order_by]=-trips.max(${name})`),
      ).toBe(`400 FIELD_UNKNOWN deep[vehicles][order_by]: Unknown field trips.max(${name})`);
    }
  });
});
