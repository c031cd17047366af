// Tiers: all, long. Counts the steps of hundreds of readings; five times as many in a long run.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { hostileUnits, openStepCounter } from "@rowhouse/testing";
import { afterAll, describe, expect, it } from "vitest";
import { bodyKindOf, parseJson, requestIdFrom, splitQuery } from "../src/index.ts";

const counter = await openStepCounter();
afterAll(() => counter.close());

const units = [
  ...hostileUnits,
  "[[",
  '{"a":',
  "[1,",
  '"\\"',
  '{"a":1,"a":',
  "1e5",
  "text/html,",
  "*/*;q=0.1,",
];

const call = (url: string, headers: IncomingHttpHeaders) =>
  ({ method: "POST", url, headers }) as IncomingMessage;

describe("twice the text takes at most in proportion more steps", () => {
  it.each<[string, (text: string) => unknown]>([
    ["a body of JSON", parseJson],
    ["a text of JSON", (text) => parseJson(JSON.stringify({ [text]: text }))],
    ["a key that occurs twice", (text) => parseJson(`{"a":${JSON.stringify(text)},"a":1}`)],
    [
      "Content-Type",
      (text) => bodyKindOf(call("/api/public/table/tree/rows", { "content-type": text })),
    ],
    ["a path", (text) => bodyKindOf(call(text, { "content-type": "text/csv" }))],
    ["an address", splitQuery],
    ["X-Request-Id", requestIdFrom],
  ])(
    "in %s",
    async (_part, read) => {
      expect(await counter.findExcess(read, units)).toEqual([]);
    },
    120_000,
  );
});
