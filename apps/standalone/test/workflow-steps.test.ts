// Tiers: usual, topologies.
import { type Database, openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient } from "./client.ts";
import { type MailServer, prepareMailServer } from "./mail-server.ts";

// Workflows of the whole service by HTTP: their inputs, and steps that use a mail server and a locked table.

let testEnvironment: TestEnvironment;
let server: MailServer;
let database: Database;
let me: string;
let secret: string;
beforeAll(async () => {
  server = await prepareMailServer();
  await server.start();
  testEnvironment = await startTestEnvironment({
    environment: {
      SMTP_URL: server.url,
      MAIL_FROM: "Rowhouse <house@example.com>",
    },
  });
  database = openDatabase({
    url: testEnvironment.test.ownerUrl,
    applicationName: "workflow-steps",
  });
  const client = createClient(testEnvironment);
  const signedIn = await client.ask("POST", "/api/auth/login", { body: signIn });
  secret = signedIn.body.data.token;
  me = signedIn.body.data.user.id;
  const id = { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true };
  const note = { name: "note", dataType: "text" };
  const made = await administer("POST", "/schema/public/tables", {
    name: "trip",
    columns: [id, note],
  });
  await administer("PATCH", `/resources/${made.body.data.resourceId}`, {
    exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
  });
});
afterAll(async () => {
  await database.close();
  await testEnvironment.stop();
  await server.stop();
});

const administer = (method: string, path: string, data?: unknown): Promise<Answer> =>
  createClient(testEnvironment).ask(method, `/admin/api${path}`, {
    as: secret,
    ...(data === undefined ? {} : { body: { data } }),
  });

let count = 0;
/** Returns the URL of a new workflow. */
async function publish(steps: readonly object[], more: object = {}): Promise<string> {
  count += 1;
  const slug = `flow-${count}`;
  const trigger = { kind: "webhook", access: "AUTHENTICATED", executeAs: me, ...more };
  const definition = { trigger, steps };
  const made = await administer("POST", "/workflows", { slug, name: slug, definition });
  for (const verb of ["publish", "enable"]) {
    const answer = await administer("POST", `/workflows/${made.body.data.id}/${verb}`);
    expect([verb, answer.status, answer.body?.errors]).toEqual([verb, 200, undefined]);
  }
  const roles = await administer("GET", "/roles?search=Administrators");
  const roleId = roles.body.data[0].id;
  await administer("POST", `/workflows/${made.body.data.id}/invoke-grants`, { roleId });
  return `${testEnvironment.url}/api/workflows/${slug}/webhook`;
}

async function call(
  url: string,
  body: string | Uint8Array,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}
const run = async (steps: readonly object[], body: object = {}) =>
  JSON.parse((await call(await publish(steps), JSON.stringify(body))).text).data;

describe("a body", () => {
  let echo: string;
  beforeAll(async () => {
    echo = await publish([{ id: "end", kind: "finish", result: "{{start.data.body}}" }]);
  });

  it.each([
    ["[]"],
    ["{}"],
    ["[[[1,[2,[3,[]]]],{}],null,true,false]"],
    ['{"n":[9007199254740993,-0,0.1,1.10,1e400,1E+2,123456789012345678901234567890.123456789]}'],
    ['{"":"empty key"," ":"\\"quoted\\" \\\\ / \\n\\t","ключ":"😀"}'],
    ['{"z":1,"a":2,"10":3,"1":4}'],
    ['{"t":"{{start.data.body.z}} {{secrets.X}} $x $USER.id"}'],
    ['{"length":1,"toString":2,"hasOwnProperty":3,"__proto":4,"then":5}'],
  ])("arrives as it was sent: %s", async (body) => {
    const { status, text } = await call(echo, body);
    expect(status).toBe(200);
    // V8 orders integer keys first; the others keep their order.
    const result = body.includes('"10"') ? '{"1":4,"10":3,"z":1,"a":2}' : body;
    expect(text).toContain(`"result":${result},`);
  });

  it("arrives with its escapes decoded, and with the last value of a repeated key", async () => {
    const escaped = await call(
      echo,
      ' {"a":"\\u00e9\\uD83D\\uDE00\\/","a":1,"b":2,"\\u0062":3} \n',
    );
    expect(escaped.text).toContain('"result":{"a":1,"b":3},');
    const text = await call(echo, '["\\u00e9\\uD83D\\uDE00\\/\\u2028"]');
    expect(text.text).toContain('"result":["é😀/\u2028"],');
  });

  it.each([
    "",
    " ",
    "1",
    '"text"',
    "null",
    "true",
    "{",
    "{'a':1}",
    "[1,]",
    "[NaN]",
    "[01]",
    "{}{}",
    "<a/>",
  ])("is rejected unless it is an object or a list: %s", async (body) => {
    const { status, text } = await call(echo, body);
    expect(status).toBe(400);
    expect(text).toContain('"code":"WORKFLOW_WEBHOOK_INVALID_PAYLOAD"');
  });

  it("is rejected if it cannot be stored: half a character, NUL, invalid UTF-8, depth", async () => {
    for (const body of [
      '["\\ud83d"]',
      '{"\\udc00":1}',
      '["\\u0000"]',
      "[".repeat(65) + "]".repeat(65),
    ]) {
      const { status, text } = await call(echo, body);
      expect([body.slice(0, 20), status]).toEqual([body.slice(0, 20), 400]);
      expect(text).toContain('"code":"BODY_INVALID"');
    }
    const bytes = await call(echo, new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]));
    expect(bytes.status).toBe(400);
  });
});

