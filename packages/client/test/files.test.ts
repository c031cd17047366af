// Tier: long. One of the longest files.
import { createUser, expose } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient, type Fetch } from "../src/index.ts";
import { failureOf, type Garage, startGarage } from "./environment.ts";

// The service is real. The connection to it loses requests, responses, or the second half of a body.

type Fate = "LOSE_REQUEST" | "LOSE_RESPONSE" | "BREAK";

let garage: Garage;
let sent: string[] = [];
let fates: Partial<Record<string, Fate[]>> = {};
const lossy: Fetch = async (url, init) => {
  const { method = "GET", body } = init;
  sent.push(method);
  const fate = fates[method]?.shift();
  if (fate === "LOSE_REQUEST") throw new TypeError("lost");
  const isBroken = fate === "BREAK" && body instanceof Blob;
  const content = isBroken ? { body: body.slice(0, Math.floor(body.size / 2)) } : {};
  const response = await fetch(url, { ...init, ...content });
  if (fate !== undefined) throw new TypeError("lost");
  return response;
};
const client = () => garage.client({ fetch: lossy });
const rows = () => client().from("system.files");
const query = (text: string, parameters: string[] = []) =>
  garage.environment.test.database.query(text, parameters);

/** Bytes that differ from each other, so that a part in another place is noticed. */
function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8) * 13) % 251);
}
/** Whether a file has some bytes. The comparison of a matcher takes seconds for each megabyte. */
const has = async (id: string, content: Uint8Array) =>
  Buffer.from(await (await client().files.download(id)).arrayBuffer()).equals(content);

beforeAll(async () => {
  garage = await startGarage();
  const { database } = garage.environment.test;
  for (const table of ["files", "folders"]) {
    await expose(database, "system", table, "GET", "POST", "PATCH", "DELETE");
  }
});
afterAll(() => garage.environment.stop());
beforeEach(() => {
  sent = [];
  fates = {};
});

describe("an upload", () => {
  it("creates the row with its values, and reports the stored bytes after each chunk", async () => {
    const content = bytesOf(3_500_000);
    const progress: number[] = [];
    const folders = client().from("system.folders");
    const { row: folder } = await folders.create({ name: "Plans" });
    const { id } = await client().files.upload(new File([content], "Größe 🚗.bin"), {
      values: { title: "Size", folder_id: String(folder?.id), description: null },
      onProgress: (stored) => progress.push(stored),
    }).result;
    const { row } = await rows().get(id);
    expect(row).toMatchObject({
      ...{ name: "Größe 🚗.bin", title: "Size", description: null, folder_id: folder?.id },
      ...{ bytes: "3500000", state: "READY", visibility: "PRIVATE" },
    });
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBe(content.length);
    expect(progress.length).toBeGreaterThan(2);
    expect(await has(id, content)).toBe(true);
  });

  it("takes an empty file, and a Blob under a name of its own", async () => {
    const { id } = await client().files.upload(new Blob([]), { name: "nothing.txt" }).result;
    expect((await rows().get(id)).row).toMatchObject({ name: "nothing.txt", bytes: "0" });
    expect(await has(id, bytesOf(0))).toBe(true);
  });

  it("continues after lost requests, lost responses and broken bodies, and creates one file", async () => {
    const content = bytesOf(5_000_000);
    fates = {
      POST: ["LOSE_REQUEST"],
      PATCH: ["BREAK", "LOSE_REQUEST", "LOSE_RESPONSE", "BREAK"],
      HEAD: ["LOSE_REQUEST", "LOSE_RESPONSE"],
    };
    const { id } = await client().files.upload(new Blob([content]), { name: "lossy.bin" }).result;
    expect(await has(id, content)).toBe(true);
    expect(await query("select id from system.files where name = 'lossy.bin'")).toEqual([{ id }]);
  });

  it("finds its file if the response that completes it is lost", async () => {
    fates = { PATCH: ["LOSE_RESPONSE"] };
    const { id } = await client().files.upload(new Blob([bytesOf(100)]), { name: "last.bin" })
      .result;
    expect(await query("select id from system.files where name = 'last.bin'")).toEqual([{ id }]);
  });

  it("fails after several failures in a row, and another upload continues it", async () => {
    const content = bytesOf(2_000_000);
    fates = { PATCH: ["BREAK", ...Array<Fate>(9).fill("LOSE_REQUEST")] };
    const first = client().files.upload(new Blob([content]), { name: "later.bin" });
    expect(await failureOf(first.result)).toMatchObject({ code: "NETWORK_ERROR" });
    expect(first.uploadId).toMatch(/^[0-9a-f-]{36}$/);
    fates = {};
    sent = [];
    const offsets: number[] = [];
    const second = client().files.upload(new Blob([content]), {
      ...{ name: "later.bin", uploadId: first.uploadId },
      onProgress: (stored) => offsets.push(stored),
    });
    expect(await has((await second.result).id, content)).toBe(true);
    expect(sent[0]).toBe("HEAD");
    expect(offsets[0]).toBe(524_288);
  });

  it("sends nothing while it is paused", async () => {
    const content = bytesOf(4_000_000);
    const upload = client().files.upload(new Blob([content]), {
      name: "paused.bin",
      onProgress: (stored) => {
        if (stored > 0 && stored < 3_000_000) upload.pause();
      },
    });
    await expect.poll(() => upload.isPaused).toBe(true);
    const before = sent.length;
    await client().from("garage.owners").list({ limit: 1 });
    expect(sent.slice(before)).toEqual(["GET"]);
    const timer = setInterval(() => upload.resume(), 50);
    const { id } = await upload.result;
    clearInterval(timer);
    expect(await has(id, content)).toBe(true);
  });

  it("throws the reason of its signal, also while it is paused, and the service forgets it", async () => {
    const leave = new AbortController();
    const upload = client().files.upload(new Blob([bytesOf(3_000_000)]), {
      ...{ name: "left.bin", signal: leave.signal },
      onProgress: (stored) => stored > 0 && upload.pause(),
    });
    await expect.poll(() => upload.isPaused).toBe(true);
    leave.abort(new Error("enough"));
    await expect(upload.result).rejects.toThrow("enough");
    const left = () => query("select 1 from system.uploads where name = 'left.bin'");
    await expect.poll(left).toEqual([]);
    const early = new AbortController();
    const begun = client().files.upload(new Blob(["x"]), {
      ...{ name: "left.bin", signal: early.signal },
    });
    await expect.poll(() => sent.at(-1)).toBe("POST");
    early.abort(new Error("at once"));
    await expect(begun.result).rejects.toThrow("at once");
    await expect.poll(left).toEqual([]);
    const none = client().files.upload(new Blob(["x"]), { signal: AbortSignal.abort("no") });
    expect(await failureOf(none.result)).toBe("no");
  });

  it("asks for a new session once, also if only the status of a response says so", async () => {
    let asked = 0;
    const upload = createClient({
      ...{ url: garage.environment.url, session: "rhs_none" },
      onUnauthorized: async () => {
        asked += 1;
        return garage.token;
      },
    }).files.upload(new Blob([bytesOf(10)]), { name: "renewed.bin" });
    await upload.result;
    expect(asked).toBe(1);
    const { uploadId } = upload;
    const again = createClient({
      ...{ url: garage.environment.url, session: "rhs_none" },
      onUnauthorized: async () => garage.token,
    }).files.upload(new Blob([bytesOf(10)]), { uploadId });
    expect(await again.result).toEqual(await upload.result);
  });

  it("reports what the service refuses, and leaves no row", async () => {
    const folder = "00000000-0000-4000-8000-000000000000";
    const upload = (name: string, values = {}) =>
      failureOf(client().files.upload(new Blob(["x"]), { name, values }).result);
    expect(await upload("refused.txt", { folder_id: folder })).toMatchObject({ status: 409 });
    expect(await upload("a/b")).toMatchObject({ code: "CHECK_VIOLATION" });
    expect(await upload("refused.txt", { state: "READY" })).toMatchObject({ status: 400 });
    expect(await query("select 1 from system.files where name = 'refused.txt'")).toEqual([]);
    expect(() => client().files.upload(new Blob([]), { values: { "a,b": "x" } })).toThrow(
      TypeError,
    );
  });

  it("is refused for a person without the right before any byte is sent", async () => {
    const { database } = garage.environment.test;
    const { secret } = await createUser(database, "driver@example.com", "Drivers");
    const upload = garage
      .client({ token: secret, fetch: lossy })
      .files.upload(new Blob([bytesOf(10)]));
    expect(await failureOf(upload.result)).toMatchObject({ status: 404 });
    expect(sent).toEqual(["POST"]);
  });
});

