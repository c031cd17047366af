// Tiers: usual, topologies.
import { type Database, openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";
import { chinook } from "./questions/chinook.ts";
import { northwind } from "./questions/northwind.ts";
import { pagila } from "./questions/pagila.ts";
import type { Question, World } from "./questions/world.ts";

// Three sample databases in one service, twenty questions on each. A reader and a clerk, neither of them an administrator, ask by
// HTTP. The answers equal those of SQL, which is written from the question.
const worlds = [chinook, northwind, pagila];
const accounts = {
  reader: { email: "reader@example.com", password: "a long sentence of a reader" },
  clerk: { email: "clerk@example.com", password: "a long sentence of a clerk" },
};

let environment: TestEnvironment;
let database: Database;
let client: Client;
const sessions = { reader: "", clerk: "" };

async function grantWorld(
  { schema, clerk, deletable }: World,
  roles: { readonly reader: string; readonly clerk: string },
  administer: (method: string, path: string, data?: unknown) => Promise<unknown>,
): Promise<void> {
  const resources = await administer("GET", `/resources?schema=${schema}&limit=100`);
  for (const { id, name } of resources as { id: string; name: string }[]) {
    const exposedMethods = deletable.includes(name) ? ["GET", "DELETE"] : ["GET"];
    await administer("PATCH", `/resources/${id}`, { exposedMethods });
    const grant = (roleId: string, action: string, terms: object = {}) =>
      administer("POST", "/grants", { roleId, resourceId: id, action, ...terms });
    await grant(roles.reader, "READ");
    const terms = clerk[name];
    if (terms !== undefined) await grant(roles.clerk, "READ", terms);
    if (!deletable.includes(name)) continue;
    await grant(roles.reader, "DELETE");
    if (terms !== undefined) await grant(roles.clerk, "DELETE", { rowFilter: terms.rowFilter });
  }
}

beforeAll(async () => {
  environment = await startTestEnvironment();
  database = openDatabase({
    url: environment.test.ownerUrl,
    applicationName: "another-client",
    connectionsMax: 1,
  });
  for (const { load } of worlds) await load(database);
  client = createClient(environment);
  const as = await client.signIn(signIn);
  const administer = async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: { data } };
    const answer = await client.ask(method, `/admin/api${path}`, { as, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const roleOf = async (name: "reader" | "clerk"): Promise<string> => {
    const { id } = await administer("POST", "/roles", { name });
    const user = await administer("POST", "/users", { ...accounts[name], name });
    await administer("POST", `/roles/${id}/members`, { userId: user.id });
    return id;
  };
  const roles = { reader: await roleOf("reader"), clerk: await roleOf("clerk") };
  for (const world of worlds) await grantWorld(world, roles, administer);
  sessions.reader = await client.signIn(accounts.reader);
  sessions.clerk = await client.signIn(accounts.clerk);
});
afterAll(async () => {
  await database?.close();
  await environment?.stop();
});

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Returns the rows of the SQL, with the restriction of the clerk for a question of the clerk. */
const rowsOfSql = ({ schema, clerkSql }: World, { as, sql }: Question): Promise<Rows> =>
  database.transaction(async (transaction) => {
    await transaction.query(`set local search_path = ${schema}`);
    await transaction.query("set local time zone 'UTC'");
    const [row] = await transaction.query<{ rows: Rows }>(
      `${as === "clerk" ? clerkSql : ""} select coalesce(json_agg(q), '[]') as rows from (${sql}) q`,
    );
    return row?.rows ?? [];
  });

/** Returns the rows of the response, or the count as a row. */
async function rowsOfHttp({ schema }: World, question: Question): Promise<Rows> {
  const { as = "reader", method = "GET", headers = {}, request, next } = question;
  const ask = async (path: string): Promise<Rows> => {
    const isList = method === "GET" && !/[?&]limit=/.test(path);
    const url = `/api/${schema}/table/${path}${isList ? "&limit=1000" : ""}`;
    // Without the check of responses: the documents do not describe the objects that take the place of related rows.
    const answer = await fetch(`${environment.url}${url}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${sessions[as]}` },
    });
    const text = await answer.text();
    expect(answer.status, text).toBeOneOf([200, 204]);
    if (text !== "") return JSON.parse(text).data;
    return [{ count: Number(answer.headers.get("x-service-count") ?? Number.NaN) }];
  };
  const rows = await ask(request);
  return next === undefined ? rows : ask(next(rows));
}

const sorted = (rows: Rows): string[] => rows.map((row) => JSON.stringify(row)).sort();

test("there are sixty different questions", () => {
  const questions = worlds.flatMap((world) => world.questions.map(({ question }) => question));
  expect(worlds.map((world) => world.questions.length)).toEqual([20, 20, 20]);
  expect(new Set(questions).size).toBe(60);
});

describe.each(worlds)("on $name", (world) => {
  test.each(world.questions)("$question HTTP answers as SQL does.", async (question) => {
    const expected = await rowsOfSql(world, question);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected).not.toEqual([{ count: 0 }]);
    const rows = await rowsOfHttp(world, question);
    if (question.isUnordered) expect(sorted(rows)).toEqual(sorted(expected));
    else expect(rows).toEqual(expected);
  });
});