describe("a step on rows with a time limit", () => {
  const timeoutMs = 300;
  it.each([
    ["createRow", { values: { note: "late" } }],
    ["updateRows", { key: 1, values: { note: "late" } }],
    ["deleteRows", { where: { note: { _eq: "x" } } }],
    ["getRow", { key: 1 }],
    ["listRows", {}],
  ])("gives up on a table that another transaction holds: %s", async (kind, fields) => {
    await database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in access exclusive mode");
      const step = { id: "row", kind, table: "trip", timeoutMs, ...fields };
      expect(await run([step])).toMatchObject({
        status: "FAILED",
        error: { code: "STEP_TIMEOUT", step: "row" },
      });
    });
  });

  it("has another attempt, which finds the table unlocked", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in access exclusive mode");
      await released;
    });
    const retry = { attempts: 20, delayMs: 200, backoff: "fixed" };
    const row = {
      id: "row",
      kind: "createRow",
      table: "trip",
      timeoutMs,
      retry,
      values: { note: "once" },
    };
    const url = await publish([row, { id: "end", kind: "finish", result: "{{steps.row.note}}" }], {
      response: "ASYNCHRONOUS",
    });
    const id = JSON.parse((await call(url, "{}")).text).data.run;
    const state = () =>
      database.query<{ attempt: number; status: string }>(
        `select s.attempt, r.status from system.workflow_run_steps s join system.workflow_runs r on r.id = s.run_id
         where s.run_id = $1::text::uuid and s.path = 'row'`,
        [id],
      );
    await expect.poll(async () => (await state())[0]?.attempt ?? 0).toBeGreaterThan(1);
    release();
    await holding;
    await expect.poll(async () => (await state())[0]?.status).toBe("SUCCEEDED");
    expect(await database.query("select note from public.trip")).toEqual([{ note: "once" }]);
  });
});

describe("sendEmail", () => {
  it("puts mails into the outbox, and each recipient gets one", async () => {
    const ended = await run(
      [
        {
          id: "mail",
          kind: "sendEmail",
          to: ["one@example.org", "{{start.data.body.to}}", "one@example.org"],
          subject: "Order {{start.data.body.n}}",
          text: "Grüße, {{start.data.body.name}}",
          html: "<p>Grüße</p>",
        },
      ],
      { to: "two@example.org", n: 7, name: "Ada" },
    );
    expect(ended).toMatchObject({
      status: "SUCCEEDED",
      result: { to: ["one@example.org", "two@example.org"] },
    });
    await expect.poll(() => server.received.length).toBe(2);
    expect(server.received.map((mail) => mail.recipients).sort()).toEqual([
      ["one@example.org"],
      ["two@example.org"],
    ]);
    for (const mail of server.received) {
      expect(mail.subject).toBe("Order 7");
      expect(mail.text?.trim()).toBe("Grüße, Ada");
      expect(mail.html).toContain("<p>Grüße</p>");
      expect(mail.from?.address).toBe("house@example.com");
    }
    await expect.poll(() => database.query("select 1 from system.mails")).toEqual([]);
  });

  it("sends nothing if its step or a later one in the transaction fails", async () => {
    const before = server.received.length;
    const mail = { id: "mail", kind: "sendEmail", subject: "{{start.data.body.s}}", text: "x" };
    for (const to of ["no address", "a@example.org\r\nBcc: b@example.org"]) {
      expect(await run([{ ...mail, to }], { s: "fine" })).toMatchObject({
        status: "FAILED",
        error: { code: "MAIL_INVALID" },
      });
    }
    expect(
      await run([{ ...mail, to: "a@example.org" }], { s: "a\r\nBcc: b@example.org" }),
    ).toMatchObject({
      status: "FAILED",
      error: { code: "MAIL_INVALID" },
    });
    expect(await database.query("select 1 from system.mails")).toEqual([]);
    expect(server.received).toHaveLength(before);
  });
});

