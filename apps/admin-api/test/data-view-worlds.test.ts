// Tiers: all, long. Compares two installations; three times as many cases in a long run.
import { createUser, expose, isLongRun, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";
import { createViewCases, type ViewCase } from "./view-cases.ts";

// Two installations that differ only in what their readers may not see: values and names of hidden columns, hidden rows of
// the same tables, and hidden tables. The answers of the App API must be the same, byte for byte.

interface World {
  readonly api: TestEnvironment;
  readonly readers: Readonly<Record<string, TestUser>>;
  readonly resources: Readonly<Record<string, string>>;
  readonly roleIds: readonly string[];
  /** The name of the hidden column. */
  readonly secret: string;
}

let worlds: readonly [World, World];

/** What differs between the worlds. */
interface Difference {
  readonly secret: string;
  readonly rows: number;
  readonly seed: number;
}

async function openWorld({ secret, rows, seed }: Difference): Promise<World> {
  const api = await openTestEnvironment();
  const { database } = api.test;
  const run = (sql: string) => database.query<Record<string, string>>(sql);
  // The rows of Oslo are the same in both worlds, except for their hidden values; those of Rome are another world's.
  await run(`create schema rental;
    create type rental.state as enum ('NEW', 'OUT', 'BACK', 'LOST');
    create table rental.drivers (id int primary key, name text, active boolean not null, ${secret} text);
    create table rental.bookings (id int primary key, branch text not null, title text not null, state rental.state not null,
      paid boolean, driver_id int references rental.drivers (id), price numeric(12, 2), starts timestamptz, ends timestamptz,
      day date, place double precision, ${secret} numeric, note text);
    create table rental.${secret}s (id int primary key, booking_id int references rental.bookings (id));
    insert into rental.drivers select n, 'Driver ' || n, true, md5(n::text || '${seed}') from generate_series(1, 4) n;
    insert into rental.drivers select n, 'Hidden ' || n * ${seed}, false, 'x' from generate_series(5, 6) n;
    insert into rental.drivers select n, 'More ' || n, false, 'y' from generate_series(7, 6 + ${seed}) n;
    insert into rental.bookings select n, 'Oslo', 'Booking ' || n, (array['NEW', 'OUT', 'BACK']::rental.state[])[1 + n % 3],
      case n % 4 when 0 then true when 1 then false end, case when n % 5 = 0 then null else 1 + n % 6 end,
      case when n % 2 = 0 then n * 10.01 else n * ${seed} end, timestamptz '2026-03-27 08:00+00' + n * interval '7 hours',
      timestamptz '2026-03-27 10:00+00' + n * interval '9 hours', date '2026-03-27' + n, 20 - n, n * ${seed}, 'hidden ' || ${seed} * n
      from generate_series(1, 20) n;
    insert into rental.bookings select n, 'Rome', 'Rome ' || n * ${seed}, (array['LOST', 'OUT']::rental.state[])[1 + n % 2], true, 1 + n % 6,
      n * ${seed}, now(), now(), current_date, n, n, 'x' from generate_series(101, 100 + ${rows}) n;
    insert into rental.${secret}s select n, n from generate_series(1, ${seed}) n;`);
  await run("insert into system.roles (name) values ('Desk'), ('Half'), ('Office')");
  const readers = {
    desk: await createUser(database, "desk@example.com", "Desk"),
    half: await createUser(database, "half@example.com", "Half"),
    both: await createUser(database, "both@example.com", "Desk", "Half"),
    office: await createUser(database, "office@example.com", "Office"),
  };
  await expose(database, "rental", "bookings", "GET", "POST", "PATCH");
  await expose(database, "rental", "drivers", "GET");
  await expose(database, "rental", `${secret}s`, "GET");
  const roles = Object.fromEntries(
    (await run("select name, id from system.roles")).map(({ name, id }) => [name, id ?? ""]),
  );
  const resources = Object.fromEntries(
    (
      await run(
        "select relation_name as name, id from system.resources where schema_name = 'rental'",
      )
    ).map(({ name, id }) => [name, id ?? ""]),
  );
  const grant = async (role: string, resource: string, action: string, terms: object = {}) => {
    const data = { roleId: roles[role], resourceId: resources[resource], action, ...terms };
    expect((await api.ask("POST", "/grants", data)).faults).toEqual([]);
  };
  const oslo = { branch: { _eq: "Oslo" } };
  const plain = [
    "id",
    "branch",
    "title",
    "state",
    "paid",
    "driver_id",
    "starts",
    "ends",
    "day",
    "place",
  ];
  await grant("Desk", "bookings", "READ", { fields: plain, rowFilter: oslo });
  await grant("Desk", "bookings", "UPDATE", {
    fields: ["state", "place"],
    check: { state: { _nin: ["LOST"] } },
  });
  await grant("Desk", "bookings", "CREATE", {
    fields: ["id", "title", "state"],
    presets: { branch: "Oslo", note: "n" },
  });
  await grant("Desk", "drivers", "READ", {
    fields: ["id", "name"],
    rowFilter: { active: { _eq: true } },
  });
  // The price is visible in rows with an even number only, together with those of Desk.
  await grant("Half", "bookings", "READ", {
    fields: ["id", "title", "price", "day"],
    rowFilter: { _and: [oslo, { price: { _in: evenPrices } }] },
  });
  for (const resource of ["bookings", "drivers", `${secret}s`])
    await grant("Office", resource, "READ");
  return {
    api,
    readers,
    resources,
    roleIds: [roles.Desk ?? "", roles.Half ?? "", roles.Office ?? ""],
    secret,
  };
}

/** The prices of the rows with an even number, which are those of both worlds. */
const evenPrices = Array.from({ length: 10 }, (_, index) => ((index + 1) * 2 * 10.01).toFixed(2));

beforeAll(async () => {
  worlds = [
    await openWorld({ secret: "secret", rows: 5, seed: 3 }),
    await openWorld({ secret: "canary", rows: 40, seed: 7 }),
  ];
});
afterAll(async () => {
  for (const { api } of worlds) await api.test.drop();
});

/** Writes a case with the names of a world. */
function inWorld<Part>(part: Part, { secret }: World): Part {
  return JSON.parse(JSON.stringify(part).replaceAll("HIDDEN", secret)) as Part;
}

async function save(world: World, { view }: ViewCase) {
  const { resources, roleIds, api } = world;
  const data = { ...inWorld(view, world), resourceId: resources.bookings, roleIds };
  return api.ask("POST", "/data-views", data);
}

/** The response of a world, without what names one installation or one moment. */
async function ask(
  world: World,
  id: string,
  reader: string,
  query: string,
  file: boolean,
): Promise<string> {
  const user = world.readers[reader];
  const answer = await world.api.fetchRaw(`/app/api/data-views/${id}?${inWorld(query, world)}`, {
    headers: { Authorization: `Bearer ${user?.secret}`, ...(file ? { Accept: "text/csv" } : {}) },
  });
  const text = (await answer.text())
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id")
    .replace(/"asOf":"[^"]*"/, '"asOf":""')
    .replace(/"nextCursor":"[^"]*"/, '"nextCursor":""');
  // A reader who names the hidden column finds the name in the error; all others must not.
  const isNamed = query.includes("HIDDEN");
  return `${answer.status} ${isNamed ? text.replaceAll(world.secret, "HIDDEN") : text}`;
}

describe("two worlds that differ only in what the reader may not see", () => {
  it("give byte-equal answers for generated DataViews, parameters and readers", {
    timeout: 600_000,
  }, async () => {
    const seen = {
      requests: 0,
      rows: 0,
      groups: 0,
      degraded: 0,
      denied: 0,
      faults: 0,
      files: 0,
      summaries: 0,
    };
    const [one, other] = worlds;
    for (const item of createViewCases(20_261, isLongRun() ? 130 : 50)) {
      const saved = [await save(one, item), await save(other, item)];
      expect(saved.map(({ status }) => status)).toEqual([saved[0]?.status, saved[0]?.status]);
      if (saved[0]?.status !== 201) continue;
      const ids = saved.map(({ body }) => body.data.id as string);
      for (const [index, { reader, query, file }] of item.requests.entries()) {
        const [first, second] = [
          await ask(one, ids[0] ?? "", reader, query, file),
          await ask(other, ids[1] ?? "", reader, query, file),
        ];
        expect(
          second,
          `${JSON.stringify(item.view)} ${reader} ${decodeURIComponent(query)} ${index}`,
        ).toBe(first);
        seen.requests += 1;
        if (file && first.startsWith("200")) seen.files += 1;
        else if (first.startsWith("200")) seen.rows += first.includes('"rows":[{') ? 1 : 0;
        if (first.includes('"groups":[{')) seen.groups += 1;
        if (first.includes('"degraded":true')) seen.degraded += 1;
        if (first.includes('"summaries":{"')) seen.summaries += 1;
        if (first.startsWith("403")) seen.denied += 1;
        if (first.startsWith("400")) seen.faults += 1;
      }
    }
    // The generator reaches every kind of answer.
    expect(seen.requests).toBeGreaterThan(isLongRun() ? 900 : 333);
    for (const [kind, count] of Object.entries(seen))
      expect(count, `${kind} ${JSON.stringify(seen)}`).toBeGreaterThan(isLongRun() ? 10 : 0);
  });

  it("differ for a reader who may see all, and never name a hidden column to the others", async () => {
    const [one, other] = worlds;
    const whole: ViewCase = { view: { name: "All" }, requests: [] };
    const ids = [await save(one, whole), await save(other, whole)].map(
      ({ body }) => body.data.id as string,
    );
    expect(await ask(one, ids[0] ?? "", "office", "", false)).not.toBe(
      await ask(other, ids[1] ?? "", "office", "", false),
    );
    for (const reader of ["desk", "half", "both"]) {
      const text = await ask(one, ids[0] ?? "", reader, "", false);
      expect(text.startsWith("200")).toBe(true);
      expect(text).not.toMatch(/secret|hidden|Rome|More/);
    }
  });
});
