import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

// The compiler reads programs with generated types, and the tests compare the lines of its errors.

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(root, "packages/client/.compiled-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const resources = `
export interface Resources {
  "garage.cars": {
    Kind: "table";
    Row: { id: string; plate: string; price: string | null; seats: number; made_at: string; state: "NEW" | "SOLD"; owner_id: number | null; notes: unknown };
    New: { plate: string; price?: string | number | bigint | null | undefined; seats?: number | undefined; made_at?: string | undefined; notes?: unknown };
    Change: { plate?: string | undefined; price?: string | number | bigint | null | undefined; seats?: number | undefined };
    Exact: "id" | "price";
    Key: string | number | bigint;
    Relations: { owner: ["one", "garage.owners"] };
  };
  "garage.owners": {
    Kind: "table";
    Row: { id: number; name: string; city: string | null; boss_id: number | null };
    New: { id: number; name: string; city?: string | null | undefined };
    Change: { name?: string | undefined };
    Exact: never;
    Key: number;
    Relations: { cars: ["many", "garage.cars"]; boss: ["one", "garage.owners"] };
  };
  "garage.notes": {
    Kind: "table";
    Row: Record<never, never>;
    Written: { id: number };
    New: { text: string };
    Change: never;
    Exact: never;
    Key: number;
    Relations: Record<never, never>;
  };
}
`;

const head = `
import { createClient, ref } from "@rowhouse/client";
import type { Resources } from "./resources.ts";
const client = createClient<Resources>({ url: "http://service.invalid" });
const cars = client.from("garage.cars");
const owners = client.from("garage.owners");
`;

/** Each line uses a column or a relation that is renamed. */
const uses = `
void cars.list({ fields: ["id", "plate"] });
void cars.list({ fields: ["sign_of:plate"] });
void cars.list({ fields: ['"plate"'] });
void cars.list({ fields: ["owner.name"] });
void cars.list({ fields: ["owner.boss.name"] });
void owners.list({ fields: ["cars.plate"] });
void owners.list({ fields: ["old:cars.plate"] });
void owners.list({ fields: ["cars.max(plate)"] });
void owners.list({ fields: ["cars.most:max(plate)"] });
void owners.list({ fields: ["cars.sum(price*seats):worth"] });
void cars.list({ orderBy: "plate" });
void cars.list({ orderBy: "-plate" });
void cars.list({ orderBy: ["id", "plate:nulls_last"] });
void cars.list({ orderBy: '-"plate"' });
void cars.list({ orderBy: ["-owner.name:nulls_first"] });
void owners.list({ orderBy: ["-cars.sum(price)"] });
void owners.list({ orderBy: ["boss.cars.count"] });
void cars.list({ where: { plate: { _eq: "x" } } });
void cars.list({ where: { '"plate"': { _eq: "x" } } });
void cars.list({ where: { "owner.name": { _eq: "x" } } });
void cars.list({ where: { "owner.boss.name": { _eq: "x" } } });
void cars.list({ where: { owner: { name: { _eq: "x" } } } });
void cars.list({ where: { owner: { "boss.name": { _eq: "x" } } } });
void cars.list({ where: { _and: [{ seats: { _gt: 1 } }, { plate: { _eq: "x" } }] } });
void cars.list({ where: { _or: [{ "owner.name": { _eq: "x" } }] } });
void cars.list({ where: { _not: { "owner.name": { _eq: "x" } } } });
void owners.list({ where: { cars: { _some: { plate: { _eq: "x" } } } } });
void owners.list({ where: { cars: { _none: { "owner.name": { _eq: "x" } } } } });
void owners.list({ where: { cars: { _count: { _gt: 1, _where: { plate: { _eq: "x" } } } } } });
void owners.list({ deep: { cars: { limit: 1 } } });
void owners.list({ deep: { "boss.cars": { limit: 1 } } });
void owners.list({ fields: ["old:boss.id", "old:boss.cars.id"], deep: { "old.cars": { limit: 1 } } });
void owners.list({ fields: ["cars.id"], deep: { cars: { orderBy: "-plate" } } });
void owners.list({ fields: ["cars.id"], deep: { cars: { orderBy: ["id", "owner.name"] } } });
void owners.list({ fields: ["cars.id"], deep: { cars: { where: { plate: { _eq: "x" } } } } });
void owners.list({ fields: ["cars.id"], deep: { cars: { where: { "owner.name": { _eq: "x" } } } } });
void owners.list({ fields: ["cars.count"], deep: { cars: { groupBy: ["plate"] } } });
void owners.list({ fields: ["cars.count"], deep: { cars: { groupBy: ["date_trunc(month,made_at)"] } } });
void owners.list({ fields: ["cars.count"], deep: { cars: { groupBy: ["seats"], having: { count: { _gt: 1 }, sum_price: { _gt: 1 } } } } }); // error
void owners.list({ fields: ["few:cars.id"], deep: { few: { orderBy: "plate" } } });
void cars.aggregate({ aggregate: ["count", "max(plate)"] });
void cars.aggregate({ aggregate: ["count_distinct(owner.name)"] });
void cars.aggregate({ aggregate: ["sum(price*(1+0.25)):gross"] });
void cars.aggregate({ aggregate: ["sum(seats / owner.boss_id - price):gross"] });
void cars.aggregate({ aggregate: ["count"], groupBy: ["plate"] });
void cars.aggregate({ aggregate: ["count"], groupBy: ["owner.name"] });
void cars.aggregate({ aggregate: ["count"], groupBy: ["date_trunc(month,made_at)"] });
void cars.aggregate({ aggregate: ["count"], groupBy: ["date_part(week,made_at)"] });
void cars.aggregate({ aggregate: ["count"], where: { plate: { _eq: "x" } } });
void cars.create({ plate: "x" });
void cars.create([{ plate: "x" }]);
void cars.upsert({ plate: "x" }, { onConflict: ["id"] });
void cars.create(newCar, { onConflict: ["plate"], resolution: "merge" });
void cars.upsert(newCar, { onConflict: ["id", '"plate"'] });
void cars.import("", { onConflict: ["plate"] });
void cars.update(1, { plate: "x" });
void cars.updateMany({ where: { plate: { _eq: "x" } }, maxAffected: 1 }, { seats: 1 });
void cars.updateMany({ where: { seats: { _eq: 1 } }, maxAffected: 1 }, { plate: "x" });
void cars.removeMany({ where: { "owner.name": { _eq: "x" } }, maxAffected: 1 });
void cars.get(1, { fields: ["plate"] });
void cars.query({ fields: ["plate"] });
void cars.export("csv", { fields: ["plate"] });
void cars.export("csv", { orderBy: ["plate"] });
void cars.create(newCar, {}).then(({ row }) => row.plate);
void cars.update(1, {}).then(({ row }) => row.plate);
void cars.remove(1, { returning: "representation" }).then(({ row }) => row?.plate);
void cars.list().then(({ rows }) => rows[0]?.plate);
void cars.history(1).then(({ entries }) => entries[0]?.changes.find(({ field }) => field === "plate"));
void client.batch([cars.writes.create({ plate: "x" })]);
void client.batch([cars.writes.update(1, { plate: "x" })]);
void client.batch([cars.writes.create(newCar, { onConflict: ["plate"], resolution: "merge" })]);
void client.batch([cars.writes.removeMany({ where: { plate: { _eq: "x" } }, maxAffected: 1 })]);
void client.batch([cars.writes.create(newCar), owners.writes.create({ id: 1, name: ref(0, "plate") })]);
void client.batch([cars.writes.create([newCar]), owners.writes.update(ref(0, "price", 0), {})]);
void cars.aggregate({ aggregate: ["sum(seats)", "max(price)"], having: { max_price: { _gt: 1 } } });
void cars.aggregate({ aggregate: ["sum(seats)"], orderBy: "-sum_price" }); // error
void cars.aggregate({ aggregate: ["sum(seats)"], groupBy: ["state"], orderBy: ["state", "-made_at_month"] }); // error
`;

const wrong = `
void cars.list({ where: { plate: { _gte: 5 } } }); // error
void cars.list({ where: { plate: { _in: ["x", 5] } } }); // error
void cars.list({ where: { made_at: { _between: ["1", 2] } } }); // error
void cars.list({ where: { made_at: { _lt: 5n } } }); // error
void cars.list({ where: { "owner.name": { _eq: 5 } } }); // error
void owners.list({ where: { cars: { _some: { made_at: { _gt: 5 } } } } }); // error
void owners.list({ deep: { cars: { where: { plate: { _gt: 5 } } } } }); // error
void cars.list({ where: { state: { _eq: "OLD" } } }); // error
void cars.list({ where: { price: { _gt: 5, _lt: 5n, _eq: "5" }, id: { _in: [1, "2"] }, seats: { _eq: "5" } } });
void cars.list({ where: { made_at: { _gte: "$NOW" }, plate: { _like: "x%" } } });
void cars.list({ where: { "notes.color": { _eq: "red" } } });
void owners.list({ deep: { cars: { limmit: 5 } } }); // error
void cars.list({ orderBy: "-_rank", where: { plate: { _search: "x" } } });
void cars.list({ colour: 1 }); // error
void cars.create({ plate: "x", colour: 1 }); // error
void cars.create({ plate: "x" }, { idempotencyKeys: "x" }); // error
void client.batch([cars.writes.create({ plate: "x", colour: 1 })]); // error
void client.batch([cars.writes.create({ plate: "x" }), owners.writes.create({ id: 1, name: ref(2, "plate") })]); // error
void cars.list({
  fields: [
    "id",
    "owner.name",
    "colour", // error
    "plate",
    "owner.nam", // error
    "seats",
  ],
});
void cars.list({
  orderBy: [
    "id",
    "colour", // error
    "-plate",
  ],
});
void cars.aggregate({
  aggregate: [
    "count",
    "sum(colour)", // error
    "sum(price)",
  ],
  groupBy: [
    "state",
    "colour", // error
  ],
});
void owners.list({
  fields: ["cars.id"],
  deep: {
    vehicles: { limit: 1 }, // error
    cars: {
      orderBy: "colour", // error
      where: {
        colour: { _eq: 1 }, // error
        plate: { _eq: "x" },
      },
    },
  },
});
void cars.list({
  where: {
    plate: { _eq: "x" },
    "owner.nam": { _eq: "x" }, // error
    _and: [
      { seats: { _gt: 1 } },
      { colour: { _gt: 1 } }, // error
    ],
  },
});
const stale = { colour: { _eq: "x" }, plate: { _eq: "x" } };
void cars.list({ where: stale }); // error
const nested: import("@rowhouse/client").Filter<Resources, "garage.cars"> = { owner: { name: { _eq: "x" } } };
void cars.list({ where: nested });
void cars.list({ where: { _or: [nested, { owner: { city: { _null: true } } }] } });
`;

const results = `
import { createClient as open, type Client } from "@rowhouse/client";
async function results(signal: AbortSignal | undefined, none: undefined, maybe: "minimal" | undefined) {
  const plate: string = (await cars.create({ plate: "x" })).row.plate;
  const key: number = (await client.from("garage.notes").create({ text: "x" })).row.id;
  const text = (await client.from("garage.notes").create({ text: "x" })).row.text; // error
  const absent: null = (await cars.create({ plate: "x" }, { returning: "minimal" })).row;
  const either: string = (await cars.create({ plate: "x" }, { returning: maybe })).row.plate; // error
  const skipped: string = (await cars.upsert({ plate: "x" }, { onConflict: ["plate"], resolution: "ignore" })).row.plate; // error
  const merged: string = (await cars.upsert({ plate: "x" }, { onConflict: ["plate"] })).row.plate;
  const etag: string | undefined = (await cars.update(1, { seats: 2 })).etag;
  const read = await cars.get(1, { ifNoneMatch: etag });
  const written = await cars.get(1, { ifNoneMatch: (await cars.update(1, { seats: 2 })).etag });
  const shown: string = written.row.plate; // error
  const seen: string = read.row.plate; // error
  if (!read.notModified) return read.row.plate;
  const tag: string = read.etag;
  const plain: string = (await cars.get(1)).row.plate;
  const [made] = await client.batch([cars.writes.create({ plate: "x" })]);
  const batched: string = made.row.plate;

  await cars.list({ fields: none, where: none, deep: none, orderBy: none, limit: none, offset: none, search: none, cursor: none, count: none, etags: none, signal });
  await cars.aggregate({ aggregate: ["count"], groupBy: none, where: none, having: none, orderBy: none, limit: none, offset: none, search: none, count: none, signal });
  await cars.get(1, { fields: none, deep: none, signal });
  await owners.list({ deep: { cars: { limit: none, offset: none, orderBy: none, where: none, cursor: none, groupBy: none, having: none } } });
  await cars.create({ plate: "x", seats: none }, { onConflict: none, resolution: none, idempotencyKey: none, returning: none, signal });
  await cars.update(1, { seats: none }, { ifMatch: none, idempotencyKey: none, returning: none, signal });
  await cars.remove(1, { ifMatch: none, idempotencyKey: none, returning: none, signal });
  await cars.updateMany({ where: {}, maxAffected: 1 }, { seats: none }, { returning: none, signal });
  await cars.import("", { format: none, dryRun: none, dateFormat: none, booleanFormat: none, decimal: none, delimiter: none, encoding: none, onConflict: none, resolution: none, idempotencyKey: none, onProgress: none, signal });
  await cars.history(1, { limit: none, cursor: none, signal });
  await client.batch([cars.writes.update(1, { seats: none }, { ifMatch: none })], { idempotencyKey: none, returning: none, signal });
  await client.workflows.call("x", {}, { method: none, query: none, idempotencyKey: none, headers: none, signal });
  await client.files.upload(new Blob([]), { name: none, values: none, onProgress: none, uploadId: none, signal }).result;
  await client.files.link("x", { preset: none, lifetimeSeconds: none, signal });
  await client.files.download("x", { preset: none, range: none, signal });
  await client.admin.post("/roles", { data: { name: "x", description: none }, signal });
  await client.admin.get("/roles", { query: { search: none, limit: none }, signal });
  await client.admin.get("/roles", { query: none, ifMatch: none, etags: none, signal });
  const all = { url: "http://service.invalid", token: none, session: none, fetch: none, timeZone: none, repeats: none, retryAfterMaxSeconds: none, onUnauthorized: none };
  const loose: Client = open(all);
  const rows = loose.from("any.table");
  await rows.list({ fields: ["a", "b.c", "d:e.f"], where: { "a.b": { _eq: 1 }, x: 1 }, orderBy: "a,-b", deep: { b: { where: { x: { _gt: 1 } }, orderBy: "x", groupBy: ["y"], having: { z: 1 } } } });
  await rows.aggregate({ aggregate: ["sum(a*b):c", "max(d)"], groupBy: ["date_trunc(month,x)", "y"], having: { c: { _gt: 1 } }, orderBy: ["-c", "y"], where: { a: { _gt: 1 } } });
  await rows.create({ a: 1 }, { onConflict: ["a"], resolution: "merge" });
  await rows.updateMany({ where: { a: { _eq: 1 } }, maxAffected: 1 }, { b: 2 });
  await loose.batch([rows.writes.create({ a: 1 }), rows.writes.update(ref(0, "id"), { b: ref(0, "c") })]);
  return [plate, key, text, absent, either, skipped, merged, seen, tag, plain, batched];
}
`;

const given = 'const newCar = {} as Resources["garage.cars"]["New"];\n';

/** Compiles a program, and returns the numbers of the lines with an error, each as often as it has one. */
async function errorLines(types: string, program: string): Promise<number[]> {
  await writeFile(join(folder, "resources.ts"), types);
  await writeFile(join(folder, "program.ts"), program);
  const compilerOptions = {
    ...{ target: "ES2023", lib: ["ES2023", "ES2024.String", "DOM", "DOM.AsyncIterable"] },
    ...{ module: "NodeNext", strict: true, exactOptionalPropertyTypes: true, types: [] },
    ...{ noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, noEmit: true },
    ...{ skipLibCheck: true, customConditions: ["rowhouse-source"] },
  };
  const config = { compilerOptions, files: ["program.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules/.bin/tsc");
  const { stdout } = await run(compiler, ["--project", folder, "--pretty", "false"]).catch(
    (error: { readonly stdout: string }) => error,
  );
  return [...stdout.matchAll(/^(?:\S*\/)?(\S+?)\((\d+),\d+\): error (.*)$/gm)].map(
    ([, file, line, text]) => {
      if (file !== "program.ts") throw new Error(`${file}: ${text}`);
      return Number(line);
    },
  );
}

const linesWhere = (program: string, matches: (line: string) => boolean): number[] =>
  program.split("\n").flatMap((line, index) => (matches(line) ? [index + 1] : []));

describe("a column or relation that is renamed", () => {
  it("makes each use of its name an error, and no other line", async () => {
    const renamed = resources
      .replaceAll(/\bplate\b/g, "sign")
      .replaceAll(/\bprice\b/g, "cost")
      .replaceAll(/\bmade_at\b/g, "built_at")
      .replaceAll(/\bname\b/g, "title")
      .replaceAll("cars: [", "vehicles: [");
    const program = head + given + uses;
    const lines = linesWhere(program, (line) => line.startsWith("void "));
    expect(lines.length).toBeGreaterThan(70);
    expect([...new Set(await errorLines(renamed, program))]).toEqual(lines);
  });
});

describe("a program with generated types", () => {
  it("has one error at each wrong name and value, and none elsewhere", async () => {
    const program = head + given + uses + wrong;
    expect(await errorLines(resources, program)).toEqual(
      linesWhere(program, (line) => line.includes("// error")),
    );
  });

  it("gets rows that are no null, and may pass undefined for each option", async () => {
    const program = `${head}${results}void results;\n`;
    expect(await errorLines(resources, program)).toEqual(
      linesWhere(program, (line) => line.includes("// error")),
    );
  });
});
