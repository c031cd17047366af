import { signIn } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, type Fetch, ref } from "../src/index.ts";
import { repeatDelay } from "../src/request/repeat.ts";
import { failureOf, type Garage, type Resources, startGarage } from "./environment.ts";

// The service is real; the connection to it loses responses, or a proxy responds in its place.

type Event = "LOSE_REQUEST" | "LOSE_RESPONSE" | Response;

let garage: Garage;
let events: Event[] = [];
let sent: { readonly method: string; readonly headers: Headers }[] = [];
const lossy: Fetch = async (url, init) => {
  sent.push({ method: init.method ?? "GET", headers: new Headers(init.headers) });
  const event = events.shift();
  if (event instanceof Response) return event;
  if (event === "LOSE_REQUEST") throw new TypeError("lost");
  const response = await fetch(url, init);
  if (event === "LOSE_RESPONSE") throw new TypeError("lost");
  return response;
};
const proxyError = (status: number, headers: Record<string, string> = {}) =>
  new Response("<h1>Error</h1>", { status, headers });
const client = () =>
  createClient<Resources>({ url: garage.environment.url, token: garage.token, fetch: lossy });

beforeAll(async () => {
  garage = await startGarage();
});
afterAll(() => garage.environment.stop());
beforeEach(() => {
  events = [];
  sent = [];
});

async function countOf(plate: string): Promise<unknown> {
  const [row] = await garage.environment.test.database.query<{ n: number }>(
    "select count(*)::int as n from garage.cars where plate like $1::text",
    [plate],
  );
  return row?.n;
}

describe("a request whose response is lost", () => {
  it("is repeated with the same Idempotency-Key if it creates a row, which exists once", async () => {
    events = ["LOSE_RESPONSE", "LOSE_REQUEST"];
    const { row } = await client().from("garage.cars").create({ plate: "LOST" });
    expect(row?.plate).toBe("LOST");
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await countOf("LOST")).toBe(1);
  });

  it("is repeated with the same Idempotency-Key if it is a batch, which runs once", async () => {
    events = ["LOSE_RESPONSE", "LOSE_REQUEST"];
    const { writes } = client().from("garage.cars");
    const [first, list, changed, , gone] = await client().batch([
      writes.create({ plate: "BATCH 1" }),
      writes.create([{ plate: "BATCH 2" }, { plate: "BATCH 3" }]),
      writes.update(ref(1, "id", 0), { plate: "BATCH 4" }),
      writes.updateMany({ where: { plate: { _eq: "BATCH 3" } }, maxAffected: 1 }, { plate: "B" }),
      writes.remove(ref(0, "id")),
    ]);
    expect(first.row?.plate).toBe("BATCH 1");
    expect(first.etag).toMatch(/^"[0-9a-f]+"$/);
    expect(list.rows.map(({ plate }) => plate)).toEqual(["BATCH 2", "BATCH 3"]);
    expect(changed.row?.plate).toBe("BATCH 4");
    expect(gone).toEqual({});
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    expect(await countOf("BATCH%")).toBe(1);
  });

  it("is repeated with its own session if it signs out, although the client has none by then", async () => {
    const { url } = garage.environment;
    const person = createClient({ url, fetch: lossy });
    const { token } = await person.auth.signIn(signIn);
    events = ["LOSE_REQUEST", proxyError(503, { "retry-after": "0" })];
    const ended = person.auth.signOut();
    person.auth.session = null;
    await ended;
    const later = createClient({ url, session: token });
    expect(await failureOf(later.auth.me())).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
  });

  it("is repeated if it updates or deletes one row without a tag", async () => {
    const cars = client().from("garage.cars");
    const { row } = await cars.create({ plate: "TWICE" });
    const id = row?.id ?? "";
    events = ["LOSE_RESPONSE"];
    expect((await cars.update(id, { seats: 3 })).row?.seats).toBe(3);
    events = ["LOSE_RESPONSE"];
    await cars.remove(id);
    expect(await countOf("TWICE")).toBe(0);
  });

  it.each<[string, (cars: ReturnType<typeof carsOf>) => Promise<unknown>]>([
    ["updates by a tag without a key", (cars) => cars.update(1, { seats: 3 }, keyless)],
    ["deletes by a tag without a key", (cars) => cars.remove(1, keyless)],
    ["updates by a filter", (cars) => cars.updateMany({ where: {}, maxAffected: 0 }, { seats: 1 })],
    ["deletes by a filter", (cars) => cars.removeMany({ where: {}, maxAffected: 0 })],
    ["has no key", (cars) => cars.create({ plate: "NO KEY" }, { idempotencyKey: false })],
  ])("is not repeated if it %s", async (_name, write) => {
    events = ["LOSE_RESPONSE"];
    expect(await failureOf(write(carsOf()))).toMatchObject({ code: "NETWORK_ERROR", status: 0 });
    expect(sent).toHaveLength(1);
  });

  it("is repeated with the same Idempotency-Key if it updates or deletes by a tag, and is no conflict with itself", async () => {
    const cars = client().from("garage.cars");
    const { row } = await cars.create({ plate: "BY TAG" });
    events = ["LOSE_RESPONSE"];
    const { etag } = await cars.get(row.id);
    events = ["LOSE_RESPONSE", "LOSE_REQUEST"];
    sent = [];
    const changed = await cars.update(row.id, { seats: 3 }, { ifMatch: etag });
    expect(changed.row.seats).toBe(3);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    // The tag of the first answer, by which nothing of another writer slips in.
    expect(changed.etag).toBe((await cars.get(row.id)).etag);
    events = ["LOSE_RESPONSE"];
    await cars.remove(row.id, { ifMatch: changed.etag });
    expect(await countOf("BY TAG")).toBe(0);
  });

  it("is not repeated if it changes the administration", async () => {
    events = ["LOSE_REQUEST"];
    const { admin } = client();
    const error = await failureOf(admin.post("/roles", { data: { name: "Lost" } }));
    expect(error).toMatchObject({ code: "NETWORK_ERROR" });
    expect(sent).toHaveLength(1);
  });

  it("fails after the last repeat", async () => {
    events = ["LOSE_REQUEST", "LOSE_REQUEST", "LOSE_REQUEST"];
    expect(await failureOf(carsOf().get(1))).toMatchObject({ code: "NETWORK_ERROR" });
    expect(sent).toHaveLength(3);
  });
});