describe("a new version of a file", () => {
  it("keeps its row, and is refused if another version was stored meanwhile", async () => {
    const { files } = client();
    const { id } = await files.upload(new File(["one"], "a.txt"), { values: { title: "A" } })
      .result;
    const etag = (await files.download(id)).headers.get("etag") ?? "";
    expect(await files.replace(id, new Blob(["two"]), { ifMatch: etag }).result).toEqual({ id });
    expect(await (await files.download(id)).text()).toBe("two");
    expect((await rows().get(id)).row).toMatchObject({ name: "a.txt", title: "A", bytes: "3" });
    const late = files.replace(id, new Blob(["three"]), { ifMatch: etag });
    expect(await failureOf(late.result)).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await (await files.download(id)).text()).toBe("two");
  });
});

describe("a download", () => {
  it("reads all of a file or a part of it", async () => {
    const { files } = client();
    const { id } = await files.upload(new Blob([bytesOf(1000)]), { name: "parts.bin" }).result;
    const part = await files.download(id, { range: { start: 10, end: 19 } });
    expect(part.status).toBe(206);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytesOf(1000).slice(10, 20));
    const rest = await files.download(id, { range: { start: 990 } });
    expect((await rest.arrayBuffer()).byteLength).toBe(10);
    const missing = files.download("00000000-0000-4000-8000-000000000000");
    expect(await failureOf(missing)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("needs no credential by a link, which has at most the lifetime that it was made for", async () => {
    const { files } = client();
    const { id } = await files.upload(new Blob(["by link"]), { name: "link.txt" }).result;
    const { url, expiresAt } = await files.link(id, { lifetimeSeconds: 5 });
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(5_000);
    expect(url.startsWith(`${garage.environment.url}/api/files/${id}/link.txt?`)).toBe(true);
    expect(await (await fetch(url)).text()).toBe("by link");
    expect((await fetch(url.replace(/\?.*/, ""))).status).not.toBe(200);
    expect(await failureOf(files.link(id, { lifetimeSeconds: 61 }))).toMatchObject({
      code: "BODY_INVALID",
    });
  });
});
