// Tier: long. Starts processes.
import { openDatabase } from "@rowhouse/db";
import {
  createTestDatabase,
  hasStockPostgres,
  installationSecret,
  type StockPostgres,
  signIn,
  startApp,
  startStockPostgres,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";

/** Defaults of a database whose administrator has chosen other ones. */
const hostile = [
  "timezone = 'Asia/Kolkata'",
  "datestyle = 'German'",
  "intervalstyle = 'postgres_verbose'",
  "standard_conforming_strings = off",
  "extra_float_digits = -10",
  "bytea_output = 'escape'",
  "xmlbinary = 'hex'",
  "xmloption = 'document'",
  "array_nulls = off",
  "transform_null_equals = on",
  "quote_all_identifiers = on",
  "row_security = off",
  "default_transaction_isolation = 'serializable'",
  "lock_timeout = '1ms'",
  "idle_session_timeout = '50ms'",
  "exit_on_error = on",
  "client_min_messages = error",
  "search_path = ''",
  "jit_above_cost = 0",
] as const;

const tableSql = `
create extension hstore schema public;
create type public.mood as enum ('calm', 'keen');
create table public.samples (
  id bigint primary key generated always as identity, label text not null unique, bytes bytea, took interval, at timestamptz,
  day date, ratio double precision, list text[], doc jsonb, markup xml, mood public.mood, attributes public.hstore, price numeric(12,2),
  check (price > 0))`;
const rows = [
  {
    label: "a\\b",
    bytes: "AP8=",
    took: "P1DT2H",
    at: "2026-03-01T10:00:00+05:30",
    day: "2026-12-03",
    ratio: 0.1,
    list: ["x", null, "NULL", "a\\b"],
    doc: { n: 1.5, text: "it's" },
    markup: "one<b>two</b>",
    mood: "keen",
    attributes: { size: "L", "": null },
    price: "12.50",
  },
  { label: "second", ratio: 1e-7, list: [], price: "0.01" },
];
const definition = {
  trigger: { kind: "webhook", access: "AUTHENTICATED", response: "SYNCHRONOUS" },
  steps: [
    {
      id: "row",
      kind: "createRow",
      table: "samples",
      values: { label: "{{start.data.body.label}}", took: "PT90M", price: 5 },
    },
    {
      id: "end",
      kind: "finish",
      result: { took: "{{steps.row.took}}", price: "{{steps.row.price}}" },
    },
  ],
};

/**
 * Sends the same requests to each service, and returns the responses without the parts that differ between starts.
 */
async function answersOn(databaseUrl: string): Promise<unknown[]> {
  const database = openDatabase({ url: databaseUrl, applicationName: "test", connectionsMax: 1 });
  await database.query(tableSql);
  await database.close();
  const app = await startApp("standalone", {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_SECRET: installationSecret,
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
  });
  try {
    const client = createClient(app);
    const as = await client.signIn(signIn);
    const answers: unknown[] = [];
    const ask = async (method: string, path: string, data?: unknown) => {
      const { status, body } = await client.ask(method, path, {
        as,
        ...(data === undefined ? {} : { body: { data } }),
      });
      return { status, body };
    };
    const tell = async (...request: Parameters<typeof ask>) => {
      const { status, body } = await ask(...request);
      const { requestId: _, ...meta } = body?.meta ?? {};
      answers.push([...request.slice(0, 2), status, body?.data ?? body?.errors, meta]);
    };
    const resources = await ask("GET", "/admin/api/resources?search=samples");
    const methods = ["GET", "POST", "PATCH", "DELETE"];
    const resource = resources.body.data[0].id;
    await ask("PATCH", `/admin/api/resources/${resource}`, { exposedMethods: methods });
    const table = "/api/public/table/samples";
    await tell("POST", table, rows);
    await tell("POST", table, { label: "third", price: 0 });
    await tell("POST", table, { label: "second", price: 1 });
    await tell("PATCH", `${table}/2`, { took: "P1M", doc: null });
    await tell("GET", `${table}?order_by=id&count=exact`);
    await tell("GET", `${table}?where[list][_has]=NULL&fields=id,list`);
    await tell("GET", `${table}?where[took][_gt]=PT26H&fields=id,took`);
    await tell("GET", `${table}?where[label][_contains]=${encodeURIComponent("\\")}&fields=id`);
    await tell("GET", `${table}?where[attributes][_eq]=size&fields=id`);
    await tell("POST", table, { label: "unread", price: 1, attributes: "size x" });
    await tell("GET", `${table}?where[doc][_null]=true&fields=id`);
    await tell(
      "GET",
      `${table}?aggregate=sum(price),max(at)&group_by=date_trunc(month,at)&order_by=sum_price`,
    );
    const columns = `/admin/api/resources/${resource}/columns`;
    for (const value of ["1.5", "much"]) {
      const colors = [{ value, color: "red" }];
      const { status, body } = await ask("PATCH", `${columns}/ratio`, { colors });
      answers.push(["colors", status, body.data?.colors ?? body.errors]);
    }
    const workflow = await ask("POST", "/admin/api/workflows", {
      slug: "sample",
      name: "Sample",
      definition,
    });
    const { id } = workflow.body.data;
    await ask("POST", `/admin/api/workflows/${id}/publish`);
    await ask("POST", `/admin/api/workflows/${id}/enable`);
    const role = await ask("GET", "/admin/api/roles?search=Administrators");
    await ask("POST", `/admin/api/workflows/${id}/invoke-grants`, { roleId: role.body.data[0].id });
    const call = await client.ask("POST", "/api/workflows/sample/webhook", {
      as,
      body: { label: "by a run" },
    });
    answers.push([call.status, call.body.data?.status, call.body.data?.result]);
    const console = await ask("POST", "/admin/api/sql", {
      sql: "select took, at, bytes, ratio, list, markup, '\\' as slash from public.samples order by id",
    });
    answers.push([console.status, console.body.data?.results ?? console.body.errors]);
    answers.push((await ask("GET", "/readyz")).body.data);
    return answers;
  } finally {
    expect(await app.stop()).toBe(0);
  }
}

describe.runIf(hasStockPostgres())("on the distribution's server with changed defaults", () => {
  let server: StockPostgres;
  beforeAll(async () => {
    server = await startStockPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it("the service responds as on the embedded server with PostgreSQL's defaults", async () => {
    const maintenance = openDatabase({
      url: server.url(),
      applicationName: "test",
      connectionsMax: 1,
    });
    await maintenance.query("create database shop");
    for (const setting of hostile) await maintenance.query(`alter database shop set ${setting}`);
    await maintenance.close();
    const embedded = await createTestDatabase({ login: "owner" });
    const expected = await answersOn(embedded.url);
    expect(expected).toContainEqual([200, "SUCCEEDED", { took: "PT1H30M", price: "5.00" }]);
    expect(await answersOn(server.url("shop"))).toEqual(expected);
    await embedded.drop();
  });
});
