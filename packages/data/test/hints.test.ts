import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    "create table jobs (id int primary key, at timestamptz, done boolean, price numeric)",
  );
  await expose(test.database, "public", "jobs", "GET");
  await grant(test.database, client.snapshots, roleId, "public/jobs", { action: "READ" });
});
afterAll(() => test.drop());

it.each([
  ["where[id][_eq]=None", "None is a word of Python: for null use _null or _nnull"],
  ["where[id][_eq]=null", "for null use _null or _nnull"],
  ["where[id][_eq]=undefined", "undefined is a word of JavaScript"],
  ["where[done][_eq]=True", "true is written in small letters"],
  ["where[at][_gte]=2026-02-01T00:00:00+01:00", "write %2B"],
  ["where[at][_eq]=$PERIOD.2026-02-01T09+01:00", "write %2B"],
  ["where[at][_null]=True", "must be true or false, in small letters"],
  ['where={"done": {"_eq": True}}', "True is not JSON, which has true, false and null"],
  ['where={"id": {"_null": None}}', "None is not JSON"],
  ["where={'id': {'_eq': 1}}", "JSON has double quotes: in Python use json.dumps"],
  ["aggregate=sum(price+1):more", "write %2B"],
])("the refusal of %s says what was meant", async (query, hint) => {
  const { status, body } = await client.list(user, "public/jobs", query);
  const [fault] = (body as { errors: { message: string }[] }).errors;
  expect(status).toBe(400);
  expect(fault?.message).toContain(hint);
});

it.each([["where[at][_gte]=2026-02-01T00:00:00%2B01:00"]])("%s needs no hint", async (query) => {
  expect((await client.list(user, "public/jobs", query)).status).toBe(200);
});
