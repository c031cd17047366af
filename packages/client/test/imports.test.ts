import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, type Fetch } from "../src/index.ts";
import { failureOf, type Garage, type Resources, startGarage } from "./environment.ts";

let garage: Garage;
let sent: { readonly method: string; readonly url: string; readonly key: string | null }[] = [];
let lost = 0;
const watched: Fetch = async (url, init) => {
  const key = new Headers(init.headers).get("idempotency-key");
  sent.push({ method: init.method ?? "GET", url, key });
  const response = await fetch(url, init);
  lost -= 1;
  if (lost >= 0) throw new TypeError("lost");
  return response;
};
const client = () =>
  createClient<Resources>({ url: garage.environment.url, token: garage.token, fetch: watched });
const owners = () => client().from("garage.owners");

beforeAll(async () => {
  garage = await startGarage();
});
afterAll(() => garage.environment.stop());
beforeEach(async () => {
  sent = [];
  lost = 0;
  await garage.environment.test.database.query("delete from garage.owners where id >= 1000");
});
const imported = async () =>
  (await owners().list({ where: { id: { _gte: 1000 } }, orderBy: "id" })).rows;

describe("an import", () => {
  it("sends a text, a Blob, a stream, a list and an async iterable", async () => {
    const csv = (id: number) => `id,name\n${id},N${id}\n`;
    async function* rows() {
      yield { id: 1004, name: "N1004" };
      yield { id: 1005, name: "N1005", city: "Oslo" };
    }
    await owners().import(csv(1000));
    await owners().import(new Blob([csv(1001)]));
    await owners().import(new Blob([csv(1002)]).stream());
    await owners().import([{ id: 1003, name: "N1003" }]);
    expect(await owners().import(rows())).toEqual({ inserted: 2, updated: 0, skipped: 0 });
    await owners().import('{"id":1006,"name":"N1006"}', { format: "ndjson" });
    expect((await imported()).map(({ id, name }) => [id, name])).toEqual(
      [1000, 1001, 1002, 1003, 1004, 1005, 1006].map((id) => [id, `N${id}`]),
    );
  });

  it("merges, skips, and rolls a dry run back", async () => {
    const file = "id,name\n1000,A\n1001,B\n";
    await owners().import("id,name\n1000,Z\n");
    const onConflict = ["id"] as const;
    const merge = { onConflict, dryRun: true };
    expect(await owners().import(file, merge)).toEqual({ inserted: 1, updated: 1, skipped: 0 });
    expect(await owners().import(file, { onConflict, resolution: "ignore" })).toEqual({
      ...{ inserted: 1, updated: 0, skipped: 1 },
    });
    expect((await imported()).map(({ name }) => name)).toEqual(["Z", "B"]);
  });

  it("is repeated with one key after a lost response if its file can be sent again", async () => {
    lost = 2;
    expect(await owners().import("id,name\n1000,A\n")).toMatchObject({ inserted: 1 });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent).toHaveLength(3);
    lost = 1;
    sent = [];
    const stream = new Blob(["id,name\n1001,A\n"]).stream();
    expect(await failureOf(owners().import(stream))).toMatchObject({ code: "NETWORK_ERROR" });
    expect(sent).toHaveLength(1);
  });

  it("throws the faults with their lines, and the reason of its signal", async () => {
    expect(await failureOf(owners().import("id,name\n1000,A\nx,B\n"))).toMatchObject({
      status: 400,
      faults: [{ code: "VALUE_INVALID", path: "/1/id", details: { line: 3, column: "id" } }],
    });
    const leave = new AbortController();
    async function* endless() {
      for (let id = 1000; ; id += 1) {
        if (id === 1100) leave.abort(new Error("enough"));
        yield { id, name: "x".repeat(10_000) };
      }
    }
    await expect(owners().import(endless(), { signal: leave.signal })).rejects.toThrow("enough");
    await expect.poll(imported).toEqual([]);
  });
});

describe("a list with a long filter", () => {
  it("is sent in a body, with the same rows and pages", async () => {
    const ids = Array.from({ length: 900 }, (_, index) => 1_000_000_000 + index);
    const cars = client().from("garage.cars");
    const options = {
      fields: ["id", "owner.name", "services.done_on"],
      orderBy: ["-owner.name", "id"],
      limit: 3,
      deep: { services: { limit: 1, orderBy: "-number" } },
    } as const;
    const long = await cars.list({ ...options, where: { id: { _nin: ids } } });
    const short = await cars.list(options);
    expect(sent.map(({ method, url }) => [method, url.endsWith("/query")])).toEqual([
      ["POST", true],
      ["GET", false],
    ]);
    expect(long.rows).toEqual(short.rows);
    expect((await long.next())?.rows).toEqual((await short.next())?.rows);
    expect((await cars.query(options)).rows).toEqual(short.rows);
    const counts = await cars.aggregate({ aggregate: ["count"], where: { id: { _nin: ids } } });
    expect(counts.rows).toEqual([{ count: 120 }]);
    const file = await cars.export("csv", { fields: ["id"], where: { id: { _nin: ids } } });
    expect((await file.text()).split("\r\n")).toHaveLength(122);
  });
});
