// Tiers: usual, topologies.
import { createSecret } from "@rowhouse/access";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type FileEnvironment,
  type FileRow,
  openFileEnvironment,
  sha256Of,
} from "./file-environment.ts";

let files: FileEnvironment;
let note: FileRow;
const text = "The quick brown fox jumps over the lazy dog";

beforeAll(async () => {
  files = await openFileEnvironment();
  note = await files.upload(text, "name=note.txt&title=A%20note");
});
afterAll(() => files.stop());
beforeEach(() => files.grantFiles());

const get = (path: string, as?: string, headers: Record<string, string> = {}) =>
  files.ask(path, { as, headers });
const bytesOf = (as?: string, headers?: Record<string, string>) =>
  get(`/api/files/${note.id}`, as, headers);

describe("the bytes of a file", () => {
  it("are what was uploaded, with the type that they have and headers that run nothing", async () => {
    expect(note).toMatchObject({
      state: "READY",
      media_type: "text/plain",
      bytes: String(text.length),
      sha256: sha256Of(text),
      content: `/api/files/${note.id}`,
    });
    for (const path of [`/api/files/${note.id}`, `/api/files/${note.id}/any-name.html`]) {
      const answer = await get(path, files.admin.secret);
      expect(answer.status).toBe(200);
      expect(answer.bytes.toString()).toBe(text);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": "inline; filename=note.txt",
        "content-length": String(text.length),
        "x-content-type-options": "nosniff",
        "content-security-policy":
          "default-src 'none'; base-uri 'none'; sandbox; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "private, no-store",
        "accept-ranges": "bytes",
        etag: `"${sha256Of(text)}"`,
      });
    }
  });

  it("are an attachment on request, and HEAD has the same headers without the bytes", async () => {
    const answer = await get(`/api/files/${note.id}?download`, files.admin.secret);
    expect(answer.headers.get("content-disposition")).toBe("attachment; filename=note.txt");
    const head = await files.ask(`/api/files/${note.id}`, {
      method: "HEAD",
      as: files.admin.secret,
    });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect(head.headers.get("content-length")).toBe(String(text.length));
  });

  it("can be read in parts, and only of the version that the reader knows", async () => {
    const tag = `"${note.sha256}"`;
    const part = (range: string, more: Record<string, string> = {}) =>
      bytesOf(files.admin.secret, { Range: range, ...more });
    const middle = await part("bytes=4-8");
    expect([middle.status, middle.bytes.toString()]).toEqual([206, "quick"]);
    expect(middle.headers.get("content-range")).toBe(`bytes 4-8/${text.length}`);
    expect((await part("bytes=-3")).bytes.toString()).toBe("dog");
    for (const range of [`bytes=-${text.length}`, `bytes=-${text.length + 1}`, "bytes=-99999999"]) {
      const all = await part(range);
      expect([all.status, all.bytes.toString()]).toEqual([206, text]);
      expect(all.headers.get("content-range")).toBe(`bytes 0-${text.length - 1}/${text.length}`);
    }
    expect((await part("bytes=-0")).status).toBe(416);
    const head = await files.ask(`/api/files/${note.id}`, {
      ...{ method: "HEAD", as: files.admin.secret },
      headers: { Range: "bytes=0-2" },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(text.length)]);
    expect((await part("bytes=40-1000")).bytes.toString()).toBe("dog");
    expect((await part("bytes=0-2", { "If-Range": tag })).status).toBe(206);
    expect((await part("bytes=0-2", { "If-Range": '"other"' })).status).toBe(200);
    expect((await part("bytes=0-2,8-9")).status).toBe(200);
    expect((await part("lines=1-2")).status).toBe(200);
    const beyond = await part("bytes=100-");
    expect([beyond.status, beyond.json.errors[0].code]).toEqual([416, "RANGE_INVALID"]);
    expect(beyond.headers.get("content-range")).toBe(`bytes */${text.length}`);
  });

  it("are not sent again to a reader that has them", async () => {
    const tag = `"${note.sha256}"`;
    const known = await bytesOf(files.admin.secret, { "If-None-Match": `"other", ${tag}` });
    expect([known.status, known.bytes.length, known.headers.get("etag")]).toEqual([304, 0, tag]);
    expect((await bytesOf(files.admin.secret, { "If-None-Match": '"other"' })).status).toBe(200);
  });

  it("have no other parameters", async () => {
    const answer = await get(`/api/files/${note.id}?width=99999`, files.admin.secret);
    expect([answer.status, answer.json.errors[0]]).toMatchObject([
      400,
      { code: "QUERY_INVALID", path: "width" },
    ]);
  });

  it("of an empty file are empty", async () => {
    const empty = await files.upload("", "name=empty.txt");
    const answer = await get(`/api/files/${empty.id}`, files.admin.secret);
    expect([answer.status, answer.bytes.length, empty.bytes]).toEqual([200, 0, "0"]);
  });
});

