// Tiers: usual, topologies.
import { documentFaults, expose } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// The Data API's document for a role: its rights, and no other name.

let api: TestEnvironment;
let role: string;
beforeAll(async () => {
  api = await openTestEnvironment();
  const { database } = api.test;
  await database.query(`create type mood as enum ('calm', 'cross')`);
  await database.query(
    `create table owners (id bigint generated always as identity primary key, name text not null, phone_secret text)`,
  );
  await database.query(
    `create table pets (
       id uuid primary key default gen_random_uuid(), owner_id bigint references owners (id),
       name varchar(30) not null, price numeric(10,2) not null default 0, weight double precision,
       mood mood, tags text[], born date, seen timestamptz not null default now(), chip bytea, notes jsonb,
       stay daterange, chip_secret text, initials text generated always as (left(name, 1)) stored,
       tenant int not null, unique (name, owner_id), unique (chip_secret))`,
  );
  await database.query(`comment on table pets is 'Animals in our care'`);
  await database.query(`comment on column pets.weight is 'In kilograms'`);
  await database.query(
    `create table pets_secret (id int primary key, pet_id uuid references pets (id))`,
  );
  await database.query(`create view tame as select id, name, mood from pets where mood = 'calm'`);
  await database.query(
    `create table "odd ""table"" {x}/ü" ("key,1" int, "key 2" text, "a.b?" int, primary key ("key,1", "key 2"))`,
  );
  await database.query(`create table hidden_secret (id int primary key)`);
  await expose(database, "public", "pets", "GET", "POST", "PATCH");
  await expose(database, "public", "owners", "GET");
  await expose(database, "public", "pets_secret", "GET");
  await expose(database, "public", "tame", "GET");
  await expose(database, "public", `odd "table" {x}/ü`, "GET", "POST", "DELETE");
  role = (await api.ask("POST", "/roles", { name: "Keepers" })).body.data.id;
  await grant("pets", "READ", {
    fields: [
      "id",
      "owner_id",
      "name",
      "price",
      "weight",
      "mood",
      "tags",
      "born",
      "seen",
      "chip",
      "notes",
      "stay",
      "initials",
    ],
    rowFilter: { tenant: { _eq: 7 } },
  });
  await grant("pets", "CREATE", {
    fields: ["owner_id", "name", "price", "mood", "tags", "initials", "tenant"],
    presets: { tenant: 7 },
  });
  await grant("owners", "READ", { fields: ["id", "name"] });
  await grant("owners", "UPDATE");
  await grant("tame", "READ");
  await grant(`odd "table" {x}/ü`, "READ");
  await grant(`odd "table" {x}/ü`, "CREATE");
  await grant(`odd "table" {x}/ü`, "DELETE");
});
afterAll(() => api.test.drop());

