import { expect, it } from "vitest";
import {
  codeOfPlan,
  exitCodes,
  missingIn,
  type Plan,
} from "../src/configuration/plan/exit-code.ts";
import { printPlan } from "../src/configuration/print.ts";

const planWith = (rows: number | null): Plan => {
  const failing = [
    {
      path: "",
      code: "VALUE_INVALID",
      message: "Rows have values that cannot be converted",
      rows,
      keys: [],
    },
  ];
  const step = {
    ...{ kind: "table.alter", subject: "app.note", document: "tables/app/note.yaml", line: 1 },
    ...{ sql: [], changes: [], locks: [], losses: [], notes: [], failing, needsConsent: [] },
    ...{ isOptional: false, sessionOnly: false },
  };
  return { steps: [step], missing: [], notes: [], notInTransaction: [] } as unknown as Plan;
};

it("a plan whose rows the service could not check in time is no plan that fails on them", () => {
  expect(missingIn(planWith(3), [])).toHaveLength(1);
  expect(codeOfPlan(planWith(3), [])).toBe(exitCodes.missing);
  expect(missingIn(planWith(null), [])).toEqual([]);
  expect(codeOfPlan(planWith(null), [])).toBe(exitCodes.changes);
  expect(printPlan(planWith(null), [], (_, text) => text)).toContain(
    "    not checked within the time limit: Rows have values that cannot be converted\n",
  );
});
