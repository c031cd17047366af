import { describe, expect, it } from "vitest";
import { createClient, type Fetch, type RowExport, RowhouseError } from "../src/index.ts";
import { failureOf, unhandledWhile } from "./environment.ts";

const offline: Fetch = async () => {
  throw new TypeError("offline");
};
const open = (fetch: Fetch) =>
  createClient({ url: "http://service.invalid", token: "t", repeats: 0, fetch });
const refused: Fetch = async () =>
  new Response('{"errors":[{"code":"PERMISSION_DENIED","message":"No"}]}', { status: 403 });
/** A response whose bytes end early. */
const broken: Fetch = async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('{"id":1}\n'));
    },
    pull: (controller) => controller.error(new TypeError("lost")),
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
};

describe("no unhandled rejection comes from", () => {
  it("an upload that fails before its owner awaits it, and the owner gets the error", async () => {
    const { files } = open(refused);
    const uploads = [files.upload(new Blob(["x"])), files.replace("id", new Blob(["x"]))];
    expect(await unhandledWhile(async () => uploads)).toEqual([]);
    for (const { result } of uploads) expect(await failureOf(result)).toBeInstanceOf(RowhouseError);
  });

  it("an upload that is canceled, paused and resumed", async () => {
    const leave = new AbortController();
    const upload = open(offline).files.upload(new Blob(["x"]), { signal: leave.signal });
    const unhandled = await unhandledWhile(async () => {
      upload.pause();
      upload.resume();
      upload.pause();
      leave.abort(new Error("enough"));
      upload.resume();
    });
    expect(unhandled).toEqual([]);
    await expect(upload.result).rejects.toThrow("enough");
  });

  it("an export that nobody reads to its end", async () => {
    const rows = open(broken).from("a.b");
    const left: RowExport<unknown>[] = [];
    const unhandled = await unhandledWhile(async () => {
      left.push(await rows.export("csv"), await rows.export("ndjson"));
      for await (const row of (await rows.export("ndjson")).rows()) {
        expect(row).toEqual({ id: 1 });
        break;
      }
    });
    expect(unhandled).toEqual([]);
    expect(await failureOf(left[0]?.text() ?? Promise.resolve())).toBeInstanceOf(RowhouseError);
  });

  it("an import of rows whose connection is lost, and of rows that fail", async () => {
    const taking: Fetch = async (_url, { body }) => {
      if (body instanceof ReadableStream) await body.getReader().read();
      throw new TypeError("lost");
    };
    async function* rows() {
      yield {};
      throw new Error("the rows failed");
    }
    const unhandled = await unhandledWhile(async () => {
      await failureOf(open(taking).from("a.b").import(rows()));
      await failureOf(open(offline).from("a.b").import(rows()));
    });
    expect(unhandled).toEqual([]);
  });

  it("events whose loop is left while they connect again", async () => {
    const { admin } = open(broken);
    const leave = new AbortController();
    const path = { id: "1", runId: "2" };
    const unhandled = await unhandledWhile(async () => {
      const events = admin.events("/workflows/{id}/runs/{runId}", { path, signal: leave.signal });
      const next = failureOf(events.next());
      leave.abort(new Error("enough"));
      await next;
      await events.return();
    });
    expect(unhandled).toEqual([]);
  });
});

describe("a cancellation of an upload", () => {
  it("rejects with the reason at once, although the service does not respond", async () => {
    const silent: Fetch = () => new Promise(() => {});
    const leave = new AbortController();
    const upload = open(silent).files.upload(new Blob(["x"]), { signal: leave.signal });
    const reason = new Error("enough");
    leave.abort(reason);
    expect(await failureOf(upload.result)).toBe(reason);
  });

  it("rejects with the reason at once while the upload waits before a repeat", async () => {
    const busy: Fetch = async () =>
      new Response("", { status: 503, headers: { "Retry-After": "59" } });
    const leave = new AbortController();
    let sent = 0;
    const counted: Fetch = (...given) => {
      sent += 1;
      return busy(...given);
    };
    const upload = open(counted).files.upload(new Blob(["x"]), { signal: leave.signal });
    await expect.poll(() => sent).toBe(1);
    const reason = new Error("enough");
    leave.abort(reason);
    expect(await failureOf(upload.result)).toBe(reason);
  });
});
