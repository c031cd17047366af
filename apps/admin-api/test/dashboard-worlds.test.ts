// Tiers: all, long. Compares two installations; three times as many cases in a long run.
import { createUser, expose, isLongRun, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BoardCase, createBoardCases } from "./board-cases.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Two installations that differ only in what their readers may not see: values and names of a hidden column, hidden rows of
// the same table, and a hidden table. The open dashboards must be the same, byte for byte.

interface World {
  readonly api: TestEnvironment;
  readonly readers: Readonly<Record<string, TestUser>>;
  readonly resources: Readonly<Record<string, string>>;
  readonly roleIds: readonly string[];
  /** The name of the hidden column and of the hidden table. */
  readonly secret: string;
}

let worlds: readonly [World, World];

async function openWorld(secret: string, seed: number): Promise<World> {
  const api = await openTestEnvironment();
  const { database } = api.test;
  const run = (sql: string) => database.query<Record<string, string>>(sql);
  await run(`create schema rental;
    create table rental.bookings (id int primary key, branch text not null, channel text, state text not null, owner_id uuid,
      price numeric(12, 2), starts timestamptz, day date, ${secret} numeric);
    create table rental.${secret}s (id int primary key, day date);
    insert into rental.bookings select n, 'Oslo', (array['web', 'phone', null])[1 + n % 3], (array['NEW', 'OUT', 'BACK'])[1 + n % 3], null,
      case when n % 2 = 0 then n * 10.01 else n * ${seed} end, timestamptz '2026-03-27 08:00+00' + n * interval '3 hours',
      date '2026-03-27' + n, n * ${seed} from generate_series(1, 40) n;
    insert into rental.bookings select n, 'Rome', 'hidden ' || n * ${seed}, 'LOST', gen_random_uuid(), n * ${seed},
      timestamptz '2026-02-27 08:00+00' + n * interval '5 hours', date '2025-03-27' + n, n from generate_series(101, 100 + 10 * ${seed}) n;
    insert into rental.${secret}s select n, current_date from generate_series(1, ${seed}) n;`);
  await run("insert into system.roles (name) values ('Desk'), ('Half'), ('Office')");
  const readers = {
    desk: await createUser(database, "desk@example.com", "Desk"),
    half: await createUser(database, "half@example.com", "Half"),
    both: await createUser(database, "both@example.com", "Desk", "Half"),
    office: await createUser(database, "office@example.com", "Office"),
  };
  const idsOf = async (sql: string) =>
    Object.fromEntries((await run(sql)).map(({ name, id }) => [name ?? "", id ?? ""]));
  await expose(database, "rental", "bookings", "GET");
  await expose(database, "rental", `${secret}s`, "GET");
  const roles = await idsOf("select name, id from system.roles");
  const resources = await idsOf(
    "select relation_name as name, id from system.resources where schema_name = 'rental'",
  );
  const grant = async (role: string, resource: string, terms: object = {}) => {
    const data = { roleId: roles[role], resourceId: resources[resource], action: "READ", ...terms };
    expect((await api.ask("POST", "/grants", data)).faults).toEqual([]);
  };
  const oslo = { branch: { _eq: "Oslo" } };
  const plain = ["id", "branch", "channel", "state", "owner_id", "starts", "day"];
  await grant("Desk", "bookings", { fields: plain, rowFilter: oslo });
  // The price is visible in rows with an even number only, which have the same price in both worlds.
  const even = Array.from({ length: 20 }, (_, index) => (index + 1) * 2);
  await grant("Half", "bookings", {
    fields: ["id", "state", "price", "day"],
    rowFilter: { _and: [oslo, { id: { _in: even } }] },
  });
  await grant("Office", "bookings");
  await grant("Office", `${secret}s`);
  const roleIds = [roles.Desk ?? "", roles.Half ?? "", roles.Office ?? ""];
  return { api, readers, resources, roleIds, secret };
}

