import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatheringRedis } from "../src/queue/gathering-redis.ts";

describe.runIf(hasRedis())("a connection to Redis that gathers its commands", () => {
  let server: RedisServer;
  let connection: GatheringRedis;
  beforeAll(async () => {
    server = await startRedis();
    connection = new GatheringRedis(server.url);
  });
  afterAll(async () => {
    connection.disconnect();
    await server.stop();
  });

  /** How often the server has read from its connections. */
  const reads = async (): Promise<number> => {
    const info = await connection.info("stats");
    return Number(/total_reads_processed:(\d+)/.exec(info)?.[1]);
  };

  it("sends those of one turn by one write, in their order", async () => {
    const before = await reads();
    const answers = await Promise.all(Array.from({ length: 100 }, () => connection.incr("count")));
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect((await reads()) - before).toBeLessThan(10);
  });

  it("keeps the order of pipelines, transactions and single commands, large ones too", async () => {
    const large = "x".repeat(1_000_000);
    const [, , , , text] = await Promise.all([
      connection.set("text", large),
      connection.append("text", "a"),
      connection.pipeline().append("text", "b").append("text", "c").exec(),
      connection.multi().append("text", "d").append("text", "e").exec(),
      connection.get("text"),
    ]);
    expect(text).toBe(`${large}abcde`);
  });

  it("goes on after the server went away and came back", async () => {
    const asked = connection.incr("again");
    await connection.call("client", "kill", "skipme", "no", "type", "normal").catch(() => {});
    expect(await asked).toBe(1);
    expect(await connection.incr("again")).toBe(2);
    expect(await connection.incr("count")).toBe(101);
  });

  it("sends what was asked before it is closed in the same turn", async () => {
    const closing = new GatheringRedis(server.url);
    await closing.ping();
    const last = closing.set("last", "word");
    const bye = closing.quit();
    expect(await Promise.all([last, bye])).toEqual(["OK", "OK"]);
    expect(await connection.get("last")).toBe("word");
  });
});
