// Tier: all. One of the slowest.
import { createToken, createUser } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, type Fetch } from "../src/index.ts";
import { EventParser } from "../src/request/event-stream.ts";
import { failureOf, type Garage, startGarage } from "./environment.ts";

let garage: Garage;
let token: string;
let workflow: string;
beforeAll(async () => {
  garage = await startGarage();
  const { database } = garage.environment.test;
  token = (await createToken(database, garage.admin.id, "admin")).secret;
  const nap = (id: string) => ({ id, kind: "delay", seconds: 0.5 });
  const { data } = await client().admin.post("/workflows", {
    data: {
      slug: "naps",
      name: "Naps",
      definition: {
        trigger: { kind: "manual", executeAs: garage.admin.id },
        steps: [nap("one"), nap("two"), nap("three"), { id: "end", kind: "finish", result: [1.5] }],
      },
    },
  });
  workflow = data.id;
  await client().admin.post("/workflows/{id}/publish", { path: { id: workflow } });
  await client().admin.post("/workflows/{id}/enable", { path: { id: workflow } });
});
afterAll(() => garage.environment.stop());

let sent: Headers[] = [];
/** Breaks each connection after some more bytes than the one before. */
const breaking =
  (bytesMore: number): Fetch =>
  async (url, init) => {
    sent.push(new Headers(init.headers));
    const bytesMax = bytesMore * sent.length;
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let bytes = 0;
    const broken = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength;
          if (bytes <= bytesMax) controller.enqueue(chunk);
          else {
            controller.enqueue(chunk.subarray(0, Math.max(0, bytesMax - bytes + chunk.byteLength)));
            controller.error(new TypeError("lost"));
          }
        },
      }),
    );
    return new Response(broken, { status: response.status, headers: response.headers });
  };
beforeEach(() => {
  sent = [];
});

function client(options: { readonly fetch?: Fetch; readonly token?: string } = {}) {
  return createClient({ url: garage.environment.url, token, ...options });
}

async function start(): Promise<string> {
  const options = { path: { id: workflow }, data: null };
  return (await client().admin.post("/workflows/{id}/runs", options)).data.run;
}

const route = "/workflows/{id}/runs/{runId}";

describe("the events of a run", () => {
  it("are yielded until the run has ended", async () => {
    const runId = await start();
    const steps = new Map<string, string>();
    let result: unknown;
    for await (const event of client().admin.events(route, { path: { id: workflow, runId } })) {
      if (event.event === "steps") for (const step of event.data) steps.set(step.path, step.status);
      if (event.event === "run") result = event.data.result;
    }
    expect(Object.fromEntries(steps)).toEqual({
      ...{ one: "SUCCEEDED", two: "SUCCEEDED", three: "SUCCEEDED", end: "SUCCEEDED" },
    });
    expect(result).toEqual([1.5]);
  });

  it("continue after a lost connection where it broke off, in the middle of an event too", async () => {
    const runId = await start();
    const { admin } = client({ fetch: breaking(800) });
    const steps = new Map<string, string>();
    const names: string[] = [];
    for await (const event of admin.events(route, { path: { id: workflow, runId } })) {
      names.push(event.event);
      if (event.event === "steps") for (const step of event.data) steps.set(step.path, step.status);
    }
    expect([...steps.values()]).toEqual(Array(4).fill("SUCCEEDED"));
    expect(names.at(-1)).toBe("end");
    expect(sent.length).toBeGreaterThan(1);
    expect(sent[0]?.has("last-event-id")).toBe(false);
    expect(sent.at(-1)?.get("last-event-id")).toMatch(new RegExp(`^${runId.slice(0, 8)}-`));
  });

  it("end with an error when the service refuses the next connection", async () => {
    const person = await createUser(
      garage.environment.test.database,
      "leaves@example.com",
      "Administrators",
    );
    const runId = await start();
    const { admin } = client({ token: person.secret, fetch: breaking(1400) });
    const read = async () => {
      for await (const _ of admin.events(route, { path: { id: workflow, runId } })) {
        const { database } = garage.environment.test;
        await database.query("delete from system.sessions where user_id = $1::uuid", [person.id]);
      }
    };
    expect(await failureOf(read())).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
  });

  it("throw the reason of the signal, and the error of a first request", async () => {
    const runId = await start();
    const reason = new Error("closed the page");
    const controller = new AbortController();
    const path = { id: workflow, runId };
    const read = async () => {
      const { signal } = controller;
      for await (const _ of client().admin.events(route, { path, signal }))
        controller.abort(reason);
    };
    expect(await failureOf(read())).toBe(reason);
    const missing = { id: workflow, runId: "00000000-0000-4000-8000-000000000000" };
    const none = client().admin.events(route, { path: missing });
    expect(await failureOf(none.next())).toMatchObject({ code: "NOT_FOUND" });
    const other = client().admin.events(route, { path, lastEventId: "00000000-1" });
    expect(await failureOf(other.next())).toMatchObject({ code: "QUERY_INVALID" });
    const unreachable: Fetch = async () => {
      throw new TypeError("lost");
    };
    const lost = client({ fetch: unreachable }).admin.events(route, { path });
    expect(await failureOf(lost.next())).toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("leave nothing open after the loop is left", async () => {
    const runId = await start();
    const { admin } = client();
    for (let count = 0; count < 25; count += 1) {
      for await (const _ of admin.events(route, { path: { id: workflow, runId } })) break;
    }
  });
});

describe("the parser of server-sent events", () => {
  const text =
    "\ufeffretry: 250\r\n: comment\r\rid: 1\nevent: steps\ndata: [1,\ndata: 2]\n\ndata:a\r\n\r\nid\ndata\n\nid: x\0y\nevent: none\n\ndata: last\n\nd";
  const expected = [
    { event: "steps", id: "1", data: "[1,\n2]" },
    { event: "message", id: "1", data: "a" },
    { event: "message", id: "", data: "" },
    { event: "message", id: "", data: "last" },
  ];

  it("follows the standard, wherever the text is cut", () => {
    for (let size = 1; size <= text.length; size += 1) {
      const parser = new EventParser("0");
      const events = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        parser.add(text.slice(index * size, (index + 1) * size)),
      ).flat();
      expect(events).toEqual(expected);
      expect(parser.retryMs).toBe(250);
    }
  });
});
