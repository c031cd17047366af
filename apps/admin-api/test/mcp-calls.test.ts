// Tiers: usual, topologies.
import { type Watched, watchEvents } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
const token = "00000000-0000-4000-8000-000000000001";
const other = "00000000-0000-4000-8000-000000000002";
beforeAll(async () => {
  api = await openTestEnvironment();
  await add(1, 40);
});
afterAll(() => api.test.drop());

/** Records calls whose `rows` are from `first` to `last`. */
const add = (first: number, last: number) =>
  api.test.database.query(
    `insert into system.mcp_calls (called_at, user_id, token_id, client_name, method, tool, outcome, code, duration_ms,
       row_count, byte_count, resource)
     select timestamptz '2026-01-01 00:00Z' + n * interval '1 hour',
       case when n % 2 = 0 then $1::text::uuid else $2::text::uuid end,
       case when n % 3 = 0 then '${token}'::uuid else '${other}'::uuid end, 'Agent', 'tools/call',
       case when n % 5 = 0 then 'update_rows' else 'read_rows' end,
       case when n % 7 = 0 then 'REFUSED' else 'SUCCEEDED' end, case when n % 7 = 0 then 'NOT_FOUND' end, n, n, n * 10,
       'public.table_' || n
     from generate_series($3::text::integer, $4::text::integer) n`,
    [api.admin.id, api.user.id, String(first), String(last)],
  );
interface Call {
  readonly rows: number;
}
const list = async (query: string): Promise<number[]> =>
  (await api.ask("GET", `/mcp/calls?${query}`)).body.data.map(({ rows }: Call) => rows);
const numbers = Array.from({ length: 40 }, (_, index) => 40 - index);

describe("GET /admin/api/mcp/calls", () => {
  it("returns a call with the names of its person, not its arguments", async () => {
    const { body } = await api.ask("GET", "/mcp/calls?limit=1");
    expect(body.data).toEqual([
      {
        ...{ id: expect.any(String), at: "2026-01-02T16:00:00+00:00", userId: api.admin.id },
        ...{ userName: "admin@example.com", tokenId: other, tokenName: null, clientName: "Agent" },
        ...{ method: "tools/call", tool: "update_rows", outcome: "SUCCEEDED", code: null },
        ...{ durationMs: 40, rows: 40, bytes: 400, resource: "public.table_40" },
      },
    ]);
  });

  it.each<[string, () => string, (n: number) => boolean]>([
    ["tool", () => "tool=update_rows", (n) => n % 5 === 0],
    ["outcome", () => "outcome=REFUSED", (n) => n % 7 === 0],
    ["userId", () => `userId=${api.user.id}`, (n) => n % 2 === 1],
    ["tokenId and tool", () => `tokenId=${token}&tool=update_rows`, (n) => n % 15 === 0],
    ["search", () => "search=TABLE_17", (n) => n === 17],
    ["another tool", () => "tool=run_sql", () => false],
  ])("returns the calls of %s, newest first", async (_name, query, isWanted) => {
    expect(await list(query())).toEqual(numbers.filter(isWanted));
  });

  it("continues from a cursor with the same filters", async () => {
    const found: number[] = [];
    let cursor = "";
    do {
      const { body } = await api.ask("GET", `/mcp/calls?tool=read_rows&limit=7${cursor}`);
      found.push(...body.data.map(({ rows }: Call) => rows));
      cursor = body.meta.nextCursor === null ? "" : `&cursor=${body.meta.nextCursor}`;
    } while (cursor !== "");
    expect(found).toEqual(numbers.filter((n) => n % 5 !== 0));
  });

  it.each(["outcome=MAYBE", "userId=1", "tokenId=1", "nope=1", "cursor=x", "limit=0"])(
    "refuses %s",
    async (query) => {
      const answer = await api.ask("GET", `/mcp/calls?${query}`);
      expect([answer.status, answer.faults]).toEqual([
        400,
        [`QUERY_INVALID ${query.split("=")[0]}`],
      ]);
    },
  );

  it("is refused to everybody but administrators, and has no other method", async () => {
    expect((await api.ask("GET", "/mcp/calls", undefined, api.user.secret)).status).toBe(403);
    expect((await api.ask("GET", "/mcp/calls", undefined, null)).status).toBe(401);
    expect((await api.ask("DELETE", "/mcp/calls")).status).toBe(405);
  });
});

describe("the events of calls", () => {
  const open = async (query: string, headers: Record<string, string>): Promise<Watched> =>
    watchEvents((init) => api.fetchRaw(`/admin/api/mcp/calls${query}`, init), {
      Authorization: `Bearer ${api.admin.secret}`,
      Accept: "text/event-stream",
      ...headers,
    });
  const rowsOf = (events: Awaited<ReturnType<Watched["until"]>>) =>
    events.flatMap(({ data }) => (data as Call[]).map(({ rows }) => rows));
  const isAbout =
    (rows: number) =>
    ({ data }: { readonly data: unknown }) =>
      (data as Call[]).some((call) => call.rows === rows);

  it("report new calls that pass the filter, and continue after the last event", async () => {
    const stream = await open("?tool=update_rows", {});
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
    const [first] = await stream.until(() => true);
    expect(first).toMatchObject({ event: "calls", data: [] });
    await add(41, 50);
    const next = await stream.until(isAbout(50));
    expect(rowsOf(next)).toEqual([45, 50]);
    await stream.leave();
    await add(51, 55);
    const again = await open("", { "Last-Event-ID": next.at(-1)?.id ?? "" });
    expect(rowsOf(await again.until(isAbout(55)))).toEqual([51, 52, 53, 54, 55]);
    await again.leave();
  });

  it("refuse parameters of a list and ids of other streams", async () => {
    const refused = async (query: string, headers: Record<string, string>) => {
      const response = await api.fetchRaw(`/admin/api/mcp/calls${query}`, {
        headers: {
          Authorization: `Bearer ${api.admin.secret}`,
          Accept: "text/event-stream",
          ...headers,
        },
      });
      const { errors } = (await response.json()) as { errors: { path?: string }[] };
      return [response.status, errors[0]?.path];
    };
    for (const path of ["limit", "cursor", "search"]) {
      expect(await refused(`?${path}=1`, {})).toEqual([400, path]);
    }
    expect(await refused("", { "Last-Event-ID": "x" })).toEqual([400, "Last-Event-ID"]);
  });

  it("end when the credential of their reader ends", async () => {
    const { database } = api.test;
    const stream = await open("", {});
    await stream.until(() => true);
    await database.query("delete from system.sessions where user_id = $1::text::uuid", [
      api.admin.id,
    ]);
    await stream.rest();
  });
});
