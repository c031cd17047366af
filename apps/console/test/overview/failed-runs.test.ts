import { expect, it } from "vitest";
import { groupFailedRuns } from "../../src/overview/failed-runs.ts";
import { isNearEnd } from "../../src/shell/token-life.ts";

const run = (id: string, message: string, step: string | null = "a", status = "FAILED") => ({
  ...{ id, workflowId: "w", workflowSlug: "slug", status, acceptedAt: `2026-01-0${id}T00:00:00Z` },
  error: { message, step },
});

it("failed runs with one workflow, step and message are one entry, with the time of the last", () => {
  const runs = [run("5", "no"), run("4", "yes"), run("3", "no"), run("2", "no", "b")];
  const ended = run("1", "no", "a", "SUCCEEDED");
  const groups = groupFailedRuns([...runs, ended], new Map([["w", "Orders"]]));
  expect(
    groups.map(({ workflow, step, message, count }) => [workflow, step, message, count]),
  ).toEqual([
    ["Orders", "a", "no", 2],
    ["Orders", "a", "yes", 1],
    ["Orders", "b", "no", 1],
  ]);
  expect(groups[0]).toMatchObject({ at: "2026-01-05T00:00:00Z" });
  expect(groups.map(({ href }) => href)).toEqual([
    "/admin/workflows/w/runs?status=FAILED",
    "/admin/workflows/w/runs/4",
    "/admin/workflows/w/runs/2",
  ]);
});

it("a long message is cut, and a workflow without a name is called by its key", () => {
  const [group] = groupFailedRuns([run("1", `a\n${"b".repeat(1000)}`, null)], new Map());
  expect(group?.message).toMatch(/^a b+…$/);
  expect(group?.message.length).toBe(140);
  expect(group?.workflow).toBe("slug");
});

it("a token nears its end with a fifth of its lifetime left", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const token = (expiresAt: string) => ({ lifetime: 10, expiresAt });
  expect(isNearEnd(token("2026-01-03T00:00:00Z"), now)).toBe(true);
  expect(isNearEnd(token("2026-01-03T00:00:01Z"), now)).toBe(false);
});
