// Tiers: usual, topologies.
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createSecret, parseSecret } from "@rowhouse/access";
import { syncTriggers } from "@rowhouse/db";
import {
  createDocumentCheck,
  createRole,
  createTestDatabase,
  createUser,
  expose,
  fetchThrough,
  isDistributed,
  runAs,
  startTestEnvironment,
  type TestDatabase,
  type TestEnvironment,
  type TestUser,
  topologyLogin,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { credentialCallerOf } from "../src/caller/request-headers.ts";
import { otherRoutes } from "../src/routes/rows.ts";
import { type OpenedApp, openApp } from "./open-app.ts";

let test: TestDatabase;
let app: OpenedApp["app"];
let close: OpenedApp["close"];
let admin: TestUser;
let installation: TestEnvironment | undefined;

beforeAll(async () => {
  const login = topologyLogin();
  test = await createTestDatabase(login === undefined ? {} : { login });
  const { database } = test;
  ({ app, close } = await openApp(test));
  admin = await createUser(database, "admin@example.com", "Administrators");
  await database.query(
    "create table public.things (id int primary key, name text not null, amount numeric, at timestamptz)",
  );
  await expose(database, "public", "things", "GET", "POST", "PATCH", "DELETE");
  if (isDistributed()) installation = await startTestEnvironment({ test, hasProxy: true });
});
afterAll(async () => {
  await close();
  await (installation === undefined ? test.drop() : installation.stop());
});
/** Sends requests to the application in this process, or through the gateways of a topology of several processes. */
const send = async (path: string, init: RequestInit, requestId: string): Promise<Response> => {
  const edge = { requestId, clientAddress: "127.0.0.1" };
  return installation === undefined
    ? app.fetch(new Request(`http://localhost${path}`, init), { edge } as never)
    : fetchThrough(installation, path, init, edge);
};
beforeEach(() => test.database.query("truncate public.things"));

interface Sent {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly credential?: string;
  /** Prefix of `path`. */
  readonly base?: string;
}

const call = async (method: string, path: string, sent: Sent = {}) => {
  const body =
    sent.body === undefined || typeof sent.body === "string"
      ? sent.body
      : JSON.stringify(sent.body);
  const base = sent.base ?? "/api/public/table/things";
  const init = {
    method,
    headers: {
      authorization: `Bearer ${sent.credential ?? admin.secret}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body }),
  };
  const response = await send(`${base}${path}`, init, "r1");
  const text = await response.text();
  await checkAnswer({
    method,
    path: `${base}${path}`,
    authorization: `Bearer ${sent.credential ?? admin.secret}`,
    status: response.status,
    contentType: response.headers.get("content-type"),
    text,
  });
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
};
/** Every response is compared with its caller's own document. */
const checkAnswer = createDocumentCheck(async (path, authorization) => {
  const answer = await send(path, { headers: { authorization } }, "document");
  return { status: answer.status, text: await answer.text() };
});
/** Switches the row history of a table on, as the Admin API does. */
const recordHistory = async (table: string): Promise<void> => {
  const [row] = await test.service.query<{ id: string }>(
    "update system.resources set history = true where relation_name = $1::text returning id",
    [table],
  );
  await syncTriggers(test.service, row?.id ?? "");
};
const count = async () =>
  (await test.database.query<{ n: number }>("select count(*)::int as n from public.things"))[0]?.n;

describe("a document and its responses", () => {
  it("agree on values of every kind, including extreme ones and nulls", async () => {
    const { database } = test;
    await database.query("create type mood as enum ('calm', 'cross')");
    await database.query("create type spot as (x int, y numeric)");
    await database.query("create domain positive as int check (value > 0)");
    await database.query(
      `create table kinds (id bigint primary key, si smallint, i int, n numeric, m money, r real, d double precision,
         b boolean, t text, vc varchar(5), ch char(3), u uuid, dt date, tm time, tz timetz, ts timestamp, tstz timestamptz,
         iv interval, by bytea, j json, jb jsonb, ip inet, ci cidr, mac macaddr, bi bit(3), vb bit varying, x xml,
         tv tsvector, tq tsquery, p point, pol polygon, ir int4range, dm datemultirange, mo mood, sp spot, po positive,
         ia int[], na numeric[], ta text[], ba bytea[], ja jsonb[], ma mood[], sa spot[], oi oid, l pg_lsn)`,
    );
    await database.query(
      `insert into kinds values (9223372036854775807, -32768, 2147483647, 'NaN', 1.5, 'Infinity', '-Infinity',
         true, 'a', 'abcde', 'ab', gen_random_uuid(), 'infinity', '24:00', '10:00+02', '-infinity', '2025-01-31 09:00:00.000001Z',
         '1 year 2 days', '\\x00ff', '{"a":1}', '[1,null]', '10.0.0.1/8', '10.0.0.0/8', '08:00:2b:01:02:03', '101', '1',
         '<a/>', 'a:1', 'a & b', '(1,2)', '((0,0),(1,1),(1,0))', '[1,5)', '{[2025-01-01,2025-02-01)}', 'cross',
         '(1,2.50)', 7, '{1,NULL}', '{1.10}', '{a,NULL}', '{"\\\\x01"}', array['{"a":1}'::jsonb], '{calm}', '{"(1,2)"}', 5, '16/B374D848')`,
    );
    await database.query("insert into kinds (id) values (1)");
    await expose(database, "public", "kinds", "GET", "POST", "PATCH");
    const base = "/api/public/table/kinds";
    const list = await call("GET", "", { base });
    expect(list.status).toBe(200);
    const [empty, row] = list.json().data;
    expect(Object.values(empty).filter((value) => value !== null)).toEqual(["1"]);
    const columns = Object.keys(row);
    expect((await call("GET", `?fields=${columns.join()}&limit=1`, { base })).status).toBe(200);
    // Every value that was read can be written again.
    const { id: _, ...rest } = row;
    await recordHistory("kinds");
    const written = await call("PATCH", "/1", { base, body: { data: rest } });
    expect([written.status, written.json().data]).toEqual([200, { ...row, id: "1" }]);
    // The history has the same values.
    const [{ changes }] = (await call("GET", "/1/history", { base })).json().data;
    const entries = changes.map((change: { field: string; new: unknown }) => [
      ...[change.field, change.new],
    ]);
    expect(Object.fromEntries(entries)).toEqual(rest);
    const aggregate =
      "?aggregate=count,sum(n),min(dt),count_distinct(mo)&group_by=mo,date_trunc(month,tstz)";
    const groups = (await call("GET", aggregate, { base })).json().data;
    expect(groups).toMatchObject([{ mo: "cross", count: 2, min_dt: "infinity" }]);
  });
});

describe("the shortcut of rows", () => {
  it("takes no path of another route", () => {
    const others = app.routes
      .map(({ path }) => path.split("/"))
      .filter(([, api, first, second = ""]) => {
        const isLiteral = api === "api" && first !== undefined && !/^[:*]/.test(first);
        return isLiteral && (second === "table" || /^[:*]/.test(second));
      })
      .map(([, , first]) => first ?? "");
    expect(others).toContain("workflows");
    expect(new Set(others)).toEqual(otherRoutes);
  });
  it("reads each request's own credential on a kept connection", () => {
    const incoming = { socket: new Socket() } as IncomingMessage;
    const read = (authorization: string) => {
      const raw = new Request("http://localhost", { headers: { authorization } });
      const edge = { requestId: "r1", clientAddress: "127.0.0.1" };
      return credentialCallerOf({ req: { raw, path: "" }, env: { edge, incoming } }).credential;
    };
    const [first, second] = [createSecret("SESSION"), createSecret("TOKEN")];
    for (const secret of [first, first, second, first, second, second]) {
      expect(read(`Bearer ${secret}`)).toEqual(parseSecret(secret));
      expect(() => read(`Bearer ${secret}x`)).toThrow("Authentication required");
    }
  });
});

describe("rows over HTTP", () => {
  it("keep a number's digits from the body to the response", async () => {
    const created = await call("POST", "", {
      body: '{"data":{"id":1,"name":"x","amount":12345678901234567890.10}}',
    });
    expect(created.status).toBe(201);
    expect(created.json().data.amount).toBe("12345678901234567890.10");
  });

  it("have a history once it is switched on, with the author and the request of each change", async () => {
    await call("POST", "", { body: { data: { id: 1, name: "a" } } });
    expect((await call("GET", "/1/history")).status).toBe(404);
    await recordHistory("things");
    await call("PATCH", "/1", { body: { data: { name: "b" } } });
    const answer = await call("GET", "/1/history");
    expect(answer.json()).toMatchObject({
      data: [
        {
          action: "UPDATE",
          by: { id: admin.id },
          ...{ tokenId: null, runId: null },
          changes: [{ field: "name", old: "a", new: "b" }],
        },
      ],
    });
    expect((await call("GET", "/1/history?fields=name")).status).toBe(400);
    expect((await call("GET", "/1/history", { headers: { "If-None-Match": '"a"' } })).status).toBe(
      400,
    );
    expect((await call("GET", "/1/history?cursor=AAAA")).status).toBe(400);
    expect((await call("GET", "/x/history")).status).toBe(404);
    expect((await call("POST", "/1/history")).status).toBe(405);
    expect((await call("GET", "/2/history")).status).toBe(404);
  });

  it("create, change by key and by filter, and delete", async () => {
    await call("POST", "", {
      body: {
        data: [
          { id: 1, name: "a" },
          { id: 2, name: "b" },
        ],
      },
    });
    expect((await call("PATCH", "/1", { body: { data: { name: "c" } } })).json().data.name).toBe(
      "c",
    );
    const many = await call("PATCH", "?where[id][_gt]=0&max_affected=2", {
      body: { data: { amount: 3 } },
    });
    expect(many.json().meta).toEqual({ count: 2 });
    expect((await call("DELETE", "?where[amount][_eq]=3&max_affected=2")).status).toBe(204);
    expect(await count()).toBe(0);
  });

  it("return what a deletion removed, if asked, and its number", async () => {
    const create = async () => {
      const body = { data: [1, 2, 3].map((id) => ({ id, name: `n${id}` })) };
      expect((await call("POST", "", { body })).status).toBe(201);
    };
    await create();
    const headers = { prefer: 'RETURN="representation"' };
    const one = await call("DELETE", "/1", { headers });
    expect([one.status, one.json().data]).toMatchObject([200, { id: 1, name: "n1" }]);
    expect(one.headers.get("preference-applied")).toBe("return=representation");
    expect((await call("DELETE", "/1", { headers })).status).toBe(404);
    const refused = await call("DELETE", "?where[id][_gt]=0&max_affected=1", { headers });
    expect(refused.json().errors).toMatchObject([{ code: "CONFLICT", path: "max_affected" }]);
    const many = await call("DELETE", "?where[id][_gt]=0&max_affected=5", { headers });
    expect(many.json()).toMatchObject({ data: [{ id: 2 }, { id: 3 }], meta: { count: 2 } });
    expect(many.headers.get("x-service-count")).toBe("2");
    await create();
    const silent = await call("DELETE", "?where[id][_gt]=1&max_affected=5");
    expect([silent.status, silent.text, silent.headers.get("x-service-count")]).toEqual([
      204,
      "",
      "2",
    ]);
    expect((await call("DELETE", "/1", { headers: { prefer: "return=rows" } })).status).toBe(400);
    expect(await count()).toBe(1);
  });

  it("are counted by HEAD", async () => {
    const body = { data: [1, 2, 3].map((id) => ({ id, name: `n${id}` })) };
    await call("POST", "", { body });
    const counted = async (method: string, query: string) => {
      const { status, headers, text } = await call(method, query);
      return [status, headers.get("x-service-count"), text.length > 0];
    };
    expect(await counted("HEAD", "?where[id][_gt]=1&count=exact&limit=0")).toEqual([
      200,
      "2",
      false,
    ]);
    expect(await counted("HEAD", "?count=exact&limit=1")).toEqual([200, "3", false]);
    expect(await counted("GET", "?count=exact&limit=1")).toEqual([200, "3", true]);
    expect(await counted("HEAD", "?group_by=id&aggregate=count&count=exact")).toEqual([
      200,
      "3",
      false,
    ]);
    expect(await counted("HEAD", "")).toEqual([200, null, false]);
    expect((await counted("HEAD", "?count=all"))[0]).toBe(400);
  });

  it("answer Prefer: return=minimal with 204", async () => {
    const answer = await call("POST", "", {
      body: { data: { id: 1, name: "a" } },
      headers: { prefer: "return=minimal" },
    });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("preference-applied")).toBe("return=minimal");
  });

  it("are protected by their entity tag", async () => {
    await call("POST", "", { body: { data: { id: 1, name: "a" } } });
    const tag = (await call("GET", "/1")).headers.get("etag") ?? "";
    const body = { data: { name: "b" } };
    expect(
      (await call("PATCH", "/1", { body, headers: { "if-match": `"x", ${tag}` } })).status,
    ).toBe(200);
    expect((await call("PATCH", "/1", { body, headers: { "if-match": tag } })).status).toBe(412);
    expect((await call("DELETE", "/1", { headers: { "if-match": `W/${tag}` } })).status).toBe(412);
    expect((await call("DELETE", "/1", { headers: { "if-match": "nonsense" } })).status).toBe(400);
    expect((await call("DELETE", "/1", { headers: { "if-match": "*" } })).status).toBe(204);
  });

  it("return their tag after a create and a change, so that no read is needed between two changes", async () => {
    const made = await call("POST", "", { body: { data: { id: 1, name: "a" } } });
    const first = made.headers.get("etag") ?? "";
    expect(first).toBe((await call("GET", "/1")).headers.get("etag"));
    const change = (name: string, tag: string) =>
      call("PATCH", "/1", { body: { data: { name } }, headers: { "if-match": tag } });
    const changed = await change("b", first);
    const second = changed.headers.get("etag") ?? "";
    expect([changed.status, second]).toEqual([200, (await call("GET", "/1")).headers.get("etag")]);
    expect((await change("c", first)).status).toBe(412);
    expect((await change("c", second)).status).toBe(200);
    const list = await call("POST", "", { body: { data: [{ id: 2, name: "a" }] } });
    const many = await call("PATCH", "?where[id][_eq]=2&max_affected=1", {
      body: { data: { name: "b" } },
    });
    expect([list, many].map(({ headers }) => headers.get("etag"))).toEqual([null, null]);
  });

  it("have a tag as a list for a reader who sends one, until the list changes", async () => {
    await call("POST", "", { body: { data: [1, 2, 3].map((id) => ({ id, name: "a" })) } });
    for (const query of [
      "?limit=2&order_by=id",
      "?aggregate=count",
      "?where[id][_gt]=2&count=exact",
    ]) {
      const poll = (tag: string) => call("GET", query, { headers: { "if-none-match": tag } });
      expect((await call("GET", query)).headers.get("etag")).toBeNull();
      const tag = (await poll('""')).headers.get("etag") ?? "";
      const same = await poll(tag);
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", tag]);
      await call("POST", "", {
        body: { data: { id: Math.floor(Math.random() * 1e6) + 10, name: "b" } },
      });
      await call("PATCH", "/1", { body: { data: { name: String(Math.random()) } } });
      const next = await poll(tag);
      expect(next.status).toBe(200);
      expect(next.headers.get("etag")).not.toBe(tag);
    }
  });

  it("accept a time zone only by its IANA name", async () => {
    const query = "?where[at][_eq]=$PERIOD.today";
    expect(
      (await call("GET", query, { headers: { "x-service-timezone": "Europe/Oslo" } })).status,
    ).toBe(200);
    // With and without a requested date.
    for (const zone of ["Asia/Kolkata", "Europe/Kyiv", "Etc/UTC", "GMT"]) {
      for (const asked of [query, ""]) {
        expect((await call("GET", asked, { headers: { "x-service-timezone": zone } })).status).toBe(
          200,
        );
      }
    }
    for (const zone of ["+02:00", "UTC+2", "PST", "Mars/Base"]) {
      const refused = await call("GET", query, { headers: { "x-service-timezone": zone } });
      expect(refused.json().errors[0]).toMatchObject({
        code: "QUERY_INVALID",
        path: "X-Service-Timezone",
      });
    }
  });

  it("return no other error to a caller without a valid credential", async () => {
    for (const [method, path, body] of [
      ["GET", "?nope=1"],
      ["GET", "/1?fields="],
      ["POST", "", "{"],
      ["POST", "", { data: 1 }],
    ] as const) {
      const credential = admin.secret.replace(/.$/, (last) => (last === "a" ? "b" : "a"));
      expect((await call(method, path, { body, credential })).status).toBe(401);
    }
  });

  it.each([
    ["text/plain", "{}", 415],
    ["application/json", "{", 400],
    ["application/json", '{"data":{"id":1,"name":"\\u0000"}}', 400],
    ["application/json", '{"data":{"id":1,"name":"\\ud800"}}', 400],
    ["application/json", '{"data":{"__proto__":1}}', 400],
    ["application/json", '{"data":{"id":1},"more":1}', 400],
    ["application/json", `{"data":${"[".repeat(50_000)}`, 400],
    ["application/json", '{"data":{"id":1,"id":2}}', 400],
  ])("reject a body of %s: %s", async (type, body, status) => {
    expect((await call("POST", "", { body, headers: { "content-type": type } })).status).toBe(
      status,
    );
  });
});

describe("an idempotency key", () => {
  const body = { data: { id: 1, name: "once" } };
  const headers = { "idempotency-key": "k1" };
  beforeEach(() => test.database.query("delete from system.idempotency_keys"));

  it("returns the first response again and creates one row, also for twenty concurrent requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call("POST", "", { body, headers })),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await count()).toBe(1);
  });

  it("is rejected with another body", async () => {
    await call("POST", "", { body, headers });
    const other = await call("POST", "", { body: { data: { id: 2, name: "other" } }, headers });
    expect([other.status, other.json().errors[0].code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect(await count()).toBe(1);
  });

  it("can be reused after an error, and after one day", async () => {
    const bad = await call("POST", "", { body: { data: { id: 1, name: null } }, headers });
    expect(bad.status).toBe(400);
    expect((await call("POST", "", { body, headers })).status).toBe(201);
    await test.database.query("truncate public.things");
    await test.database.query(
      "update system.idempotency_keys set created_at = now() - interval '25 hours'",
    );
    expect((await call("POST", "", { body, headers })).status).toBe(201);
    expect(await count()).toBe(1);
  });

  it("creates one row in the table's current form if the table changes while the create waits", async () => {
    await test.database.query("alter table public.things add column extra int");
    expect((await call("GET", "?fields=extra")).status).toBe(200);
    let waiting: ReturnType<typeof call> | undefined;
    await test.database.transaction(async (transaction) => {
      await transaction.query("alter table public.things drop column extra");
      waiting = call("POST", "", { body, headers });
      await expect
        .poll(() =>
          transaction.query(
            "select 1 from pg_locks where relation = 'public.things'::regclass and not granted",
          ),
        )
        .toHaveLength(1);
    });
    const answer = await waiting;
    expect([answer?.status, answer?.json()?.data]).toEqual([
      201,
      { id: 1, name: "once", amount: null, at: null },
    ]);
    expect((await call("POST", "", { body, headers })).text).toBe(answer?.text);
    expect(await count()).toBe(1);
  });

  it("repeats the response of a change with If-Match, which is no conflict with itself", async () => {
    const made = await call("POST", "", { body: { data: { id: 1, name: "a", amount: "1.50" } } });
    const ifMatch = { "if-match": made.headers.get("etag") ?? "" };
    const change = (data: object, more = {}) =>
      call("PATCH", "/1", { body: { data }, headers: { ...headers, ...more } });
    const first = await change({ name: "b" }, ifMatch);
    const again = await change({ name: "b" }, ifMatch);
    const shown = ({ status, text, headers: given }: typeof first) => [
      status,
      text,
      given.get("etag"),
    ];
    expect(first.status).toBe(200);
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(shown(again)).toEqual(shown(first));
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    // Another change, another tag, another row, and a deletion.
    expect((await change({ name: "c" }, ifMatch)).status).toBe(409);
    expect((await change({ name: "b" })).status).toBe(409);
    await call("POST", "", { body: { data: { id: 2, name: "other" } } });
    const other = await call("PATCH", "/2", { body: { data: { name: "b" } }, headers });
    const removal = await call("DELETE", "/1", { headers });
    expect([other.status, removal.status]).toEqual([409, 409]);
    expect((await call("GET", "/1")).json().data.name).toBe("b");
  });

  it("repeats the response of a deletion, which is then not missing", async () => {
    await call("POST", "", {
      body: {
        data: [
          { id: 1, name: "a" },
          { id: 2, name: "b" },
        ],
      },
    });
    const remove = (path: string, given: Record<string, string>) =>
      call("DELETE", path, { headers: { ...headers, ...given } });
    expect((await remove("/1", {})).status).toBe(204);
    const again = await remove("/1", {});
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([204, "true"]);
    const whole = { "idempotency-key": "k2", prefer: "return=representation" };
    const shown = await remove("/2", whole);
    const repeated = await remove("/2", whole);
    expect([repeated.status, repeated.text]).toEqual([200, shown.text]);
    expect(repeated.headers.get("preference-applied")).toBe("return=representation");
    expect(await count()).toBe(0);
  });

  it("is released by a change that fails, also by its tag", async () => {
    await call("POST", "", { body: { data: { id: 1, name: "a" } } });
    const change = (tag: string) =>
      call("PATCH", "/1", {
        body: { data: { name: "b" } },
        headers: { ...headers, "if-match": tag },
      });
    expect((await change('"old"')).status).toBe(412);
    expect((await change("*")).status).toBe(200);
  });

  it("makes twenty concurrent changes one", async () => {
    await call("POST", "", { body: { data: { id: 1, name: "a" } } });
    const tag = (await call("GET", "/1")).headers.get("etag") ?? "";
    const sent = { body: { data: { name: "b" } }, headers: { ...headers, "if-match": tag } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("PATCH", "/1", sent)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });

  it("returns no stored response to a caller who has lost the right to create", async () => {
    const other = await createUser(test.database, `o${Date.now()}@example.com`, "Administrators");
    const sent = { body, headers, credential: other.secret };
    expect((await call("POST", "", sent)).status).toBe(201);
    const fall = `delete from system.role_members where user_id = '${other.id}'`;
    await runAs(test.database, other.id, fall);
    expect((await call("POST", "", sent)).status).toBe(401);
  });
});

describe("a method that a table does not expose is a 405 with Allow, whatever else is wrong", () => {
  const faults: readonly (readonly [string, Sent])[] = [
    ["", {}],
    ["", { body: "{" }],
    ["", { body: { data: { nope: 1 } } }],
    ["", { body: "x", headers: { "content-type": "text/plain" } }],
    ["", { body: { data: {} }, headers: { Prefer: "nonsense", "If-Match": "nonsense" } }],
    ["?nope=1", { body: { data: {} } }],
    ["?where[nope][_eq]=1", { body: { data: {} } }],
    ["?where[id][_eq]=x&max_affected=0", {}],
  ];
  const exposeOnly = (...methods: string[]) =>
    test.database.query(
      "update system.resources set exposed_methods = $1::text::text[] where relation_name = 'things'",
      [`{${methods.join()}}`],
    );

  it.each([
    ["PATCH", "", "GET", "GET"],
    ["DELETE", "", "GET", "GET"],
    ["POST", "", "GET", "GET"],
    ["PATCH", "/1", "GET", "GET"],
    ["PATCH", "/no-id", "GET", "GET"],
    ["DELETE", "/1", "GET", "GET"],
    ["GET", "", "POST", "POST"],
    ["GET", "/1", "PATCH", "PATCH"],
    ["GET", "/1/history", "PATCH", "PATCH"],
    ["POST", "/query", "DELETE", "DELETE"],
  ])("%s …/things%s of a table with %s alone", async (method, path, exposed, allow) => {
    await exposeOnly(exposed);
    try {
      for (const [query, sent] of faults) {
        const given = method === "GET" ? { ...sent, body: undefined } : sent;
        const answer = await call(method, path + query, given);
        expect([query, sent, answer.status, answer.headers.get("allow")]).toEqual([
          ...[query, sent, 405, allow],
        ]);
      }
      const file = { body: "id\nx", headers: { "content-type": "text/csv" } };
      if (method === "POST" && path === "") {
        expect((await call("POST", "?dry_run=maybe", file)).status).toBe(405);
      }
    } finally {
      await exposeOnly("GET", "POST", "PATCH", "DELETE");
    }
  });

  it("but a table that the caller may not know of is a 404, and without a credential 401", async () => {
    await exposeOnly("GET");
    await createRole(test.database, "Strangers");
    const stranger = await createUser(test.database, "stranger@example.com", "Strangers");
    expect((await call("PATCH", "", { credential: stranger.secret })).status).toBe(404);
    expect((await call("PATCH", "", { credential: "rhs_wrong" })).status).toBe(401);
    await exposeOnly("GET", "POST", "PATCH", "DELETE");
  });

  it("but a violated constraint of a row that the caller may change and not read is no 404", async () => {
    const { database } = test;
    await database.query(`
      create table public.parcels (id int primary key, weight int check (weight > 0), code text unique);
      insert into public.parcels values (1, 1, 'a'), (2, 2, 'b')`);
    await expose(database, "public", "parcels", "GET", "PATCH");
    await createRole(database, "Packers");
    await database.query(`
      insert into system.grants (role_id, resource_id, action, all_fields, row_filter)
      select r.id, s.id, g.action, true, g.filter::jsonb
      from system.roles r, system.resources s, (values ('READ', '{"id": {"_eq": 2}}'), ('UPDATE', null)) g (action, filter)
      where r.name = 'Packers' and s.relation_name = 'parcels'`);
    const { secret: credential } = await createUser(database, "packer@example.com", "Packers");
    const base = "/api/public/table/parcels";
    const change = async (id: number, data: object) =>
      (await call("PATCH", `/${id}`, { credential, base, body: { data } })).status;
    expect(await change(1, { weight: -1 })).toBe(400);
    expect(await change(1, { code: "b" })).toBe(409);
    expect(await change(3, { weight: -1 })).toBe(404);
    expect(await change(1, { weight: 3 })).toBe(200);
  });
});
