import { AppError } from "@rowhouse/errors";
import { moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setWorkflowEnabled } from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.close());

const write = [
  {
    id: "row",
    kind: "createRow" as const,
    table: "trip",
    values: { note: "{{start.data.body.note}}" },
  },
  { id: "end", kind: "finish" as const, result: "{{steps.row.id}}" },
];
const keyed = (key: string, note: string) => ({
  headers: { "idempotency-key": key },
  body: { note },
});
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.catch((reason: unknown) => reason);
  return error instanceof AppError ? error.code : "NONE";
};

describe("an Idempotency-Key", () => {
  it("calls with one key have the same run, whose effects happen once", async () => {
    const { slug } = await environment.publish(write);
    const before = await environment.countTrips();
    const first = await environment.call(slug, keyed("a", "one"));
    const second = await environment.call(slug, keyed("a", "one"));
    expect(second.text).toBe(first.text);
    expect([first.isRepeated, second.isRepeated]).toEqual([false, true]);
    expect(await environment.countTrips()).toBe(before + 1);
  });

  it("20 concurrent calls with one key have one run, and each receives its result", async () => {
    const { slug } = await environment.publish(write);
    const before = await environment.countTrips();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => environment.call(slug, keyed("b", "many"))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.status).toBe("SUCCEEDED");
    expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
    expect(await environment.countTrips()).toBe(before + 1);
  });

  it("an asynchronous call with a used key returns the same run", async () => {
    const { slug } = await environment.publish(write, { response: "ASYNCHRONOUS" });
    const first = await environment.call(slug, keyed("c", "one"));
    const second = await environment.call(slug, keyed("c", "one"));
    expect(first.status).toBe(202);
    expect(second.text).toBe(first.text);
  });

  it("a used key with another body or query is a conflict", async () => {
    const { slug } = await environment.publish(write);
    await environment.call(slug, keyed("d", "one"));
    expect(await codeOf(environment.call(slug, keyed("d", "two")))).toBe("IDEMPOTENCY_CONFLICT");
    expect(await codeOf(environment.call(slug, { ...keyed("d", "one"), search: "?a=1" }))).toBe(
      "IDEMPOTENCY_CONFLICT",
    );
  });

  it("a key belongs to one caller and one workflow", async () => {
    const trigger = { access: "AUTHENTICATED" as const };
    const { slug, id } = await environment.publish(write, trigger);
    const other = await environment.publish(write, trigger);
    for (const flow of [{ id }, other]) await environment.allow(flow);
    const [second] = await environment.database.query<{ id: string }>(
      "insert into system.users (email) values ('second@example.org') returning id",
    );
    const as = (userId: string) => ({ caller: { ...environment.caller, userId } });
    const own = as(environment.userId);
    const first = await environment.call(slug, { ...keyed("e", "one"), ...own });
    const runs = [
      await environment.call(slug, { ...keyed("e", "two"), ...as(second?.id ?? "") }),
      await environment.call(other.slug, { ...keyed("e", "one"), ...own }),
    ];
    for (const run of runs) {
      expect(run.isRepeated).toBe(false);
      expect(run.body.data.id).not.toBe(first.body.data.id);
    }
  });

  it("a key expires after a day", async () => {
    const { slug } = await environment.publish(write);
    const first = await environment.call(slug, keyed("f", "one"));
    await moveClock(environment.database, 25 * 3600);
    const second = await environment.call(slug, keyed("f", "another"));
    expect(second.isRepeated).toBe(false);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it("a used key has no effect once the workflow is disabled", async () => {
    const { slug, id } = await environment.publish(write);
    await environment.call(slug, keyed("g", "one"));
    await setWorkflowEnabled(environment.database, id, false, actor);
    expect(await codeOf(environment.call(slug, keyed("g", "one")))).toBe("WORKFLOW_NOT_FOUND");
  });

  it("a rejected call does not use its key: the next call with it starts a run", async () => {
    const { slug } = await environment.publish(write);
    const headers = { "idempotency-key": "h" };
    expect(await codeOf(environment.call(slug, { headers, body: "no JSON" }))).toBe(
      "WORKFLOW_WEBHOOK_INVALID_PAYLOAD",
    );
    expect((await environment.call(slug, keyed("h", "one"))).isRepeated).toBe(false);
  });
});
