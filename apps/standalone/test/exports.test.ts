// Tiers: long, topologies. Starts processes.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { topologyNames } from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type ExportEnvironment,
  type Opened,
  openExportEnvironment,
  rowCount,
} from "./export-environment.ts";

const large = "/api/public/table/large";
const wages = `/api/public/table/${encodeURIComponent('Löhne, "2024"')}`;

describe.each(topologyNames("one", "four"))("an export by HTTP, %s", (kind) => {
  let environment: ExportEnvironment;

  beforeAll(async () => {
    environment = await openExportEnvironment(kind);
  }, 180_000);
  afterAll(() => environment.stop());
  afterEach(async () => {
    await expect.poll(() => environment.statements()).toEqual([]);
  });

  const read = async (answer: Opened["answer"]) => {
    for await (const chunk of answer) expect(chunk.length).toBeGreaterThan(0);
  };

  /** Reads a whole response, and returns the memory growth of each process meanwhile. */
  const measure = async (path: string, accept: string, pauseMs = 0) => {
    const before = await environment.memory();
    const { answer } = await environment.open(path, { Accept: accept });
    let [lines, chunks] = [0, 0];
    const grown = before.map(() => 0);
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === 10) lines += 1;
      chunks += 1;
      if (pauseMs > 0 && chunks % 100 === 0) await sleep(pauseMs);
      if (chunks % 200 !== 0) continue;
      const now = await environment.memory();
      for (const [index, bytes] of now.entries()) {
        grown[index] = Math.max(grown[index] ?? 0, bytes - (before[index] ?? 0));
      }
    }
    return { complete: answer.complete, lines, grown: Math.max(...grown) };
  };

  it("is a file with a name, whose text no spreadsheet executes", async () => {
    const answer = await environment.ask(wages, "text/csv");
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition":
        "attachment; filename=\"L_hne_ _2024_.csv\"; filename*=UTF-8''L%C3%B6hne%2C%20%222024%22.csv",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    });
    expect(answer.headers.get("x-request-id")).toBeTruthy();
    expect(await answer.text()).toBe(`id,name,amount\r\n1,"'=1+1",-5\r\n2,Zoë,10.50\r\n3,,\r\n`);
    const lines = await environment.ask(wages, "application/x-ndjson");
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(await lines.text()).toBe(
      '{"id":1,"name":"=1+1","amount":"-5"}\n{"id":2,"name":"Zoë","amount":"10.50"}\n{"id":3,"name":null,"amount":null}\n',
    );
    const view = await environment.ask("/api/public/view/failing?limit=1&fields=id", "text/csv");
    expect(view.headers.get("content-disposition")).toBe('attachment; filename="failing.csv"');
    expect(await view.text()).toBe("id\r\n1\r\n");
  });

  it("is returned to callers who prefer its format to JSON", async () => {
    for (const [accept, type] of [
      ["*/*", "application/json"],
      ["application/json, text/csv", "application/json"],
      ["text/csv;q=0.5, application/json", "application/json"],
      ["text/csv;q=0.5, */*", "application/json"],
      ["text/csv;q=0", "application/json"],
      ["text/html, application/xml", "application/json"],
      ["text/csvx", "application/json"],
      ["text/csv, */*", "text/csv"],
      ["TEXT/CSV; charset=utf-8", "text/csv"],
      ["text/csv, application/json", "text/csv"],
      [
        "application/json;q=0.1, application/x-ndjson;q=0.2, text/csv;q=0.1",
        "application/x-ndjson",
      ],
    ]) {
      const answer = await environment.ask(`${wages}?limit=1`, accept ?? "");
      expect([accept, answer.headers.get("content-type")?.split(";")[0]]).toEqual([accept, type]);
      await answer.text();
    }
    const row = await environment.ask(`${wages}/1`, "text/csv");
    expect(row.headers.get("content-type")).toBe("application/json");
  });

  it("returns the errors of the contract", async () => {
    const errorOf = async (path: string) => {
      const answer = await environment.ask(path, "text/csv");
      const { errors } = (await answer.json()) as { errors: { code: string; path?: string }[] };
      return [answer.status, ...errors.map(({ code, path: at }) => `${code} ${at ?? ""}`.trim())];
    };
    expect(await errorOf(`${large}?where[nope][_eq]=1`)).toEqual([
      400,
      expect.stringMatching(/^FIELD_UNKNOWN .*nope/),
    ]);
    expect(await errorOf(`${large}?limit=x&nope=1`)).toEqual([
      400,
      "QUERY_INVALID limit",
      "QUERY_INVALID nope",
    ]);
    expect(await errorOf(`${large}?where[id][_eq]=x`)).toEqual([
      400,
      "VALUE_INVALID where[id][_eq]",
    ]);
    expect(await errorOf("/api/public/table/nothing")).toEqual([404, "NOT_FOUND"]);
    expect(await errorOf("/api/public/view/failing?order_by=quotient")).toEqual([
      400,
      "VALUE_INVALID",
    ]);
    const { answer } = await environment.open(`${large}?limit=x`, {
      Accept: "text/csv",
      Authorization: "Bearer nothing",
    });
    expect(answer.statusCode).toBe(401);
    answer.resume();
  });

  it("answers a HEAD request without reading a row", async () => {
    const head = await environment.ask(large, "text/csv", "HEAD");
    expect(head.status).toBe(200);
    expect(head.headers.get("content-disposition")).toBe('attachment; filename="large.csv"');
    const slow = await environment.ask("/api/public/view/slow", "text/csv", "HEAD");
    expect(slow.status).toBe(200);
    expect((await environment.ask(`${large}?limit=x`, "text/csv", "HEAD")).status).toBe(400);
  });

  it("of many rows arrives complete, in memory that does not grow with the rows", async () => {
    await measure(`${large}?limit=50000`, "text/csv");
    const csv = await measure(large, "text/csv");
    expect([csv.complete, csv.lines]).toEqual([true, rowCount + 1]);
    expect(csv.grown).toBeLessThan(100_000_000);
    const ndjson = await measure(large, "application/x-ndjson", 20);
    expect([ndjson.complete, ndjson.lines]).toEqual([true, rowCount]);
    expect(ndjson.grown).toBeLessThan(100_000_000);
  });

  it("waits in PostgreSQL for a slow reader, while other requests are served", async () => {
    const before = await environment.memory();
    const { request, answer } = await environment.open(large, { Accept: "text/csv" });
    answer.pause();
    await expect.poll(() => environment.statements()).toEqual(["ClientWrite"]);
    for (let round = 0; round < 20; round += 1) {
      const other = await environment.ask(`${large}?limit=1`, "application/json");
      expect(other.status).toBe(200);
      await other.text();
    }
    expect(await environment.statements()).toEqual(["ClientWrite"]);
    const now = await environment.memory();
    for (const [index, bytes] of now.entries()) {
      expect(bytes - (before[index] ?? 0)).toBeLessThan(60_000_000);
    }
    request.destroy();
  });

  it("is canceled in PostgreSQL when its caller disconnects: in the middle, and before its first row", async () => {
    const { request, answer } = await environment.open(large, { Accept: "application/x-ndjson" });
    answer.once("data", () => answer.pause());
    await once(answer, "data");
    await expect.poll(() => environment.statements()).toEqual(["ClientWrite"]);
    request.destroy();
    await expect.poll(() => environment.statements()).toEqual([]);

    const away = new AbortController();
    const asking = environment
      .ask("/api/public/view/slow", "text/csv", "GET", away.signal)
      .catch((error: Error) => error.name);
    await expect.poll(() => environment.statements()).toEqual(["PgSleep"]);
    away.abort();
    expect(await asking).toBe("AbortError");
  });

  it("that fails in the middle is an aborted transfer without details", async () => {
    const { answer } = await environment.open("/api/public/view/failing", {
      Accept: "application/x-ndjson",
    });
    expect(answer.statusCode).toBe(200);
    let text = "";
    answer.on("data", (chunk) => {
      text += chunk;
    });
    await expect(once(answer, "end")).rejects.toThrow("aborted");
    expect(answer.complete).toBe(false);
    expect(text.length).toBeGreaterThan(0);
    expect(text).not.toMatch(/division|error/i);
    await expect.poll(() => environment.output()).toContain("An export was aborted");
  });

  it("whose caller has stopped reading is aborted", async () => {
    await environment.set("data.export_stall_ms", 3000);
    const { answer } = await environment.open(large, { Accept: "text/csv" });
    answer.pause();
    await expect.poll(() => environment.statements()).toEqual(["ClientWrite"]);
    await expect.poll(() => environment.statements()).toEqual([]);
    await expect(read(answer)).rejects.toThrow("aborted");
    expect(answer.complete).toBe(false);
    await environment.set("data.export_stall_ms", 60_000);
  });

  it("beyond a user's limit is rejected with Retry-After", async () => {
    await environment.set("data.max_exports_per_user", 1);
    // Each process counts separately; a request may reach one with or without a running export.
    const giveUp = new AbortController();
    const ask = () => environment.ask(large, "text/csv", "GET", giveUp.signal);
    let refused = await ask();
    let accepted = 0;
    for (; refused.status === 200; accepted += 1) refused = await ask();
    expect(accepted).toBeGreaterThanOrEqual(1);
    expect(accepted).toBeLessThanOrEqual(environment.dataApis);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    giveUp.abort();
    const again = async () => (await environment.ask(`${large}?limit=1`, "text/csv")).status;
    await expect.poll(again).toBe(200);
    await environment.set("data.max_exports_per_user", 2);
  });

  it("aborts visibly when PostgreSQL stops", async () => {
    const { answer } = await environment.open(large, { Accept: "text/csv" });
    answer.pause();
    await expect.poll(() => environment.statements()).toEqual(["ClientWrite"]);
    await environment.test.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '/*%' and datname = current_database()",
    );
    await expect(read(answer)).rejects.toThrow("aborted");
    const after = await environment.ask(`${large}?limit=1`, "text/csv");
    expect(await after.text()).toContain("row 1");
  });

  it("is rejected at once after the grant was removed", async () => {
    const read = async () => {
      const answer = await environment.ask(`${wages}?limit=1`, "text/csv");
      await answer.text();
      return answer.status;
    };
    expect(await read()).toBe(200);
    await environment.test.database.query(
      "delete from system.grants where resource_id = (select id from system.resources where relation_name like 'L%2024_')",
    );
    expect(await read()).toBe(404);
  });
});
