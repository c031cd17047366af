import { afterAll, beforeAll, expect, it } from "vitest";
import { readRun } from "../src/index.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A deferred constraint is checked at the commit, after the state machine has moved.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ reconcileEveryMs: 200 });
  await environment.database.query("create table public.parent (id bigint primary key)");
  await environment.database.query(
    `create table public.child (id bigint primary key, parent_id bigint
       references public.parent (id) deferrable initially deferred)`,
  );
});
afterAll(() => environment.close());

it("a row that a deferred constraint refuses fails its step, which can be handled", async () => {
  const orphan = (id: string, key: number) =>
    ({
      id,
      kind: "createRow",
      table: "child",
      values: { id: key, parent_id: key },
      onError: "continue",
    }) as const;
  const { id, slug } = await environment.publish(
    [
      { id: "first", kind: "createRow", table: "parent", values: { id: 1 } },
      orphan("orphan", 2),
      orphan("next", 3),
      { ...orphan("fits", 1), onError: "fail" },
      { id: "end", kind: "finish", result: ["{{errors.orphan}}", "{{steps.fits.id}}"] },
    ],
    { response: "ASYNCHRONOUS" },
  );
  const { run } = (await environment.call(slug)).body.data;
  await expect
    .poll(() => environment.readRun(run), { timeout: 20_000 })
    .toMatchObject({
      ...{ status: "SUCCEEDED", error: null },
      result: [{ code: "FOREIGN_KEY_VIOLATION", step: "orphan" }, expect.anything()],
    });
  const { steps } = await readRun(environment.database, id, run);
  expect(steps.map(({ path, status }) => `${path} ${status}`)).toEqual([
    ...["first SUCCEEDED", "orphan FAILED", "next FAILED", "fits SUCCEEDED", "end SUCCEEDED"],
  ]);
  expect(await environment.database.query("select id from public.child")).toHaveLength(1);
  // The first violation repeats its step, and says why.
  expect(environment.failures).toMatchObject([{ code: "SERVICE_UNAVAILABLE" }]);
});
