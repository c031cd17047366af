import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, ExactNumber, RowhouseError } from "../src/index.ts";
import { failureOf, type Garage, type Resources, startGarage } from "./environment.ts";

let garage: Garage;
const typed = () => createClient<Resources>({ url: garage.environment.url, token: garage.token });
beforeAll(async () => {
  garage = await startGarage();
});
afterAll(() => garage.environment.stop());

describe("a list", () => {
  it("returns fields, related rows, meta and the number of all rows", async () => {
    const cars = typed().from("garage.cars");
    const page = await cars.list({
      fields: ["id", "owner.name", "services.done_on"],
      where: { id: { _lte: 2 }, owner: { name: { _in: ["Ada", "Grace"] } } },
      orderBy: ["-owner.name", "id"],
      count: "exact",
      limit: 1,
    });
    expect(page.rows).toEqual([
      { id: "1", owner: { name: "Grace" }, services: [{ done_on: "2026-01-01" }] },
    ]);
    expect(page.meta.count).toBe(2);
    expect((await page.next())?.rows.map(({ id }) => id)).toEqual(["2"]);
  });

  it("yields the rows of all pages by cursor", async () => {
    const plates: string[] = [];
    for await (const { plate } of await typed()
      .from("garage.cars")
      .list({ fields: ["plate"], orderBy: "-plate", limit: 50, offset: 10 })) {
      plates.push(plate);
    }
    expect(plates).toHaveLength(110);
    expect(plates).toEqual([...new Set(plates)].sort().reverse());
  });

  it("yields all rows of a view by offset if it has an order", async () => {
    const prices = typed().from("garage.prices", "view");
    const plates: (string | null)[] = [];
    for await (const { plate } of await prices.list({ orderBy: "plate", limit: 50 })) {
      plates.push(plate);
    }
    expect(new Set(plates).size).toBe(120);
  });

  it("throws instead of omitting rows that have neither key nor order", async () => {
    const log = garage.client().from("garage.log");
    const read = async () => {
      for await (const row of await log.list()) expect(row.line).toMatch(/^line/);
    };
    expect(await failureOf(read())).toMatchObject({ code: "NO_CURSOR" });
    const exact: unknown[] = [];
    for await (const row of await log.list({ limit: 60 })) exact.push(row);
    expect(exact).toHaveLength(60);
  });

  it("ends at a page without a cursor, even if a row is inserted after it", async () => {
    const { database } = garage.environment.test;
    const page = await garage.client().from("garage.services").list();
    await database.query("insert into garage.services values (4, 1, '2026-01-01')");
    expect(await page.next()).toBe(null);
    await database.query("delete from garage.services where car_id = 4");
  });

  it("selects the rows of a to-many relation by deep", async () => {
    const { rows } = await typed()
      .from("garage.owners")
      .list({
        fields: ["name", "cars.plate"],
        deep: { cars: { limit: 1, orderBy: "-plate", where: { plate: { _starts_with: "P-00" } } } },
        orderBy: "id",
      });
    expect(rows.map(({ cars }) => cars)).toEqual([[{ plate: "P-0098" }], [{ plate: "P-0099" }]]);
  });

  it("returns numbers of related rows with their types", async () => {
    const { rows } = await typed()
      .from("garage.owners")
      .list({ fields: ["name", "cars.count", "cars.sum(price)"], orderBy: "id", limit: 1 });
    const [first] = rows;
    const count: number | undefined = first?.cars.count;
    expect(count).toBeGreaterThan(0);
    expect(Object.keys(first?.cars ?? {})).toEqual(["count", "sum_price"]);
    // @ts-expect-error: not requested
    expect(first?.cars.avg_price).toBeUndefined();
  });

  it("returns members by their aliases, pages of related rows, and groups, with their types", async () => {
    const owners = typed().from("garage.owners");
    const { rows } = await owners.list({
      fields: ["called:name", "old:cars.plate", "old:cars.id", "cars.n:count", "kinds:cars.count"],
      deep: {
        old: { limit: 1, orderBy: "id", cursor: true },
        kinds: { groupBy: ["seats"], having: { count: { _gt: 0 } }, limit: 1 },
      },
      orderBy: "id",
      limit: 1,
    });
    const [first] = rows;
    const called: string | undefined = first?.called;
    expect(called).toBe("Ada");
    const n: number | undefined = first?.cars.n;
    expect(n).toBeGreaterThan(1);
    const count: number | undefined = first?.kinds[0]?.count;
    expect(count).toBeGreaterThan(0);
    expect(Object.keys(first?.kinds[0] ?? {})).toEqual(["seats", "count"]);
    const plate: string | undefined = first?.old.data[0]?.plate;
    expect(plate).toMatch(/^P-/);
    // @ts-expect-error: the alias takes the place of the name
    expect(first?.name).toBeUndefined();
    const cursor = first?.old.nextCursor ?? "";
    for (const read of [owners.list.bind(owners), owners.query.bind(owners)]) {
      const next = await read({
        fields: ["old:cars.plate"],
        deep: { old: { limit: 1, orderBy: "id", cursor } },
        where: { name: { _eq: "Ada" } },
      });
      expect(next.rows[0]?.old.data).toHaveLength(1);
      expect(next.rows[0]?.old.data[0]?.plate).not.toBe(plate);
    }
    // @ts-expect-error: no such field of the related rows
    await expect(owners.list({ fields: ["old:cars.nothing"] })).rejects.toThrow();
  });

  it("returns the tags of its rows, by which they are updated", async () => {
    const owners = typed().from("garage.owners");
    const page = await owners.list({ where: { id: { _lt: 3 } }, limit: 1, etags: true });
    const next = await page.next();
    expect(next?.meta.etags).toHaveLength(1);
    const ifMatch = next?.meta.etags?.[0] ?? "";
    const changed = await owners.update(2, { city: "Bergen" }, { ifMatch });
    expect(changed.row).toMatchObject({ city: "Bergen" });
    await owners.update(2, { city: null });
  });

  it("searches", async () => {
    const { rows } = await garage.client().from("garage.owners").list({ search: "GRACE" });
    expect(rows).toEqual([{ id: 2, name: "Grace", city: null }]);
  });
});