async function grant(name: string, action: string, terms: object = {}): Promise<void> {
  const list = await api.ask("GET", "/resources?schema=public&limit=100");
  const resource = list.body.data.find((candidate: { name: string }) => candidate.name === name);
  const answer = await api.ask("POST", "/grants", {
    roleId: role,
    resourceId: resource.id,
    action,
    ...terms,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}

const documentOf = async (id: string) => (await api.ask("GET", `/openapi/data?role=${id}`)).body;
const namesOf = (parameters: { name?: string; $ref?: string }[]) =>
  parameters.map((parameter) => parameter.name ?? parameter.$ref?.split("/").at(-1));

describe("the Data API's document of a role", () => {
  it("passes a public OpenAPI validator", async () => {
    expect(await documentFaults(await documentOf(role))).toEqual([]);
    const administrators = (await api.ask("GET", "/roles?search=Administrators")).body.data[0].id;
    expect(await documentFaults(await documentOf(administrators))).toEqual([]);
    const empty = (await api.ask("POST", "/roles", { name: "Nobody yet" })).body.data.id;
    const document = await documentOf(empty);
    expect(await documentFaults(document)).toEqual([]);
    expect(Object.keys(document.paths)).toEqual(["/api/batch"]);
  });

  it("describes the rows that a deletion returns, also to a role with no other write", async () => {
    const odd = `odd "table" {x}/ü`;
    for (const actions of [["READ", "DELETE"], ["DELETE"]]) {
      const roleId = (await api.ask("POST", "/roles", { name: actions.join(" ") })).body.data.id;
      for (const action of actions) await grant(odd, action, { roleId });
      const document = await documentOf(roleId);
      expect(await documentFaults(document)).toEqual([]);
      expect(Object.keys(document.paths)).toHaveLength(actions.length + 2);
    }
  });

  it("contains the exposed resources with a grant, and the actions that are both exposed and granted", async () => {
    const { paths } = await documentOf(role);
    const odd = `/api/public/table/odd%20%22table%22%20%7Bx%7D%2F%C3%BC`;
    const operations = Object.entries(paths).map(([path, item]) => [
      path,
      ...Object.keys(item as object),
    ]);
    expect(operations).toEqual(
      [
        [odd, "get", "post", "delete"],
        [`${odd}/query`, "post"],
        [`${odd}/{id}`, "get", "delete"],
        ["/api/batch", "post"],
        ["/api/public/table/owners", "get"],
        ["/api/public/table/owners/query", "post"],
        ["/api/public/table/owners/{id}", "get"],
        ["/api/public/table/pets", "get", "post"],
        ["/api/public/table/pets/query", "post"],
        ["/api/public/table/pets/{id}", "get"],
        ["/api/public/view/tame", "get"],
        ["/api/public/view/tame/query", "post"],
      ].sort(),
    );
  });

  it("gives the type of each field in responses, with comments as descriptions", async () => {
    const { components, tags } = await documentOf(role);
    const { properties } = components.schemas["public.pets"];
    expect(tags).toContainEqual({ name: "public.pets", description: "Animals in our care" });
    expect(properties).toMatchObject({
      id: { type: "string", format: "uuid" },
      owner_id: { type: ["string", "null"], format: "int64" },
      name: { type: "string", maxLength: 30 },
      price: { type: "string", format: "decimal" },
      weight: { description: "In kilograms\n\n`double precision`" },
      mood: { anyOf: [{ type: "string", enum: ["calm", "cross"] }, { type: "null" }] },
      tags: { type: ["array", "null"], items: { type: ["string", "null"] } },
      born: { type: ["string", "null"], format: "date" },
      seen: { type: "string", format: "date-time" },
      chip: { type: ["string", "null"], contentEncoding: "base64" },
      stay: { type: ["string", "null"] },
      owner: { anyOf: [{ $ref: "#/components/schemas/public.owners.Result" }, { type: "null" }] },
    });
    expect(properties.notes.type).toBe(undefined);
    expect(components.schemas["public.owners"].properties.pets).toEqual({
      $ref: "#/components/schemas/public.pets.List",
    });
    expect(components.schemas["public.pets.List"].anyOf[0]).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/public.pets.Result" },
    });
  });

  it("allows in a body only writable fields: no presets, no generated fields, no fields without a grant", async () => {
    const { paths, components } = await documentOf(role);
    const body = components.schemas["public.pets.New"];
    expect(Object.keys(body.properties)).toEqual(["owner_id", "name", "price", "mood", "tags"]);
    expect(body.required).toEqual(["name"]);
    expect(body.properties.price.type).toEqual(["string", "number"]);
    const { parameters } = paths["/api/public/table/pets"].post;
    expect(namesOf(parameters)).toEqual([
      "on_conflict",
      "resolution",
      "Prefer",
      "IdempotencyKey",
      "TimeZone",
    ]);
    // The other unique key is on a field that the role may not write.
    expect(parameters[0].schema.items.enum).toEqual(["name", "owner_id"]);
    expect(parameters[1].schema.enum).toEqual(["ignore"]);
    // If the read filter excludes the new row, the response contains only its key.
    expect(components.schemas["public.pets.Key"].required).toEqual(["id"]);
  });

  it("accepts a composite key as a list, and omits the routes of single rows for a view", async () => {
    const { paths } = await documentOf(role);
    const path = Object.keys(paths).find((candidate) => /odd.*\{id\}/.test(candidate)) ?? "";
    expect(paths[path].get.parameters[0]).toMatchObject({
      name: "id",
      style: "simple",
      schema: {
        type: "array",
        items: { type: ["integer", "string"] },
        minItems: 2,
        maxItems: 2,
        "x-values": [{ type: "integer" }, { type: "string" }],
      },
    });
    expect(paths["/api/public/view/tame/{id}"]).toBe(undefined);
  });

  it("describes a parameter by a list of texts or by one value, which every generator serializes alike", async () => {
    const { paths, components } = await documentOf(role);
    const operations = Object.values(paths).flatMap((item) => Object.values(item as object));
    const parameters = [
      ...operations.flatMap(({ parameters: each }) => each),
      ...Object.values(components.parameters),
    ].filter(({ $ref }) => $ref === undefined);
    expect(parameters.length).toBeGreaterThan(20);
    for (const { name, content, style, schema } of parameters) {
      expect({ name, content, isObject: schema.type === "object" }).toEqual({
        ...{ name, content: undefined, isObject: false },
      });
      if (schema.type === "array") expect(["form", "simple"]).toContain(style);
      else expect(style).toBe(undefined);
    }
    const where = paths["/api/public/table/pets"].get.parameters.find(
      ({ name }: { name?: string }) => name === "where",
    );
    expect(where.schema).toEqual({
      type: "string",
      contentMediaType: "application/json",
      contentSchema: { $ref: "#/components/schemas/public.pets.Filter" },
    });
  });

  it("describes files only with exports", async () => {
    const plain = JSON.stringify(await documentOf(role));
    expect(plain).not.toMatch(/text\/csv|ndjson|Imported|DryRun/);
    const files = await documentOf(`${role}&exports=true`);
    expect(await documentFaults(files)).toEqual([]);
    const { post, get } = files.paths["/api/public/table/pets"];
    expect(Object.keys(get.responses[200].content)).toHaveLength(3);
    expect(Object.keys(post.requestBody.content)).toHaveLength(3);
    expect(namesOf(post.parameters)).toContain("DryRun");
  });

  it("gives components names that differ in letters and digits, as the names that generators make of them", async () => {
    const twin = await openTestEnvironment();
    const run = (sql: string) => twin.test.database.query(sql);
    await run('create schema "Condition"');
    const names = ["price", "price_list", "Price", "pri ce", "price-list"];
    for (const name of names) {
      await run(`create table "${name}" (id int primary key, price_id int references price)`).catch(
        () => run(`create table "${name}" (id int primary key)`),
      );
      await expose(twin.test.database, "public", name, "GET", "POST", "PATCH");
    }
    // A shared component of the document has this name.
    await run('create table "Condition"."Text" (id int primary key, own text)');
    await expose(twin.test.database, "Condition", "Text", "GET");
    const administrators = (await twin.ask("GET", "/roles?search=Administrators")).body.data[0].id;
    const { paths, components } = (await twin.ask("GET", `/openapi/data?role=${administrators}`))
      .body;
    const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
    const schemas = Object.keys(components.schemas);
    expect(new Set(schemas.map(lettersOf)).size).toBe(schemas.length);
    const operations = Object.values(paths).flatMap((item) =>
      Object.values(item as object).map(({ operationId }) => operationId),
    );
    expect(new Set(operations.map(lettersOf)).size).toBe(operations.length);
    expect(schemas).toEqual(expect.arrayContaining(["public.price", "public.price_list-2"]));
    expect(Object.keys(components.schemas["Condition.Text"].properties)).toContain("_eq");
    expect(components.schemas["Condition.Text-2"].properties.own).toBeDefined();
    await twin.test.drop();
  });

  it("contains no name that the role may not see", async () => {
    const text = JSON.stringify(await documentOf(role));
    expect(text).not.toMatch(/secret/);
    expect(text).not.toMatch(/tenant/);
  });

  it("follows each change of exposure, grants, columns and names", async () => {
    const { database } = api.test;
    await database.query("alter table owners rename column name to full_name");
    await database.query("alter table owners add column phone text");
    const renamed = (await documentOf(role)).components.schemas["public.owners"].properties;
    expect(Object.keys(renamed)).toEqual(["id", "full_name", "pets"]);
    await expose(database, "public", "owners");
    const { paths, components } = await documentOf(role);
    expect(Object.keys(paths).filter((path) => path.includes("owners"))).toEqual([]);
    expect(components.schemas["public.pets"].properties.owner).toBe(undefined);
    await expose(database, "public", "owners", "PATCH");
    const changed = await documentOf(role);
    expect(Object.keys(changed.paths["/api/public/table/owners"])).toEqual(["patch"]);
    expect(changed.components.schemas["public.owners.Change"].properties).toHaveProperty("phone");
  });

  it("is identical for two databases that differ only in objects that the role may not see", async () => {
    const texts: string[] = [];
    for (const hidden of [false, true]) {
      const twin = await openTestEnvironment();
      const run = (sql: string) => twin.test.database.query(sql);
      await run("create table drivers (id int primary key, name text not null)");
      await run("create table trips (id int primary key, driver_id int references drivers (id))");
      await run("create view names as select name from drivers");
      if (hidden) {
        await run(
          `create table "dri vers" (id int primary key, driver_id int references drivers (id))`,
        );
        await run("create table a_table (id int primary key)");
        await run("alter table drivers add column salary numeric default 1 not null");
        await run("alter table drivers add column badge text generated always as (name) stored");
        await run("alter table drivers add unique (name, salary)");
        await run("alter table drivers add check (salary > 0)");
        await run("comment on column drivers.salary is 'Not for everyone'");
        await run("create view all_names as select * from drivers");
        await expose(twin.test.database, "public", "a_table", "GET");
        await expose(twin.test.database, "public", "dri vers", "GET");
        await expose(twin.test.database, "public", "all_names", "GET");
      }
      const id = (await twin.ask("POST", "/roles", { name: "Twins" })).body.data.id;
      const list = (await twin.ask("GET", "/resources?schema=public")).body.data;
      for (const { id: resourceId, name } of list) {
        if (!["drivers", "trips", "names"].includes(name)) continue;
        const methods = name === "names" ? ["GET"] : ["GET", "POST", "PATCH", "DELETE"];
        await expose(twin.test.database, "public", name, ...methods);
        for (const action of name === "names" ? ["READ"] : ["READ", "CREATE", "UPDATE"]) {
          const fields = name === "drivers" ? { fields: ["id", "name"] } : {};
          const terms = { roleId: id, resourceId, action, ...fields };
          expect((await twin.ask("POST", "/grants", terms)).status).toBe(201);
        }
      }
      texts.push(JSON.stringify((await twin.ask("GET", `/openapi/data?role=${id}`)).body));
      await twin.test.drop();
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain("/api/public/table/drivers");
  });

  it("returns 404 for an unknown role, and 400 without a role", async () => {
    expect((await api.ask("GET", `/openapi/data?role=${nobody}`)).faults).toEqual(["NOT_FOUND"]);
    expect((await api.ask("GET", "/openapi/data?role=nope")).faults).toEqual(["NOT_FOUND"]);
    expect((await api.ask("GET", "/openapi/data")).faults).toEqual(["QUERY_INVALID role"]);
  });
});
