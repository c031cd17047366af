import { expect, it } from "vitest";
import { readServerVersion } from "../src/index.ts";

it("PostgreSQL 15 to 18 are tested, an older one is refused, and a newer one was not tried", () => {
  const cases = {
    ...{ "90624": "TOO_OLD", "140025": "TOO_OLD", "150000": "TESTED", "180099": "TESTED" },
    ...{ "190000": "UNTRIED", "190001": "UNTRIED", "200000": "UNTRIED" },
  };
  for (const [number, support] of Object.entries(cases)) {
    expect([number, readServerVersion(number).support]).toEqual([number, support]);
  }
  expect(readServerVersion("180003")).toEqual({ version: "18.3", major: 18, support: "TESTED" });
});