const keyless = { ifMatch: '"x"', idempotencyKey: false } as const;
const carsOf = () => client().from("garage.cars");

describe("a response that asks for patience", () => {
  it("is followed by the same request", async () => {
    events = [proxyError(429, { "Retry-After": "0" }), proxyError(503, { "Retry-After": "0" })];
    expect((await carsOf().get(1)).row.id).toBe("1");
    events = [proxyError(429, { "Retry-After": "0" })];
    await carsOf().updateMany({ where: { id: { _eq: 1 } }, maxAffected: 1 }, { seats: 2 });
    expect(sent).toHaveLength(5);
  });

  it.each(["31", "99999999999999999999", new Date(Date.now() + 1e9).toUTCString()])(
    "is an error at once if its Retry-After is %s",
    async (after) => {
      events = [proxyError(429, { "Retry-After": after })];
      const error = await failureOf(carsOf().get(1));
      expect(error).toMatchObject({ status: 429, code: "RESPONSE_INVALID" });
      expect(Reflect.get(Object(error), "retryAfterSeconds")).toBeGreaterThan(30);
      expect(sent).toHaveLength(1);
    },
  );

  it.each([400, 404, 409, 500, 504])("is not repeated with status %i", async (status) => {
    events = [proxyError(status, { "Retry-After": "0" })];
    expect(await failureOf(carsOf().get(1))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  it("determines the delay; without it the delay doubles", () => {
    const rule = { repeatable: "ALWAYS", sent: 1, repeats: 2, retryAfterMaxSeconds: 30 } as const;
    expect(repeatDelay({ status: 429, retryAfterSeconds: 7 }, rule)).toBe(7000);
    const delay = repeatDelay({ status: 503, retryAfterSeconds: undefined }, { ...rule, sent: 2 });
    expect(delay).toBeGreaterThanOrEqual(400);
    expect(delay).toBeLessThanOrEqual(800);
    expect(repeatDelay({ status: 429, retryAfterSeconds: 0 }, { ...rule, sent: 3 })).toBe(
      undefined,
    );
  });
});

describe("a cancellation", () => {
  it("throws the reason of the signal before, during and between requests", async () => {
    const reason = new Error("changed my mind");
    expect(await failureOf(carsOf().list({ signal: AbortSignal.abort(reason) }))).toBe(reason);

    const during = new AbortController();
    const running = carsOf().list({ signal: during.signal });
    during.abort(reason);
    expect(await failureOf(running)).toBe(reason);

    const between = new AbortController();
    events = [proxyError(503, { "Retry-After": "30" })];
    const waiting = failureOf(carsOf().list({ signal: between.signal }));
    await expect.poll(() => events.length).toBe(0);
    between.abort(reason);
    expect(await waiting).toBe(reason);
  });
});