describe("a step that reads rows", () => {
  it("has complete lists of related rows beyond data.max_related_rows", async () => {
    await database.query("create table public.trips (id int primary key)");
    await database.query(
      "create table public.stops (id int primary key, trip_id int references public.trips (id))",
    );
    await database.query("insert into public.trips values (1)");
    await database.query("insert into public.stops values (1, 1), (2, 1), (3, 1)");
    const resources = (await administer("GET", "/resources?schema=public")).body.data;
    for (const { id, name } of resources) {
      if (name !== "trips" && name !== "stops") continue;
      await administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
    }
    await administer("PATCH", "/settings", { "data.max_related_rows": 2 });
    const page = await createClient(testEnvironment).ask(
      "GET",
      "/api/public/table/trips?fields=id,stops.id",
      { as: secret },
    );
    expect(page.body.data[0].stops).toHaveLength(2);
    expect(page.body.meta).toEqual({ more: ["stops"] });
    const rows = { table: "trips", fields: "id,stops.id" };
    const answer = await run([
      { id: "all", kind: "listRows", ...rows },
      { id: "one", kind: "getRow", ...rows, key: 1 },
      { id: "end", kind: "finish", result: ["{{steps.all[0].stops}}", "{{steps.one.stops}}"] },
    ]);
    const stops = [{ id: 1 }, { id: 2 }, { id: 3 }];
    expect(answer.result).toEqual([stops, stops]);
    const listed = await run([
      { id: "all", kind: "listRows", table: "stops", fields: ["id"], orderBy: ["trip_id", "-id"] },
      { id: "one", kind: "getRow", table: "stops", fields: ["trip_id"], key: 2 },
      { id: "end", kind: "finish", result: ["{{steps.all}}", "{{steps.one}}"] },
    ]);
    expect(listed.result).toEqual([[{ id: 3 }, { id: 2 }, { id: 1 }], { trip_id: 1 }]);
    await administer("PATCH", "/settings", { "data.max_related_rows": 1000 });
  });

  it("lists the rows of a view that its user may read, and changes none of them", async () => {
    await database.query("create table public.sales (id int primary key, price int)");
    await database.query("insert into public.sales values (1, 30), (2, 12)");
    await database.query(
      "create view public.sales_total as select 1 as id, sum(price) as total from public.sales",
    );
    const total = { kind: "listRows", table: "sales_total" };
    const hidden = await run([{ id: "all", ...total }]);
    expect(hidden.error.code).toBe("NOT_FOUND");
    const { body } = await administer("GET", "/resources?schema=public&search=sales_total");
    await administer("PATCH", `/resources/${body.data[0].id}`, { exposedMethods: ["GET"] });
    const read = await run([
      { id: "all", ...total, where: { total: { _gt: 40 } } },
      { id: "end", kind: "finish", result: "{{steps.all}}" },
    ]);
    expect(read.result).toEqual([{ id: 1, total: "42" }]);
    const written = await run([
      { id: "row", kind: "createRow", table: "sales_total", values: { total: 1 } },
    ]);
    expect(written.error.code).toBe("NOT_FOUND");

    const person = { email: "nobody@example.com", name: "Nobody", password: "a long enough one" };
    const executeAs = (await administer("POST", "/users", person)).body.data.id;
    const url = await publish([{ id: "all", ...total }], { executeAs });
    const refused = JSON.parse((await call(url, "{}")).text).data;
    expect(refused).toMatchObject({ status: "FAILED", error: { code: "NOT_FOUND" } });
  });
});
