// Tier: long. One of the longest files.
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectDirectly } from "../../src/client.ts";
import { asItIs, message, openWire, type Relay, report, type Wire } from "./wire.ts";

// The patched driver (patches/postgres@3.4.9.patch), with PostgreSQL behind a proxy that handles each message.

let test: TestDatabase;
let wire: Wire;
beforeAll(async () => {
  test = await createTestDatabase();
  wire = await openWire(test.url);
});
beforeEach(() => {
  wire.relay = asItIs;
});
afterAll(async () => {
  await wire.close();
  await test.drop();
});

const failing = "select n, 1 / (n - 3) as part from generate_series(1, 5) n where n < $1::int";

/** Sends statements of each kind at once on one connection, and returns the result or the error's code of each. */
const statements: readonly (readonly [
  text: string,
  parameters: string[],
  prepare: boolean,
  answer: unknown,
])[] = [
  ["select 'a' as mark", [], false, [{ mark: "a" }]],
  [failing, ["9"], false, "22012"],
  ["select $1::text as mark", ["b"], false, [{ mark: "b" }]],
  [failing, ["9"], true, "22012"],
  ["select $1::text as mark", ["c"], true, [{ mark: "c" }]],
  ["select 1 as one; select 1 / 0", [], false, "22012"],
  ["select n from generate_series(1, $1::int) n", ["2"], true, [{ n: 1 }, { n: 2 }]],
  ["select from nothing", [], false, "42P01"],
  ["select $1::text as mark", ["d"], true, [{ mark: "d" }]],
];

const answerOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (rows) => rows,
    (error: { code: string }) => error.code,
  );

const ask = (sql: postgres.Sql): Promise<unknown[]> =>
  Promise.all(
    statements.map(([text, parameters, prepare]) =>
      answerOf(sql.unsafe(text, parameters, { prepare }).execute()),
    ),
  );

const expected = statements.map(([, , , answer]) => answer);

const open = () =>
  connectDirectly({ url: wire.url, applicationName: "boundaries", connectionsMax: 1 });

/** Runs the statements twice, the second time with the statements that the first pass prepared. */
async function askTwice(relay: Relay): Promise<unknown[][]> {
  const sql = open();
  wire.relay = relay;
  try {
    return [await ask(sql), await ask(sql)];
  } finally {
    wire.relay = asItIs;
    await sql.end({ timeout: 1 });
  }
}

/** Counts the messages of the connection's first use of the statements, including its startup. */
async function countMessages(): Promise<number> {
  let count = 0;
  const sql = open();
  wire.relay = ({ bytes, index }) => {
    count = index;
    return [bytes];
  };
  await ask(sql);
  wire.relay = asItIs;
  await sql.end({ timeout: 1 });
  return count;
}

describe("each statement receives its own result", () => {
  it.each([1, 2, 3, 4, 5, 6, 11, 64])(
    "when the network delivers %i bytes at a time",
    async (size) => {
      const answers = await askTwice(({ bytes }) =>
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        ),
      );
      expect(answers).toEqual([expected, expected]);
    },
  );

  it("when notices and reports of settings arrive between any two messages", async () => {
    const between = [
      report("N", "01000"),
      message("S", "TimeZone", "UTC"),
      Buffer.concat([Buffer.from("A\0\0\0\x0c\0\0\0\x07c\0p\0", "latin1")]),
    ];
    const answers = await askTwice(({ bytes }) => [...between, bytes]);
    expect(answers).toEqual([expected, expected]);
  });

  it("when an error replaces any message and the rest of its response", async () => {
    const sql = open();
    await ask(sql);
    const messages = await countMessages();
    for (let at = 1; at <= messages; at += 1) {
      let seen = 0;
      let dropping = false;
      wire.relay = ({ bytes, kind }) => {
        seen += 1;
        if (kind === "Z") dropping = false;
        if (dropping) return [];
        if (seen !== at || kind === "Z" || kind === "E") return [bytes];
        dropping = true;
        return [report("E", "57014")];
      };
      const answers = await ask(sql);
      wire.relay = asItIs;
      const others = answers.filter((answer) => answer !== "57014");
      expect(others.length, `message ${at}`).toBeGreaterThanOrEqual(statements.length - 1);
      for (const [index, answer] of answers.entries()) {
        if (answer !== "57014") expect(answer, `message ${at}`).toEqual(expected[index]);
      }
      expect(await ask(sql), `after message ${at}`).toEqual(expected);
    }
    await sql.end({ timeout: 1 });
  });

  it("when the connection ends after any message, on that connection and on the next", async () => {
    const messages = await countMessages();
    for (let at = 1; at <= messages; at += 1) {
      const sql = open();
      let isCut = false;
      wire.relay = ({ bytes, index }) => {
        if (isCut) return [bytes];
        isCut = index === at;
        return isCut ? "cut" : [bytes];
      };
      for (const [index, answer] of (await ask(sql)).entries()) {
        if (answer !== "CONNECTION_CLOSED" && answer !== "ECONNRESET") {
          expect(answer, `message ${at}`).toEqual(expected[index]);
        }
      }
      expect(await ask(sql), `after message ${at}`).toEqual(expected);
      await sql.end({ timeout: 1 });
    }
  });
});