beforeAll(async () => {
  worlds = [await openWorld("secret", 3), await openWorld("canary", 7)];
});
afterAll(async () => {
  for (const { api } of worlds) await api.test.drop();
});

/** Writes a case with the names and the ids of a world. */
function inWorld<Part>(part: Part, { secret, resources }: World): Part {
  const text = JSON.stringify(part)
    .replaceAll("BOOKINGS", resources.bookings ?? "")
    .replaceAll("SECRETS", resources[`${secret}s`] ?? "")
    .replaceAll("HIDDEN", secret);
  return JSON.parse(text) as Part;
}

async function save(world: World, { board }: BoardCase) {
  return world.api.ask("POST", "/dashboards", { ...inWorld(board, world), roleIds: world.roleIds });
}

async function ask(world: World, id: string, reader: string, path: string): Promise<string> {
  const user = world.readers[reader];
  const answer = await world.api.fetchRaw(`/app/api/dashboards/${id}${inWorld(path, world)}`, {
    headers: { Authorization: `Bearer ${user?.secret}`, "X-Service-Timezone": "Europe/Berlin" },
  });
  const text = (await answer.text())
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "id")
    .replaceAll(/"asOf":"[^"]*"/g, '"asOf":""')
    .replaceAll(/"nextCursor":"[^"]*"/g, '"nextCursor":""');
  // What the reader wrote themselves may stand in an error.
  return `${answer.status} ${text.replaceAll(world.secret, "HIDDEN")}`;
}

describe("two worlds that differ only in what the reader may not see", () => {
  it("give byte-equal open dashboards, choices and rows for generated dashboards, parameters and readers", {
    timeout: 600_000,
  }, async () => {
    const seen = { requests: 0, rows: 0, denied: 0, faults: 0, filled: 0, figures: 0, choices: 0 };
    const [one, other] = worlds;
    for (const item of createBoardCases(20_262, isLongRun() ? 150 : 50)) {
      const saved = [await save(one, item), await save(other, item)];
      expect(saved[1]?.status, JSON.stringify(item.board)).toBe(saved[0]?.status);
      if (saved[0]?.status !== 201) continue;
      const ids = saved.map(({ body }) => body.data.id as string);
      for (const { reader, path } of item.requests) {
        const [first, second] = [
          await ask(one, ids[0] ?? "", reader, path),
          await ask(other, ids[1] ?? "", reader, path),
        ];
        expect(second, `${JSON.stringify(item.board)} ${reader} ${decodeURIComponent(path)}`).toBe(
          first,
        );
        expect(first).not.toMatch(/Rome|hidden|LOST/);
        seen.requests += 1;
        if (first.includes('"rows":[{')) seen.rows += 1;
        if (first.includes("ACTION_DENIED")) seen.denied += 1;
        if (first.startsWith("400")) seen.faults += 1;
        if (first.includes('"filled":true')) seen.filled += 1;
        if (first.includes('"figure":{')) seen.figures += 1;
        if (first.includes('"label":"web"}')) seen.choices += 1;
      }
    }
    // The generator reaches every kind of answer.
    expect(seen.requests).toBeGreaterThan(isLongRun() ? 1000 : 333);
    for (const [kind, count] of Object.entries(seen)) {
      expect(count, `${kind} ${JSON.stringify(seen)}`).toBeGreaterThan(isLongRun() ? 10 : 0);
    }
  });

  it("differ for a reader who may see all", async () => {
    const [one, other] = worlds;
    const panel = { kind: "FIGURE", resourceId: "BOOKINGS", definition: { aggregate: ["count"] } };
    const whole = { board: { name: "All", panels: [{ id: "all", ...panel }] }, requests: [] };
    const ids = [await save(one, whole), await save(other, whole)].map(
      ({ body }) => body.data.id as string,
    );
    expect(await ask(one, ids[0] ?? "", "office", "")).not.toBe(
      await ask(other, ids[1] ?? "", "office", ""),
    );
  });
});
