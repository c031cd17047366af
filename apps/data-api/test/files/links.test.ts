// Tiers: usual, topologies.
import { createHash } from "node:crypto";
import { smallPng } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFileTickets } from "../../src/files/file-ticket.ts";
import { type FileEnvironment, type FileRow, openFileEnvironment } from "./file-environment.ts";

let files: FileEnvironment;
let note: FileRow;
const text = "The quick brown fox jumps over the lazy dog";
const missing = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  files = await openFileEnvironment();
  note = await files.upload(text, "name=note.txt&title=A%20note");
});
afterAll(() => files.stop());
beforeEach(() => files.grantFiles());

const get = (path: string, as?: string, headers: Record<string, string> = {}) =>
  files.ask(path, { as, headers });

// Before the tests that end the member's session.
describe("links to several files", () => {
  const linksOf = (as: string | undefined, data: object) =>
    files.ask("/api/files/links", { method: "POST", as, data });

  it("answer each id in its order: a link, or one fault for files that are missing or hidden", async () => {
    const picture = await files.upload(smallPng(), "name=shared.png");
    const open = await files.upload("open", "name=open.txt&visibility=PUBLIC");
    await files.grantFiles({ action: "READ", rowFilter: { name: { _eq: "shared.png" } } });
    const ids = [
      note.id,
      picture.id,
      missing,
      open.id,
      "no uuid",
      picture.id,
      picture.id.toUpperCase(),
    ];
    const { status, json } = await linksOf(files.member.secret, { ids, preset: "thumbnail" });
    expect(status).toBe(200);
    const fault = (index: number) => ({
      id: ids[index],
      fault: { code: "NOT_FOUND", message: expect.any(String), path: `/data/ids/${index}` },
    });
    const link = (index: number, name: string) => ({
      id: ids[index],
      url: expect.stringContaining(`/${name}?preset=thumbnail&ticket=`),
      expiresAt: expect.any(String),
    });
    expect(json.data).toEqual([
      ...[fault(0), link(1, "shared.png"), fault(2), link(3, "open.txt")],
      ...[fault(4), link(5, "shared.png"), link(6, "shared.png")],
    ]);
    expect(json.data[0].fault.message).toBe(json.data[2].fault.message);
    const shown = await get(json.data[1].url);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(shown.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    // A ticket ends at a whole second, so links that are made in one second are equal.
    const beginnings = async () => {
      const many = await linksOf(files.member.secret, { ids, preset: "thumbnail" });
      const single = await files.ask(`/api/files/${picture.id}/link`, {
        ...{ method: "POST", as: files.member.secret, data: { preset: "thumbnail" } },
      });
      const links = [many.json.data[1], many.json.data[5], single.json.data];
      return new Set(links.map(({ url }) => url.slice(0, 90)));
    };
    await expect.poll(async () => (await beginnings()).size).toBe(1);
  });

  it("need content of each row, and a caller without any grant gets a fault for each", async () => {
    const ids = [note.id, missing];
    for (const grants of [[], [{ action: "READ", fields: ["id", "name"] } as const]]) {
      await files.grantFiles(...grants);
      const { status, json } = await linksOf(files.member.secret, { ids });
      expect([
        status,
        json.data.map((one: { fault?: { code: string } }) => one.fault?.code),
      ]).toEqual([200, ["NOT_FOUND", "NOT_FOUND"]]);
    }
    await files.grantFiles({ action: "READ", fields: ["id", "name"] });
    await files.grantFilesTo("Others", {
      ...{ action: "READ", fields: ["id", "content"] },
      rowFilter: { name: { _eq: "other.txt" } },
    });
    const { json } = await linksOf(files.member.secret, { ids });
    expect(json.data[0].fault.code).toBe("NOT_FOUND");
    for (const as of [undefined, "rhs_wrong"]) {
      for (const some of [ids, ["nothing"]]) {
        expect((await linksOf(as, { ids: some })).status).toBe(401);
      }
    }
  });

  it("take 200 ids in one statement, whatever the limits of lists are", async () => {
    await files.set("data.max_limit", 1);
    await files.set("data.default_limit", 1);
    await files.set("data.max_in_values", 1);
    const some = await Promise.all([1, 2, 3].map((at) => files.upload(`${at}`, `name=${at}.txt`)));
    const filler = (at: number) => {
      const hex = createHash("sha256").update(String(at)).digest("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4000-8000-${hex.slice(12, 24)}`;
    };
    const ids = [
      ...Array.from({ length: 197 }, (_, at) => filler(at)),
      ...some.map(({ id }) => id),
    ];
    const { status, json } = await linksOf(files.admin.secret, { ids });
    expect(status).toBe(200);
    expect(json.data.length).toBe(200);
    expect(json.data.filter((one: { url?: string }) => one.url !== undefined)).toHaveLength(3);
    for (const key of ["data.max_limit", "data.default_limit", "data.max_in_values"]) {
      await files.set(key, null);
    }
  });

  it("name each fault of the body by its path", async () => {
    const faultsOf = async (data: object) => {
      const { status, json } = await linksOf(files.admin.secret, data);
      return [status, ...json.errors.map((one: { path: string }) => one.path)];
    };
    expect(await faultsOf({})).toEqual([400, "/data/ids"]);
    expect(await faultsOf({ ids: [] })).toEqual([400, "/data/ids"]);
    expect(await faultsOf({ ids: Array(201).fill(note.id) })).toEqual([400, "/data/ids"]);
    expect(await faultsOf({ ids: [note.id, 7] })).toEqual([400, "/data/ids/1"]);
    const two = { ids: [note.id], lifetimeSeconds: 0, width: 100 };
    expect(await faultsOf(two)).toEqual([400, "/data/lifetimeSeconds", "/data/width"]);
    expect(await faultsOf({ ids: [note.id], lifetimeSeconds: 61 })).toEqual([
      400,
      "/data/lifetimeSeconds",
    ]);
    const form = { lifetimeSeconds: 61, preset: "thumbnails" };
    const terms = [400, "/data/lifetimeSeconds", "/data/preset"];
    expect(await faultsOf({ ids: [note.id], ...form })).toEqual(terms);
    const one = await files.ask(`/api/files/${note.id}/link`, {
      ...{ method: "POST", as: files.admin.secret, data: form },
    });
    expect([one.status, ...one.json.errors.map(({ path }: { path: string }) => path)]).toEqual(
      terms,
    );
  });
});

describe("a link to a file", () => {
  const linkOf = (as: string, data: object = {}) =>
    files.ask(`/api/files/${note.id}/link`, { method: "POST", as, data });

  it("opens it without a header, for at most a minute", async () => {
    const { status, json } = await linkOf(files.admin.secret, { lifetimeSeconds: 30 });
    expect(status).toBe(201);
    expect(json.data.url).toMatch(new RegExp(`^/api/files/${note.id}/note.txt\\?ticket=`));
    const left = new Date(json.data.expiresAt).getTime() - Date.now();
    expect(left).toBeLessThanOrEqual(30_000);
    const answer = await get(json.data.url);
    expect([answer.status, answer.bytes.toString()]).toEqual([200, text]);
    expect(json.data.url).not.toContain(files.admin.secret);
    expect(answer.headers.get("cache-control")).toMatch(/^private, max-age=(?:30|29|28), must/);
  });

  it("is loadable by any origin in every form of its answers, and its errors are not", async () => {
    const { url } = (await linkOf(files.admin.secret)).json.data;
    const tag = `"${note.sha256}"`;
    const forms: [number, RequestInit][] = [
      [200, {}],
      [200, { method: "HEAD" }],
      [206, { headers: { Range: "bytes=0-3" } }],
      [304, { headers: { "If-None-Match": tag } }],
    ];
    for (const [status, init] of forms) {
      const answer = await get(url, undefined, { ...(init.headers as Record<string, string>) });
      const sent = init.method === undefined ? answer : await files.ask(url, { method: "HEAD" });
      expect(sent.status).toBe(status);
      expect(Object.fromEntries(sent.headers)).toMatchObject({
        "cross-origin-resource-policy": "cross-origin",
        "content-security-policy":
          "default-src 'none'; base-uri 'none'; sandbox; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "cache-control": expect.stringMatching(/^private, max-age=(?:60|5[0-9]), must-revalidate$/),
        vary: "Origin",
      });
      expect(sent.headers.get("access-control-allow-origin")).toBeNull();
    }
    const range = await get(url, undefined, { Range: "bytes=100-" });
    const none = await get(url.replace(/ticket=.*/, "ticket=v1.AAAA"));
    for (const [answer, status] of [[range, 416] as const, [none, 401] as const]) {
      expect(answer.status).toBe(status);
      expect(answer.headers.get("cross-origin-resource-policy")).toBeNull();
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-type")).toBe("application/json");
    }
    // The header is another right than the ticket.
    const withHeader = await get(url, files.admin.secret);
    expect(withHeader.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(withHeader.headers.get("cache-control")).toBe("private, no-store");
  });

  it("can be read by fetch of an allowed origin alone, whatever an image has put into the cache", async () => {
    await files.set("security.cors_origins", ["https://app.example.com"]);
    const { url } = (await linkOf(files.admin.secret)).json.data;
    const readAllowed = () => get(url, undefined, { Origin: "https://app.example.com" });
    // Gateways in other processes read the setting every second.
    await expect
      .poll(async () => (await readAllowed()).headers.get("access-control-allow-origin"), {
        timeout: 5000,
      })
      .toBe("https://app.example.com");
    const allowed = await readAllowed();
    expect(allowed.headers.get("access-control-allow-credentials")).toBeNull();
    const other = await get(url, undefined, { Origin: "https://evil.example.com" });
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    const image = await get(url);
    for (const { headers } of [allowed, other, image]) {
      expect(new Set(headers.get("vary")?.split(", "))).toEqual(new Set(["Origin"]));
    }
    await files.set("security.cors_origins", []);
  });

  it("lasts as long as the administrator allows, and stays the same for a while", async () => {
    await files.set("files.link_max_lifetime_seconds", 3600);
    const [one, two] = await Promise.all([
      linkOf(files.admin.secret, { lifetimeSeconds: 3600 }),
      linkOf(files.admin.secret, { lifetimeSeconds: 3600 }),
    ]);
    const left = new Date(one.json.data.expiresAt).getTime() - Date.now();
    expect(left).toBeGreaterThan(2_690_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect(two.json.data).toEqual(one.json.data);
    const seconds = Number(
      /max-age=([0-9]+)/.exec(
        (await get(one.json.data.url)).headers.get("cache-control") ?? "",
      )?.[1],
    );
    expect(Math.abs(seconds - left / 1000)).toBeLessThan(5);
    const beyond = await linkOf(files.admin.secret, { lifetimeSeconds: 3601 });
    expect(beyond.json.errors[0]).toMatchObject({
      path: "/data/lifetimeSeconds",
      message: "Must be at most 3600, the setting files.link_max_lifetime_seconds",
    });
    await files.set("files.link_max_lifetime_seconds", null);
  });

  it("lasts a minute if the request has no body", async () => {
    const path = `/api/files/${note.id}/link`;
    const { status, json } = await files.ask(path, { method: "POST", as: files.admin.secret });
    expect(status).toBe(201);
    const left = new Date(json.data.expiresAt).getTime() - Date.now();
    expect(left).toBeGreaterThan(50_000);
    const wrong = await files.ask(path, {
      ...{ method: "POST", as: files.admin.secret, body: "x" },
      headers: { "Content-Type": "text/plain" },
    });
    expect([wrong.status, wrong.json.errors[0].code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it("names an invalid lifetime by its path", async () => {
    const { status, json } = await linkOf(files.admin.secret, { lifetimeSeconds: 61 });
    expect([status, json.errors[0].path]).toEqual([400, "/data/lifetimeSeconds"]);
  });

  it("opens no other file, and nothing when it was changed", async () => {
    const other = await files.upload("other", "name=other.txt");
    const { json } = await linkOf(files.admin.secret);
    const moved = json.data.url.replace(note.id, other.id);
    expect((await get(moved)).status).toBe(401);
    expect((await get(json.data.url.replace(/.{10}$/, "0123456789"))).status).toBe(401);
  });

  it("dies with the right, and with the session that made it", async () => {
    await files.grantFiles({ action: "READ" });
    const first = (await linkOf(files.member.secret)).json.data.url;
    expect((await get(first)).status).toBe(200);
    await files.grantFiles();
    expect((await get(first)).status).toBe(404);
    await files.grantFiles({ action: "READ" });
    expect((await get(first)).status).toBe(200);
    await files.sql(`delete from system.sessions where user_id = '${files.member.id}'`);
    expect((await get(first)).status).toBe(401);
  });

  it("ends after more than three quarters of its time, and new bytes have another address", async () => {
    let now = Date.parse("2026-03-01T12:00:00Z");
    const tickets = createFileTickets(
      createVault(() => "a secret"),
      () => now,
    );
    const credential = { kind: "SESSION", digest: "d" } as const;
    const file = { id: note.id, sha256: "a".repeat(64) };
    const made = new Set<string>();
    for (let second = 0; second < 3600; second += 60) {
      now += 60_000;
      const { text: ticket, expiresAt } = await tickets.create(file, credential, 3600);
      const left = (expiresAt.getTime() - now) / 1000;
      expect(left).toBeGreaterThan(2700);
      expect(left).toBeLessThanOrEqual(3600);
      made.add(ticket);
      expect(await tickets.read(note.id, ticket)).toEqual({ credential, secondsLeft: left });
    }
    expect(made.size).toBeLessThanOrEqual(5);
    const [first = ""] = made;
    const changed = { ...file, sha256: "b".repeat(64) };
    expect((await tickets.create(changed, credential, 3600)).text).not.toBe([...made].at(-1));
    now += 3_600_000;
    expect(await tickets.read(note.id, first)).toBeUndefined();
  });
});
