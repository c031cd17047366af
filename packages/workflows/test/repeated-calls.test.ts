import { AppError } from "@rowhouse/errors";
import { moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setWorkflowEnabled } from "../src/index.ts";
import { actor, type House, openHouse } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

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
  it("leads to the same run, whose effects happen once", async () => {
    const { slug } = await house.publish(write);
    const before = await house.countTrips();
    const first = await house.call(slug, keyed("a", "one"));
    const second = await house.call(slug, keyed("a", "one"));
    expect(second.text).toBe(first.text);
    expect([first.isRepeated, second.isRepeated]).toEqual([false, true]);
    expect(await house.countTrips()).toBe(before + 1);
  });

  it("leads 20 calls at once to one run, and each of them hears its end", async () => {
    const { slug } = await house.publish(write);
    const before = await house.countTrips();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => house.call(slug, keyed("b", "many"))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.data.status).toBe("SUCCEEDED");
    expect(answers.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
    expect(await house.countTrips()).toBe(before + 1);
  });

  it("answers an asynchronous call with the same run", async () => {
    const { slug } = await house.publish(write, { response: "ASYNCHRONOUS" });
    const first = await house.call(slug, keyed("c", "one"));
    const second = await house.call(slug, keyed("c", "one"));
    expect(first.status).toBe(202);
    expect(second.text).toBe(first.text);
  });

  it("of another call is a conflict: another body, another query", async () => {
    const { slug } = await house.publish(write);
    await house.call(slug, keyed("d", "one"));
    expect(await codeOf(house.call(slug, keyed("d", "two")))).toBe("IDEMPOTENCY_CONFLICT");
    expect(await codeOf(house.call(slug, { ...keyed("d", "one"), search: "?a=1" }))).toBe(
      "IDEMPOTENCY_CONFLICT",
    );
  });

  it("is its caller's own, and its workflow's", async () => {
    const trigger = { access: "AUTHENTICATED" as const };
    const { slug, id } = await house.publish(write, trigger);
    const other = await house.publish(write, trigger);
    for (const flow of [{ id }, other]) await house.allow(flow);
    const [second] = await house.database.query<{ id: string }>(
      "insert into system.users (email) values ('second@example.org') returning id",
    );
    const as = (userId: string) => ({ caller: { ...house.caller, userId } });
    const own = as(house.userId);
    const first = await house.call(slug, { ...keyed("e", "one"), ...own });
    const runs = [
      await house.call(slug, { ...keyed("e", "two"), ...as(second?.id ?? "") }),
      await house.call(other.slug, { ...keyed("e", "one"), ...own }),
    ];
    for (const run of runs) {
      expect(run.isRepeated).toBe(false);
      expect(run.body.data.id).not.toBe(first.body.data.id);
    }
  });

  it("is forgotten after a day", async () => {
    const { slug } = await house.publish(write);
    const first = await house.call(slug, keyed("f", "one"));
    await moveClock(house.database, 25 * 3600);
    const second = await house.call(slug, keyed("f", "another"));
    expect(second.isRepeated).toBe(false);
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  it("leads nowhere once the workflow is disabled", async () => {
    const { slug, id } = await house.publish(write);
    await house.call(slug, keyed("g", "one"));
    await setWorkflowEnabled(house.database, id, false, actor);
    expect(await codeOf(house.call(slug, keyed("g", "one")))).toBe("WORKFLOW_NOT_FOUND");
  });

  it("of a refused call is not taken: the next call with it starts a run", async () => {
    const { slug } = await house.publish(write);
    const headers = { "idempotency-key": "h" };
    expect(await codeOf(house.call(slug, { headers, body: "no JSON" }))).toBe(
      "WORKFLOW_WEBHOOK_INVALID_PAYLOAD",
    );
    expect((await house.call(slug, keyed("h", "one"))).isRepeated).toBe(false);
  });
});
