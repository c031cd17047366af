import { signIn } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../src/index.ts";
import { failureOf, type Garage, startGarage, unhandledWhile } from "./environment.ts";

let garage: Garage;
beforeAll(async () => {
  garage = await startGarage();
});
afterAll(() => garage.environment.stop());

describe("a session", () => {
  it("begins with a sign-in and ends with a sign-out", async () => {
    const client = createClient({ url: garage.environment.url });
    expect(await failureOf(client.auth.me())).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
    const { user, token } = await client.auth.signIn(signIn);
    expect(client.auth.session).toBe(token);
    expect(await client.auth.me()).toMatchObject({ id: user.id, email: signIn.email });
    const { data } = await client.api.get("/auth/sessions");
    expect(data).toHaveLength(1);
    await client.auth.signOut();
    expect(client.auth.session).toBe(null);
    const ended = createClient({ url: garage.environment.url, session: token });
    expect(await failureOf(ended.auth.me())).toMatchObject({ status: 401 });
  });

  it("that ended does not prevent a sign-in", async () => {
    const client = createClient({ url: garage.environment.url, session: "rhs_ended" });
    await client.auth.signIn(signIn);
    expect((await client.auth.me()).email).toBe(signIn.email);
  });

  it("is renewed once for requests that fail together, which are then repeated", async () => {
    let calls = 0;
    const other = createClient({ url: garage.environment.url });
    const client = createClient({
      url: garage.environment.url,
      session: "rhs_ended",
      onUnauthorized: async () => {
        calls += 1;
        return (await other.auth.signIn(signIn)).token;
      },
    });
    const cars = client.from("garage.cars");
    const { row } = await cars.create({ plate: "RENEWED" });
    client.auth.session = "rhs_ended";
    calls = 0;
    const results = await Promise.all([
      cars.get(String(row?.id)),
      cars.list({ limit: 1 }),
      client.admin.get("/roles"),
      client.app.get("/navigation"),
    ]);
    expect(results).toHaveLength(4);
    expect(calls).toBe(1);
  });

  it("is renewed for the other requests if one of them is canceled, which throws its reason at once", async () => {
    const { url } = garage.environment;
    const { token } = await createClient({ url }).auth.signIn(signIn);
    let renew: (secret: string) => void = () => {};
    const client = createClient({
      ...{ url, session: "rhs_ended" },
      onUnauthorized: () =>
        new Promise((resolve) => {
          renew = resolve;
        }),
    });
    const leave = new AbortController();
    const reason = new Error("changed my mind");
    const canceled = failureOf(client.auth.me({ signal: leave.signal }));
    const kept = client.auth.me();
    await expect.poll(() => String(renew)).not.toBe("() => {}");
    leave.abort(reason);
    expect(await canceled).toBe(reason);
    renew(token);
    expect(await kept).toMatchObject({ email: signIn.email });
  });

  it("whose renewal fails after all its requests were canceled is no unhandled rejection", async () => {
    const leave = new AbortController();
    let fail: (error: Error) => void = () => {};
    const client = createClient({
      ...{ url: garage.environment.url, session: "rhs_ended" },
      onUnauthorized: () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    });
    const canceled = failureOf(client.auth.me({ signal: leave.signal }));
    await expect.poll(() => String(fail)).not.toBe("() => {}");
    leave.abort();
    await canceled;
    expect(await unhandledWhile(async () => fail(new Error("offline")))).toEqual([]);
  });

  it("that is empty is refused by its name", () => {
    const { url } = garage.environment;
    expect(() => createClient({ url, session: "" })).toThrow("session is empty");
    expect(() => createClient({ url, session: "rhs_x", token: "" })).toThrow("token is empty");
    const client = createClient({ url });
    expect(() => {
      client.auth.session = "";
    }).toThrow("session is empty");
  });

  it("that has ended is signed out without a renewal", async () => {
    let calls = 0;
    const client = createClient({
      ...{ url: garage.environment.url, session: "rhs_ended" },
      onUnauthorized: async () => {
        calls += 1;
        return null;
      },
    });
    await client.auth.signOut();
    expect({ calls, session: client.auth.session }).toEqual({ calls: 0, session: null });
  });

  it("of the next person is not used for a request of the one who signed out", async () => {
    const { url } = garage.environment;
    const other = await createClient({ url }).auth.signIn(signIn);
    const client = createClient({
      ...{ url, session: "rhs_ended" },
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        client.auth.session = null;
        client.auth.session = other.token;
        return response;
      },
    });
    const failure = await failureOf(client.from("garage.cars").create({ plate: "NEXT" }));
    expect(failure).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
    expect(
      await garage.environment.test.database.query("select from garage.cars where plate = 'NEXT'"),
    ).toEqual([]);
  });

  it("that nobody renews is an error; wrong passwords do not ask for a renewal", async () => {
    let calls = 0;
    const client = createClient({
      url: garage.environment.url,
      session: "rhs_ended",
      onUnauthorized: async () => {
        calls += 1;
        return null;
      },
    });
    expect(await failureOf(client.auth.me())).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
    const wrong = client.auth.signIn({ ...signIn, password: "wrong" });
    expect(await failureOf(wrong)).toMatchObject({ code: "INVALID_CREDENTIALS" });
    expect(calls).toBe(1);
  });
});

describe("the routes by their documents", () => {
  it("take path, query and data, and return data, meta and tag", async () => {
    const client = createClient({ url: garage.environment.url });
    await client.auth.signIn(signIn);
    const { data: role } = await client.admin.post("/roles", { data: { name: "Mechanics" } });
    const { data, meta } = await client.admin.get("/roles", {
      query: { search: "mech", limit: 1 },
    });
    expect(data).toMatchObject([{ id: role.id, name: "Mechanics" }]);
    expect(meta).toEqual({ nextCursor: null });
    const path = { id: role.id };
    const changed = await client.admin.patch("/roles/{id}", { path, data: { name: "Menders" } });
    expect(changed.data.name).toBe("Menders");
    await client.admin.delete("/roles/{id}", { path });
    expect(await failureOf(client.admin.get("/roles/{id}", { path }))).toMatchObject({
      code: "NOT_FOUND",
    });
    const navigation = await client.app.get("/navigation");
    expect(navigation.etag).toMatch(/^"/);
    const twice = await failureOf(client.admin.post("/roles", { data: { name: "" } }));
    expect(twice).toMatchObject({ code: "BODY_INVALID", faults: [{ path: "/data/name" }] });
  });

  it("start workflows, and return their runs", async () => {
    const client = createClient({ url: garage.environment.url });
    await client.auth.signIn(signIn);
    const { user } = await client.auth.signIn(signIn);
    const definition = {
      trigger: { kind: "webhook", access: "PUBLIC", executeAs: user.id },
      steps: [{ id: "end", kind: "finish", result: "{{start.data.body.text}}" }],
    };
    const { data } = await client.admin.post("/workflows", {
      data: { name: "Echo", slug: "echo", definition },
    });
    await client.admin.post("/workflows/{id}/publish", { path: { id: data.id } });
    await client.admin.post("/workflows/{id}/enable", { path: { id: data.id } });
    const run = await client.workflows.call("echo", { text: "hello" });
    expect(run).toMatchObject({ isFinished: true, outcome: { result: "hello" } });
    expect(await failureOf(client.workflows.call("none"))).toMatchObject({
      code: "WORKFLOW_NOT_FOUND",
    });
  });
});
