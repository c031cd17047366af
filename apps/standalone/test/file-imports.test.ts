// Tiers: long, topologies. Starts processes.
import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { topologyNames } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExportEnvironment, openExportEnvironment } from "./export-environment.ts";

const path = "/api/public/table/imported";

describe.each(topologyNames("one", "four"))("an import by HTTP, %s", (kind) => {
  let environment: ExportEnvironment;

  beforeAll(async () => {
    environment = await openExportEnvironment(kind);
    const { database } = environment.test;
    await database.query("create table public.imported (id int primary key, name text, size int)");
    await database.query(
      "update system.resources set exposed_methods = '{POST}' where relation_name = 'imported'",
    );
    await allowCreate();
  }, 180_000);
  afterAll(() => environment.stop());
  beforeEach(() => environment.test.database.query("truncate public.imported"));

  const allowCreate = async () => {
    const { test, roleId } = environment;
    await test.database.query(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select $1::text::uuid, id, 'CREATE', true from system.resources where relation_name = 'imported'`,
      [roleId],
    );
  };
  const count = async () => {
    const rows = await environment.test.database.query<{ count: string }>(
      "select count(*)::text as count from public.imported",
    );
    return Number(rows[0]?.count);
  };
  /** The connections of running imports. */
  const sessions = async () => {
    const rows = await environment.test.database.query<{ locks: string }>(
      `select (select count(*)::text from pg_locks l where l.pid = a.pid and l.relation = 'public.imported'::regclass) as locks
       from pg_stat_activity a where a.query like 'copy pg_temp.%' and a.state = 'active' and a.datname = current_database()`,
    );
    return rows.map(({ locks }) => Number(locks));
  };

  interface Upload {
    readonly request: ClientRequest;
    readonly answer: Promise<{ readonly status: number | undefined; readonly body: string }>;
    write(text: string): Promise<void>;
  }

  /** Starts an import, whose body is still to be written. */
  const open = (query = "", headers: Readonly<Record<string, string>> = {}): Upload => {
    const request = sendRequest(`${environment.url}${path}${query}`, {
      method: "POST",
      agent: false,
      headers: {
        Authorization: `Bearer ${environment.user.secret}`,
        "Content-Type": "text/csv",
        ...headers,
      },
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve);
      request.once("error", reject);
    }).then(async (incoming) => {
      let body = "";
      for await (const chunk of incoming) body += String(chunk);
      return { status: incoming.statusCode, body };
    });
    answer.catch(() => {});
    const write = async (text: string) => {
      if (request.write(text)) return;
      await Promise.race([answer, new Promise((resolve) => request.once("drain", resolve))]);
    };
    return { request, answer, write };
  };

  it("creates many rows in constant memory", async () => {
    const before = await environment.memory();
    const { request, answer, write } = open();
    const least = before.map(() => Number.POSITIVE_INFINITY);
    await write("id,name,size\n");
    const rows = 800_000;
    for (let at = 0; at < rows; at += 1000) {
      const lines = Array.from({ length: 1000 }, (_, row) => `${at + row},${"n".repeat(200)},1\n`);
      await write(lines.join(""));
      if (at < rows / 2 || at % 20_000 !== 0) continue;
      for (const [index, bytes] of (await environment.memory()).entries()) {
        least[index] = Math.min(least[index] ?? 0, bytes - (before[index] ?? 0));
      }
    }
    request.end();
    expect(await answer).toEqual({
      status: 201,
      body: `{"data":{"inserted":${rows},"updated":0,"skipped":0},"meta":{"dryRun":false}}`,
    });
    expect(await count()).toBe(rows);
    // The file has 170 MB. A process that held the body would have 85 MB of it from its middle on; one that does not
    // returns to less after each collection of garbage.
    expect(Math.max(...least)).toBeLessThan(75_000_000);
  }, 60_000);

  it("locks nothing while its upload is slow, and uses the table as it is at its end", async () => {
    const { database } = environment.test;
    const { request, answer, write } = open();
    await write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    await database.query("insert into public.imported values (2, 'other', 3)");
    await database.query("alter table public.imported alter column size set default 7");
    await database.query("alter table public.imported alter column id type bigint");
    await write("9007199254740993,b\n");
    request.end();
    // The values were checked for the column as it was when the upload began.
    expect((await answer).status).toBe(400);
    const again = open();
    again.request.end("id,name\n9007199254740993,b\n");
    expect((await again.answer).status).toBe(201);
    expect(await database.query("select id::text, size from public.imported order by 1")).toEqual([
      { id: "2", size: 3 },
      { id: "9007199254740993", size: 7 },
    ]);
    const renamed = open();
    await renamed.write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    await database.query("alter table public.imported rename column name to label");
    renamed.request.end();
    expect(await renamed.answer).toMatchObject({
      status: 400,
      body: expect.stringContaining("FIELD_UNKNOWN"),
    });
    await database.query("alter table public.imported rename column label to name");
    await database.query("delete from public.imported");
    await database.query("alter table public.imported alter column id type int");
  });

  it("leaves nothing behind if its caller disconnects", async () => {
    const { request, write } = open();
    await write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    request.destroy();
    await expect.poll(sessions).toEqual([]);
    expect(await count()).toBe(0);
    const { answer, request: next } = open();
    next.end("id\n1\n");
    expect((await answer).status).toBe(201);
  });

  it("leaves nothing behind if its caller disconnects while the rows are written", async () => {
    const { database } = environment.test;
    const waiting = async () =>
      (
        await database.query(
          "select pid from pg_locks where relation = 'public.imported'::regclass and not granted",
        )
      ).length;
    await database.transaction(async (transaction) => {
      await transaction.query("lock table public.imported in access exclusive mode");
      const { request } = open();
      request.end("id,name\n1,a\n");
      await expect.poll(waiting).toBe(1);
      request.destroy();
      await expect.poll(waiting).toBe(0);
    });
    expect(await count()).toBe(0);
  });

  it("is refused at its end as if the table did not exist if the only right was revoked meanwhile", async () => {
    const { database } = environment.test;
    const { request, answer, write } = open();
    await write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    await database.query("delete from system.grants where action = 'CREATE'");
    request.end("2,b\n");
    expect((await answer).status).toBe(404);
    expect(await count()).toBe(0);
    await allowCreate();
  });

  it("is refused above its own limits", async () => {
    const statusOf = async (headers: Readonly<Record<string, string>>, body: string) => {
      const { request, answer } = open("", headers);
      request.end(body);
      return (await answer).status;
    };
    const large = `id,name\n${Array.from({ length: 200 }, (_, row) => `${row},${"x".repeat(20)}\n`).join("")}`;
    await environment.set("limits.import_bytes", 2000);
    expect(await statusOf({ "Content-Length": String(large.length) }, large)).toBe(413);
    expect(await statusOf({ "Transfer-Encoding": "chunked" }, large)).toBe(413);
    await environment.set("limits.import_bytes", 1_000_000);
    await environment.set("limits.import_rows", 199);
    expect(await statusOf({}, large)).toBe(413);
    await environment.set("limits.import_rows", 200);
    await environment.set("limits.import_stall_ms", 1000);
    const { write, answer } = open();
    await write("id,name\n");
    expect(await answer).toMatchObject({ status: 400, body: expect.stringContaining("stalled") });
    await environment.set("limits.import_stall_ms", 30_000);
    await environment.set("limits.body_bytes", 2000);
    expect(await statusOf({}, large)).toBe(201);
    const plain = { "Content-Type": "text/plain", "Content-Length": String(large.length) };
    // A gateway of its own reads the settings every second.
    await expect.poll(() => statusOf(plain, large), { timeout: 5000 }).toBe(413);
    await environment.set("limits.body_bytes", 1_048_576);
  });

  it("is refused above the number of concurrent imports of its user, before its body is read", async () => {
    const first = open();
    await first.write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    if (environment.dataApis === 1) {
      const second = open();
      await second.write("id\n");
      expect((await second.answer).status).toBe(429);
      second.request.destroy();
    }
    first.request.end();
    expect((await first.answer).status).toBe(201);
  });

  it("that is refused early is answered whole, and so is the next request of the caller", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (query: string, type: string, body: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          Authorization: `Bearer ${environment.user.secret}`,
          "Content-Type": type,
          "Content-Length": String(Buffer.byteLength(body)),
        };
        const options = { method: "POST", agent, headers };
        sendRequest(`${environment.url}${path}${query}`, options, resolve)
          .on("error", reject)
          .end(body);
      }).then(async (incoming) => {
        let text = "";
        for await (const chunk of incoming) text += String(chunk);
        return [incoming.statusCode, JSON.parse(text).errors?.[0]?.code];
      });
    await environment.test.database.query("delete from public.imported");
    const unknown = `id,nosuch\n${"1,xxxxxxxxxxxxxxxxxxxx\n".repeat(40_000)}`;
    for (let round = 0; round < 8; round += 1) {
      expect(await ask("", "text/csv", unknown)).toEqual([400, "FIELD_UNKNOWN"]);
      await sleep(round * 80);
      const row = JSON.stringify({ data: { id: round } });
      expect(await ask("", "application/json", row)).toEqual([201, undefined]);
    }
    agent.destroy();
  });

  it("is refused without a credential before its body is read", async () => {
    const { answer, request, write } = open("", { Authorization: "Bearer nothing" });
    await write("id\n");
    expect((await answer).status).toBe(401);
    request.destroy();
    await sleep(0);
  });

  it("leaves nothing behind if its processes are killed", async () => {
    const { database } = environment.test;
    const { request, answer, write } = open();
    await write("id,name\n1,a\n");
    await expect.poll(sessions).toEqual([0]);
    environment.kill();
    await expect(answer).rejects.toThrow();
    request.destroy();
    await expect.poll(sessions).toEqual([]);
    expect(await database.query("select from pg_class where relpersistence = 't'")).toEqual([]);
    expect(await count()).toBe(0);
  });
});
