import { expect, it } from "vitest";
import type { Plan } from "../src/configuration/plan/exit-code.ts";
import { printPlan } from "../src/configuration/print.ts";

const planned = (kind: string, sql: readonly string[], changes: readonly object[]): Plan => {
  const step = {
    ...{ kind, subject: "a", document: "a.yaml", line: 1, sql, moreChanges: 2 },
    ...{ locks: [], losses: [], notes: [], failing: [], needsConsent: [] },
    ...{ isOptional: false, sessionOnly: false },
    changes: changes.map((change) => ({ before: null, after: null, leftOut: 0, ...change })),
  };
  const note = { document: "b.yaml", subject: "b", message: "It has no effect" };
  return { steps: [step], missing: [], notes: [note], notInTransaction: [] } as unknown as Plan;
};
const plain = (_: string, text: string) => text;

it("a plan prints statements and diffs line by line, and what a long plan leaves out", () => {
  const changes = [
    { field: "label", before: '"A"', after: '"B"', diff: null },
    { field: "source", diff: "@@ -1,1 +1,2 @@\n-a\n+b\n+c\n", leftOut: 30 },
    { field: "", diff: "@@ -0,0 +1,1 @@ - id: one\n+d\n" },
  ];
  const plan = planned("table.create", ["create table a (\n  b int\n)"], changes);
  expect(printPlan(plan, [], plain)).toBe(`1 step, in one transaction:

+ table.create a a.yaml
    create table a (
      b int
    )
    label: "A" -> "B"
    source:
    @@ -1,1 +1,2 @@
    -a
    +b
    +c
    … 30 more characters, because the plan is long
    @@ -0,0 +1,1 @@ - id: one
    +d
    and 2 more changes, because the plan is long

! b: It has no effect b.yaml
`);
});

it("the lines of a diff have colors for a terminal", () => {
  const plan = planned(
    "template.update",
    [],
    [{ field: "a", diff: "@@ -1,2 +1,2 @@\n b\n-c\n+d\n" }],
  );
  const painted = printPlan(plan, [], (color, text) => `<${color}>${text}</>`);
  expect(painted).toContain(
    "    <dim>@@ -1,2 +1,2 @@</>\n     b\n    <red>-c</>\n    <green>+d</>\n",
  );
});

it("a changed statement prints its changed lines alone, and a consent that loses nothing is no loss", () => {
  const sql = ["create or replace function f()\nreturn 2"];
  const diff = "@@ -1,2 +1,2 @@\n create function f()\n-return 1\n+return 2\n";
  const plan = planned("sql.replace", sql, [{ field: "sql", diff }]);
  const printed = printPlan(plan, [], plain);
  expect(printed).not.toContain("create or replace");
  expect(printed).toContain("    -return 1\n    +return 2\n");
  const created = planned("sql.create", sql, []);
  const [step] = created.steps.map((one) => ({ ...one, needsConsent: ["definer:f()"] }));
  expect(printPlan({ ...created, steps: step === undefined ? [] : [step] }, [], plain)).toContain(
    "+ sql.create a a.yaml\n    create or replace",
  );
});
