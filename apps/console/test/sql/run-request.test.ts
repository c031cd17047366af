import { expect, it } from "vitest";
import { mentionedTables } from "../../src/shell/mentioned-tables.ts";
import { readPlan } from "../../src/sql/plan/read-plan.ts";
import { placeOf, type RunRequest } from "../../src/sql/run-request.ts";
import { addToHistory } from "../../src/sql/statement-history.ts";

const request: RunRequest = {
  ...{ text: "select '😀', nope", from: 10, isExplain: false, readOnly: true },
  ...{ rowsMax: undefined, timeoutMs: undefined },
};

it("a fault stands at its word, counted in characters of the selection that was sent", () => {
  expect(placeOf(13, "no column", request)).toEqual({ from: 23, to: 27, message: "no column" });
  const explained = { ...request, isExplain: true };
  const shift = "explain (format json) ".length;
  expect(placeOf(13 + shift, "no column", explained)).toMatchObject({ from: 23, to: 27 });
});

it("the costliest node of a plan is the one whose own cost is highest", () => {
  const scan = (cost: number, name: string) => ({
    ...{ "Node Type": "Seq Scan", "Relation Name": name, Alias: "x", Filter: "(a > 1)" },
    ...{ "Total Cost": cost, "Plan Rows": 5 },
  });
  const plan = readPlan({
    ...{ command: "EXPLAIN", columns: [], rowCount: 1, truncated: false },
    rows: [
      [
        [
          {
            Plan: {
              ...{ "Node Type": "Nested Loop", "Join Type": "Left", "Total Cost": 100 },
              Plans: [scan(70, "trips"), scan(10, "vehicles")],
            },
          },
        ],
      ],
    ],
  });
  expect([plan?.type, plan?.share, plan?.isCostliest]).toEqual(["Left Nested Loop", 0.2, false]);
  expect(
    plan?.children.map(({ target, share, isCostliest }) => [target, share, isCostliest]),
  ).toEqual([
    ["trips · x", 0.7, true],
    ["vehicles · x", 0.1, false],
  ]);
});

it("the history has its last 50 statements, each once", () => {
  let history: Parameters<typeof addToHistory>[0] = [];
  for (let number = 0; number < 60; number += 1) {
    const entry = { text: `select ${number}`, at: "2026-01-01T00:00:00Z", hasFailed: false };
    history = addToHistory(history, entry);
  }
  history = addToHistory(history, {
    text: "select 30",
    at: "2026-01-02T00:00:00Z",
    hasFailed: true,
  });
  expect([history.length, history[0]?.text, history.at(-1)?.text]).toEqual([
    50,
    "select 30",
    "select 10",
  ]);
});

it("a table is mentioned if its name is a word of the text", () => {
  const tables = ["trips", "two words", "trip"].map((name) => ({ id: name, schema: "s", name }));
  const names = mentionedTables(tables, 'select * from TRIPS, "two words"').map(({ name }) => name);
  expect(names).toEqual(["trips", "two words"]);
});