describe("one row", () => {
  it("is created, read with its tag, updated by the tag, and deleted", async () => {
    const cars = typed().from("garage.cars");
    const { row } = await cars.create({ plate: "ONE", price: "1.10" });
    expect(row).toMatchObject({ plate: "ONE", price: "1.10", seats: 4 });
    const id = row?.id ?? "";
    const read = await cars.get(id, { fields: ["price"] });
    expect(read.row).toEqual({ price: "1.10" });
    const { etag = "" } = await cars.get(id);
    expect(await cars.update(id, { seats: 5 }, { ifMatch: etag })).toMatchObject({
      row: { seats: 5 },
    });
    const stale = await failureOf(cars.update(id, { seats: 6 }, { ifMatch: etag }));
    const unread = await cars.get(id, { fields: ["seats"], ifNoneMatch: etag });
    expect(unread).toMatchObject({ notModified: false, row: { seats: 5 } });
    const again = await cars.get(id, { fields: ["seats"], ifNoneMatch: unread.etag });
    expect(again).toEqual({ notModified: true, etag: unread.etag });
    expect(stale).toBeInstanceOf(RowhouseError);
    expect(stale).toMatchObject({ code: "PRECONDITION_FAILED", status: 412, method: "PATCH" });
    expect(await cars.update(id, { seats: 2 }, { returning: "minimal" })).toEqual({ row: null });
    expect(await cars.remove(id)).toBeUndefined();
    expect(await failureOf(cars.get(id))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failureOf(cars.remove(id))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("has a composite key in the key's order", async () => {
    const { row } = await typed()
      .from("garage.services")
      .get([2n, 1], { fields: ["car.plate"] });
    expect(row).toEqual({ car: { plate: "P-0002" } });
  });
});

describe("several rows", () => {
  it("are created at once, in the order of the request", async () => {
    const { rows } = await typed()
      .from("garage.owners")
      .create([
        { id: 10, name: "Ten" },
        { id: 11, name: "Eleven" },
      ]);
    expect(rows.map(({ id }) => id)).toEqual([10, 11]);
  });

  it("report each fault by its pointer", async () => {
    const error = await failureOf(
      garage
        .client()
        .from("garage.cars")
        .create([{ plate: "X" }, { plate: 1, seats: "many" }]),
    );
    if (!(error instanceof RowhouseError)) throw error;
    expect([...error.faultsByPath.keys()]).toContain("/data/1/seats");
    expect(error.requestId).toMatch(/\S/);
  });

  it("are updated or skipped if their key exists", async () => {
    const cars = typed().from("garage.cars");
    await cars.upsert({ plate: "UP", seats: 1 }, { onConflict: ["plate"] });
    const { row } = await cars.upsert({ plate: "UP", seats: 2 }, { onConflict: ["plate"] });
    expect(row?.seats).toBe(2);
    const skipped = await cars.create([{ plate: "UP", seats: 3 }], {
      onConflict: ["plate"],
      resolution: "ignore",
    });
    expect(skipped.rows).toEqual([]);
  });

  it("are changed and deleted by a filter, up to a number of rows", async () => {
    const cars = typed().from("garage.cars");
    await cars.create([{ plate: "M-1" }, { plate: "M-2" }]);
    const where = { plate: { _starts_with: "M-" } };
    const refused = cars.updateMany({ where, maxAffected: 1 }, { seats: 7 });
    expect(await failureOf(refused)).toMatchObject({ code: "CONFLICT" });
    const changed = await cars.updateMany({ where, maxAffected: 2 }, { seats: 7 });
    expect(changed).toMatchObject({ count: 2, rows: [{ seats: 7 }, { seats: 7 }] });
    const first = { where: { plate: { _eq: "M-1" } }, maxAffected: 1 };
    const returning = "representation";
    const removed = await cars.removeMany(first, { returning });
    expect(removed).toMatchObject({ count: 1, rows: [{ plate: "M-1", seats: 7 }] });
    const { row } = await cars.create({ plate: "M-3" });
    expect(await cars.remove(row?.id ?? "", { returning })).toEqual({ row });
    await cars.removeMany({ where, maxAffected: 2 });
    expect((await cars.list({ where, limit: 0, count: "exact" })).meta.count).toBe(0);
  });
});

describe("the history of a row", () => {
  it("is read page by page", async () => {
    const { database, service } = garage.environment.test;
    const ofServices = "from system.resources where relation_name = 'services'";
    await database.query(
      "update system.resources set history = true where relation_name = 'services'",
    );
    await service.query(`select system.sync_event_triggers(id) ${ofServices}`);
    const services = garage.client().from("garage.services");
    for (const done_on of ["2026-02-01", "2026-03-01"]) {
      await services.update(["2", 1], { done_on });
    }
    const first = await services.history(["2", 1], { limit: 1 });
    expect(first.entries).toMatchObject([
      { action: "UPDATE", changes: [{ field: "done_on", old: "2026-02-01", new: "2026-03-01" }] },
    ]);
    const next = await services.history(["2", 1], { cursor: first.nextCursor ?? "" });
    expect([next.entries.length, next.nextCursor]).toEqual([1, null]);
  });
});

describe("a list that is read again", () => {
  it("has no rows while it has not changed, and the current ones after a change", async () => {
    const owners = typed().from("garage.owners");
    const options = { where: { id: { _lt: 3 } }, limit: 1, orderBy: "id" } as const;
    const plain = await owners.list(options);
    expect([plain.etag, plain.notModified]).toEqual([undefined, false]);
    const first = await owners.list({ ...options, ifNoneMatch: null });
    expect([first.notModified, first.rows]).toEqual([false, plain.rows]);
    const same = await owners.list({ ...options, ifNoneMatch: first.etag });
    expect([same.notModified, same.rows, same.etag, await same.next()]).toEqual([
      ...[true, [], first.etag, null],
    ]);
    const { row } = await owners.get(1);
    const { etag = "" } = await owners.update(1, { name: "Another" });
    const changed = await owners.list({ ...options, ifNoneMatch: first.etag });
    expect([changed.notModified, changed.rows[0]?.name]).toEqual([false, "Another"]);
    expect((await changed.next())?.rows).toHaveLength(1);
    await owners.update(1, { name: row.name }, { ifMatch: etag });
  });
});

describe("aggregates", () => {
  it("are named as the service names them", async () => {
    const { rows } = await typed()
      .from("garage.cars")
      .aggregate({
        aggregate: ["count", "sum(price)"],
        groupBy: ["owner.name"],
        where: { id: { _lte: 4 } },
        having: { count: { _gt: 1 } },
        orderBy: "-sum_price",
      });
    expect(rows).toEqual([
      { "owner.name": "Ada", count: 2, sum_price: "6.00" },
      { "owner.name": "Grace", count: 2, sum_price: "4.00" },
    ]);
  });

  it("have the types of their fields, also as numbers of related rows", async () => {
    const cars = typed().from("garage.cars");
    const { rows } = await cars.aggregate({
      aggregate: ["count", "avg(price)", "max(seats)", "sum(seats)", "min(plate)"],
      where: { id: { _lte: 4 } },
    });
    const [all] = rows;
    const exact: string | null | undefined = all?.avg_price;
    const seats: number | null | undefined = all?.max_seats;
    const plate: string | null | undefined = all?.min_plate;
    const sum: string | number | null | undefined = all?.sum_seats;
    expect([exact, seats, plate, sum]).toEqual(["2.5000000000000000", 4, "P-0001", "16"]);
    // @ts-expect-error: the sum of integers may be a text
    all?.sum_seats satisfies number | null | undefined;
    const owners = await typed()
      .from("garage.owners")
      .list({
        fields: ["id", "cars.max(plate)", "cars.sum(price*seats):worth", "few:cars.min(seats)"],
        deep: { few: { where: { seats: { _gt: 1 } } } },
        orderBy: ["-cars.sum(price)"],
        where: { cars: { _count: { _gte: 3, _where: { seats: { _lt: 9 } } } } },
      });
    const first = owners.rows[0];
    const last: string | null | undefined = first?.cars.max_plate;
    const worth: string | number | null | undefined = first?.cars.worth;
    const few: number | null | undefined = first?.few.min_seats;
    expect([last, worth, few]).toEqual(["P-0120", "14640.00", 4]);
  });

  it("of parts of dates and of values inside documents have their names", async () => {
    const { rows } = await typed()
      .from("garage.services")
      .aggregate({
        aggregate: ["count"],
        groupBy: ["date_part(quarter,done_on)"],
        where: { done_on: { _part: { month: { _in: [1, 2] } } }, car_id: { _lt: "9" } },
      });
    const quarter: number | null | undefined = rows[0]?.done_on_part_quarter;
    expect(quarter).toBe(1);
    const months = await typed()
      .from("garage.services")
      .aggregate({
        aggregate: ["count"],
        groupBy: ["date_trunc(month,done_on)"],
        labels: "local",
        where: { done_on: { _eq: "$PERIOD.2026-01" } },
      });
    expect(months.rows).toEqual([{ done_on_month: "2026-01", count: expect.any(Number) }]);
    const cars = typed().from("garage.cars");
    await cars.update(1, { notes: { color: "red" } });
    await cars.update(1, { notes: { $set: { "engine.kw": 90 } } });
    const found = await cars.list({
      fields: ["notes.engine.kw", "owner.name", "id"],
      where: {
        notes: { _path: { color: { _eq: "red" } } },
        price: { _lte: "$FIELD.seats" },
        plate: { _search: { text: "p", config: "simple", mode: "prefix" } },
      },
      orderBy: ["-_rank", "-notes.engine.kw"],
    });
    expect(found.rows).toEqual([
      { notes: { engine: { kw: 90 } }, owner: { name: "Grace" }, id: "1" },
    ]);
    await cars.update(1, { notes: null });
  });

  it("of an expression have the name that it is given", async () => {
    const { rows } = await typed()
      .from("garage.cars")
      .aggregate({
        aggregate: ["sum(price*(1+0.25)):gross", "min(price):least"],
        where: { id: { _lte: 4 } },
      });
    expect(rows.map(({ gross, least }) => [gross, typeof least])).toEqual([["12.5000", "string"]]);
  });
});

describe("an export", () => {
  it("is a CSV file", async () => {
    const file = await typed()
      .from("garage.owners")
      .export("csv", { fields: ["id", "name"], where: { id: { _lt: 3 } }, orderBy: "id" });
    expect(await file.text()).toBe("id,name\r\n1,Ada\r\n2,Grace\r\n");
  });

  it("yields rows as they arrive, and ends if the loop is left", async () => {
    const cars = typed().from("garage.cars");
    const where = { plate: { _starts_with: "P-" } };
    const all: string[] = [];
    for await (const { plate } of (
      await cars.export("ndjson", { fields: ["plate"], where })
    ).rows()) {
      all.push(plate);
    }
    expect(all).toHaveLength(120);
    for (let time = 0; time < 5; time += 1) {
      for await (const row of (await cars.export("ndjson")).rows()) {
        expect(row.id).toMatch(/^\d+$/);
        break;
      }
    }
  });

  it("reports an error of the request before the file begins", async () => {
    const started = garage
      .client()
      .from("garage.cars")
      .export("csv", { fields: ["nothing"] });
    expect(await failureOf(started)).toMatchObject({ code: "FIELD_UNKNOWN" });
  });
});

describe("digits", () => {
  it("of bigint, numeric and documents are exact in both directions", async () => {
    const cars = typed().from("garage.cars");
    const notes = { big: new ExactNumber("9007199254740993.10"), small: 1.5, whole: 12n ** 20n };
    const { row } = await cars.create({ plate: "DIGITS", price: "9999999999.99", notes });
    expect(row).toMatchObject({
      price: "9999999999.99",
      notes: {
        big: { text: "9007199254740993.10" },
        small: 1.5,
        whole: { text: String(12n ** 20n) },
      },
    });
    const again = await cars.update(row?.id ?? "", { notes: row?.notes });
    const [stored] = await garage.environment.test.database.query<{ notes: string }>(
      "select notes::text from garage.cars where plate = 'DIGITS'",
    );
    expect(stored?.notes).toContain('"big": 9007199254740993.10');
    expect(again.row?.notes).toEqual(row?.notes);
    const found = await cars.list({ where: { notes: { _path: { whole: { _eq: 12n ** 20n } } } } });
    expect(found.rows).toHaveLength(1);
  });
});