describe("who may read the bytes", () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  const bodyOf = async (path: string, as?: string) => {
    const { status, json } = await get(path, as);
    return { status, errors: json?.errors };
  };

  it("are those who may read the row and its field content, from the next request on", async () => {
    const { secret } = files.member;
    expect((await bytesOf(secret)).status).toBe(404);
    await files.grantFiles({ action: "READ", fields: ["id", "name"] });
    expect((await bytesOf(secret)).status).toBe(404);
    await files.grantFiles({ action: "READ", fields: ["id", "content"] });
    expect((await bytesOf(secret)).bytes.toString()).toBe(text);
    await files.grantFiles({ action: "READ", rowFilter: { name: { _eq: "other.txt" } } });
    expect((await bytesOf(secret)).status).toBe(404);
    // The field in some rows, and this row without the field.
    await files.grantFiles({ action: "READ", fields: ["id", "name"] });
    await files.grantFilesTo("Others", {
      ...{ action: "READ", fields: ["id", "content"] },
      rowFilter: { name: { _eq: "other.txt" } },
    });
    expect((await bytesOf(secret)).status).toBe(404);
    await files.grantFiles({ action: "READ", rowFilter: { name: { _eq: "note.txt" } } });
    expect((await bytesOf(secret)).status).toBe(200);
    await files.grantFiles();
    expect((await bytesOf(secret, { Range: "bytes=0-1" })).status).toBe(404);
  });

  it("learn nothing of others: a hidden file and none are one 404, and one 401 without a credential", async () => {
    for (const as of [files.member.secret, files.stranger.secret, undefined]) {
      for (const path of ["", "/note.txt", "?download", "?preset=thumbnail"]) {
        const hidden = await bodyOf(`/api/files/${note.id}${path}`, as);
        const none = await bodyOf(`/api/files/${missing}${path}`, as);
        expect(hidden.status).toBe(as === undefined ? 401 : 404);
        expect(hidden).toEqual(none);
      }
      const link = (id: string) =>
        files.ask(`/api/files/${id}/link`, { method: "POST", as, data: {} });
      const [hidden, none] = [await link(note.id), await link(missing)];
      expect(hidden.json?.errors).toEqual(none.json?.errors);
      expect(hidden.status).toBe(as === undefined ? 401 : 404);
    }
    expect((await bytesOf("rhs_wrong")).status).toBe(401);
    expect((await get("/api/files/not-a-uuid", files.admin.secret)).status).toBe(404);
  });

  it("are everybody while a file is public", async () => {
    const shared = await files.upload("open", "name=open.txt&visibility=PUBLIC");
    const answer = await get(`/api/files/${shared.id}`);
    expect([answer.status, answer.bytes.toString()]).toEqual([200, "open"]);
    expect(answer.headers.get("cache-control")).toBe("max-age=60, must-revalidate");
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect((await get(`/api/files/${shared.id}`, files.stranger.secret)).status).toBe(200);
    // A credential that is malformed, unknown or of another scheme is ignored, as public webhooks ignore it.
    const path = `/api/files/${shared.id}`;
    for (const [to, authorization] of [
      [path, "Bearer rhs_wrong"],
      [path, `Bearer ${createSecret("SESSION")}`],
      [path, `Bearer ${createSecret("TOKEN")}`],
      [path, "Basic eDp5"],
      [path, ""],
      [`${path}/open.txt?download`, "Bearer rhp_wrong"],
      [`${path}?ticket=nonsense`, undefined],
      [`${path}?ticket=`, undefined],
    ] as const) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      for (const method of ["GET", "HEAD"]) {
        const open = await files.ask(to, { method, headers });
        expect([to, authorization, method, open.status]).toEqual([to, authorization, method, 200]);
        expect(open.headers.get("cache-control")).toBe("max-age=60, must-revalidate");
      }
      const link = await files.ask(`${path}/link`, { method: "POST", headers, data: {} });
      expect(link.status).toBe(401);
    }
    const hide = await files.ask(`/api/system/table/files/${shared.id}`, {
      method: "PATCH",
      as: files.admin.secret,
      data: { visibility: "PRIVATE" },
    });
    expect(hide.status).toBe(200);
    for (const as of [undefined, "rhs_wrong", createSecret("SESSION")]) {
      expect((await get(`/api/files/${shared.id}`, as)).status).toBe(401);
    }
  });

  it("lose a download that runs when their right ends", async () => {
    const large = await files.upload(Buffer.alloc(48_000_000, "a"), "name=large.bin");
    await files.grantFiles({ action: "READ" });
    const answer = await fetch(`${files.environment.url}/api/files/${large.id}`, {
      headers: { Authorization: `Bearer ${files.member.secret}` },
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    await files.grantFiles();
    // The right is proven about once a second, so the reader waits for the second to pass.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await expect(
      (async () => {
        for (let read = await reader?.read(); read?.done === false; read = await reader?.read());
      })(),
    ).rejects.toThrow();
  });
});

describe("a schema with the name files", () => {
  it("keeps its paths", async () => {
    await files.sql("create schema files; create table files.link (id int primary key)");
    const { database } = files.environment.test;
    const { expose } = await import("@rowhouse/testing");
    await expose(database, "files", "link", "GET", "POST");
    const made = await files.ask("/api/files/table/link", {
      method: "POST",
      as: files.admin.secret,
      data: { id: 1 },
    });
    expect(made.status).toBe(201);
    const rows = await get("/api/files/table/link", files.admin.secret);
    expect(rows.json.data).toEqual([{ id: 1 }]);
  });
});
