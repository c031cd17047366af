// Tiers: usual, topologies.
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

let environment: TestEnvironment;
let client: Client;
let admin: string;

const table = "/api/public/table";
const ask = (method: string, path: string, body?: string) =>
  fetch(`${environment.url}${table}${path}`, {
    method,
    headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  });
const textOf = async (method: string, path: string, body?: string) =>
  (await ask(method, path, body)).text();

beforeAll(async () => {
  environment = await startTestEnvironment();
  client = createClient(environment);
  admin = await client.signIn(signIn);
  const database = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  await database.query(
    "create table public.employees (id int primary key, name text, reports_to int references public.employees)",
  );
  await database.query("insert into public.employees values (1, 'Ann', null), (2, 'Bob', 1)");
  await database.query("create table public.documents (id int primary key, meta jsonb)");
  const values = ["1.5", "1.50", '"1.5"', "2", "true", '"true"', "null", '"a,b"', "[1.5]"];
  for (const [index, value] of values.entries()) {
    const parameters = [String(index), `{"v": ${value}}`];
    await database.query("insert into public.documents values ($1::int, $2::jsonb)", parameters);
  }
  await database.query(
    'create table public.odd (id int primary key, "constructor" text, "prototype" jsonb, "__proto__" text)',
  );
  await database.close();
  for (const name of ["employees", "documents", "odd"]) {
    const { body } = await client.ask("GET", `/admin/api/resources?search=${name}`, { as: admin });
    const path = `/admin/api/resources/${body.data[0].id}`;
    const data = { exposedMethods: ["GET", "POST", "PATCH", "DELETE"] };
    expect((await client.ask("PATCH", path, { as: admin, body: { data } })).status).toBe(200);
  }
});
afterAll(() => environment.stop());

describe("a field beside the relation of its name", () => {
  test("is a 400 that says how to read both", async () => {
    const answer = await ask("GET", "/employees?fields=reports_to,reports_to.name");
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errors: [
        {
          code: "QUERY_INVALID",
          path: "fields",
          message:
            "reports_to is a field and a relation: name one of them, or give the relation an alias; reports_to.id has the value of the field",
        },
      ],
    });
    const inner = "/employees?fields=reports_to.reports_to,reports_to.reports_to.name";
    expect((await ask("GET", inner)).status).toBe(400);
  });

  test("has its value in the related row", async () => {
    expect(
      await textOf("GET", "/employees?fields=reports_to.id,reports_to.name&where[id][_eq]=2"),
    ).toBe('{"data":[{"reports_to":{"id":1,"name":"Ann"}}]}');
    expect(await textOf("GET", "/employees?fields=reports_to&where[id][_eq]=2")).toBe(
      '{"data":[{"reports_to":1}]}',
    );
  });
});

describe("a value inside a document", () => {
  const idsOf = async (where: string) => {
    const answer = await ask("GET", `/documents?fields=id&order_by=id&${where}`);
    expect(answer.status, where).toBe(200);
    const { data } = (await answer.json()) as { data: { id: number }[] };
    return data.map(({ id }) => id);
  };
  const json = (operators: string) =>
    idsOf(`where=${encodeURIComponent(`{"meta":{"_path":{"v":${operators}}}}`)}`);

  test("is compared as JSON compares", async () => {
    expect(await json('{"_eq":1.5}')).toEqual([0, 1]);
    expect(await json('{"_eq":1.500}')).toEqual([0, 1]);
    expect(await json('{"_eq":"1.5"}')).toEqual([2]);
    expect(await json('{"_eq":true}')).toEqual([4]);
    expect(await json('{"_eq":"true"}')).toEqual([5]);
    expect(await json('{"_in":[2,"1.5"]}')).toEqual([2, 3]);
    expect(await json('{"_neq":1.5}')).toEqual([2, 3, 4, 5, 7, 8]);
    expect(await json('{"_nin":[1.5,"true"]}')).toEqual([2, 3, 4, 7, 8]);
    expect(await json('{"_gte":1.5}')).toEqual([0, 1, 3]);
  });

  test("in brackets is the text, or the number or flag that is written alike", async () => {
    expect(await idsOf("where[meta][_path][v][_eq]=1.50")).toEqual([0, 1]);
    expect(await idsOf("where[meta][_path][v][_eq]=1.5")).toEqual([0, 1, 2]);
    expect(await idsOf("where[meta][_path][v][_eq]=true")).toEqual([4, 5]);
    expect(await idsOf("where[meta][_path][v][_in]=2,true")).toEqual([3, 4, 5]);
    expect(await idsOf("where[meta][_path][v][_neq]=1.5")).toEqual([3, 4, 5, 7, 8]);
  });
});

describe("constructor, prototype and __proto__", () => {
  test("are data inside a document", async () => {
    const meta = '{"__proto__": {"a": 1.50}, "prototype": [{"__proto__": 2}], "constructor": null}';
    const created = await ask("POST", "/documents", `{"data":{"id":100,"meta":${meta}}}`);
    expect(created.status).toBe(201);
    const read = await textOf("GET", "/documents/100");
    expect(read).toContain('"__proto__": {"a": 1.50}');
    expect(read).toContain('[{"__proto__": 2}]');
    expect(read).toContain('"constructor": null');
    const found = await textOf(
      "GET",
      "/documents?fields=id&where[meta][_path][__proto__.a][_eq]=1.5",
    );
    expect(found).toBe('{"data":[{"id":100}]}');
  });

  test("are names of columns", async () => {
    const row = '{"id":1,"constructor":"a","prototype":{"__proto__":1},"__proto__":"b"}';
    const list = await ask("POST", "/odd", `{"data":[${row}]}`);
    expect(list.status).toBe(201);
    expect((await ask("PATCH", "/odd/1", '{"data":{"__proto__":"c"}}')).status).toBe(200);
    expect(await textOf("GET", "/odd?fields=constructor,__proto__,prototype")).toBe(
      '{"data":[{"constructor":"a","__proto__":"c","prototype":{"__proto__": 1}}]}',
    );
    expect(await textOf("GET", "/odd?fields=id&where[constructor][_eq]=a")).toContain('"id":1');
    expect(await textOf("GET", '/odd?fields=id&where["__proto__"][_eq]=c')).toContain('"id":1');
  });

  test("are unknown names elsewhere in a body", async () => {
    for (const body of [
      '{"data":{"id":2},"__proto__":1}',
      '{"data":{"id":2,"__proto__":1,"x":1}}',
    ]) {
      expect((await ask("POST", "/documents", body)).status).toBe(400);
    }
  });
});
