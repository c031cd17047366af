import { hasRedis, type RedisServer, startRedis } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatheringRedis } from "../src/queue/gathering-redis.ts";

describe.runIf(hasRedis())("GatheringRedis", () => {
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

  it("commands of one turn are sent by one write, in order", async () => {
    const before = await reads();
    const answers = await Promise.all(Array.from({ length: 100 }, () => connection.incr("count")));
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect((await reads()) - before).toBeLessThan(10);
  });

  it("pipelines, transactions and single commands keep their order, large ones too", async () => {
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

  it("the connection works again after the server has restarted", async () => {
    const asked = connection.incr("again");
    await connection.call("client", "kill", "skipme", "no", "type", "normal").catch(() => {});
    expect(await asked).toBe(1);
    expect(await connection.incr("again")).toBe(2);
    expect(await connection.incr("count")).toBe(101);
  });

  it("commands of the turn in which the connection is closed are still sent", async () => {
    const closing = new GatheringRedis(server.url);
    await closing.ping();
    const last = closing.set("last", "word");
    const bye = closing.quit();
    expect(await Promise.all([last, bye])).toEqual(["OK", "OK"]);
    expect(await connection.get("last")).toBe("word");
  });
});
