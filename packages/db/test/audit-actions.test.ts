import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { auditActions } from "../src/records/audit-actions.ts";

it("the list of audited actions has those that the triggers of the system schema record", async () => {
  const schema = await readFile(new URL("../schema.sql", import.meta.url), "utf8");
  const kinds = [...schema.matchAll(/system\.record_change\('(\w+)'\)/g)].map(([, kind]) => kind);
  expect(kinds).toContain("role_member");
  const recorded = kinds.flatMap((kind) =>
    ["create", "update", "delete"].map((verb) => `${kind}.${verb}`),
  );
  const written = [...schema.matchAll(/'(user\.\w+)', '?user/g)].map(([, action]) => action ?? "");
  expect(written).toContain("user.make_administrator");
  const known: readonly string[] = auditActions;
  expect([...recorded, ...written].filter((action) => !known.includes(action))).toEqual([]);
});
