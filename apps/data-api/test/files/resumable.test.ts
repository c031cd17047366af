// Tiers: usual, topologies.
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type AskOptions,
  type FileEnvironment,
  openFileEnvironment,
  sha256Of,
} from "./file-environment.ts";

// Resumable uploads by the protocol tus 1.0.

interface Fault {
  readonly code: string;
  readonly path?: string;
  readonly details?: { readonly key?: string };
}

let files: FileEnvironment;
beforeAll(async () => {
  files = await openFileEnvironment();
});
afterAll(() => files.stop());
beforeEach(() => files.grantFiles());

const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
const base64 = (text: string) => Buffer.from(text).toString("base64");
const metadataOf = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([key, text]) => `${key} ${base64(text)}`)
    .join(",");
const tus = (method: string, path: string, { headers, ...options }: AskOptions = {}) =>
  files.ask(path, {
    ...{ method, as: files.admin.secret },
    ...options,
    headers: { "Tus-Resumable": "1.0.0", ...headers },
  });
const begin = (fields: Record<string, string>, length = bytes.length, options: AskOptions = {}) =>
  tus("POST", "/api/files/uploads", {
    ...options,
    headers: { "Upload-Length": String(length), "Upload-Metadata": metadataOf(fields) },
  });
const patch = (path: string, offset: number, body: Uint8Array, options: AskOptions = {}) =>
  tus("PATCH", path, {
    ...{ body },
    ...options,
    headers: { "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" },
  });
const started = async (fields: Record<string, string> = { filename: "big.bin" }) =>
  (await begin(fields)).headers.get("location") ?? "";

describe("a resumable upload", () => {
  it("becomes a file with its last part", async () => {
    const made = await begin({ filename: "big.bin", title: "Parts", filetype: "text/plain" });
    expect(made.status).toBe(201);
    const path = made.headers.get("location") ?? "";
    expect(path).toMatch(/^\/api\/files\/uploads\/[0-9a-f-]{36}$/);
    expect(made.headers.get("upload-expires")).not.toBeNull();
    const first = await patch(path, 0, bytes.subarray(0, 60_000));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "60000"]);
    expect(first.headers.get("rowhouse-file")).toBeNull();
    const head = await tus("HEAD", path);
    expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "60000"]);
    const last = await patch(path, 60_000, bytes.subarray(60_000));
    const id = last.headers.get("rowhouse-file");
    expect(last.status).toBe(204);
    const answer = await files.ask(`/api/files/${id}`, { as: files.admin.secret });
    expect(sha256Of(answer.bytes)).toBe(sha256Of(bytes));
    const row = await files.ask(`/api/system/table/files/${id}`, { as: files.admin.secret });
    expect(row.json.data).toMatchObject({ name: "big.bin", title: "Parts", state: "READY" });
    // Its sender may have lost the last response.
    const again = await tus("HEAD", path);
    expect([again.headers.get("upload-offset"), again.headers.get("rowhouse-file")]).toEqual([
      "100000",
      id,
    ]);
    expect(await files.sql("select from system.upload_segments")).toHaveLength(0);
  });

  it("keeps what arrived of a part whose connection hangs", async () => {
    const path = await started();
    const { hostname, port } = new URL(files.environment.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      [
        `PATCH ${path} HTTP/1.1`,
        ...[`Host: ${hostname}`, `Authorization: Bearer ${files.admin.secret}`],
        ...["Tus-Resumable: 1.0.0", "Upload-Offset: 0", `Content-Length: ${bytes.length}`],
        ...["Content-Type: application/offset+octet-stream", "", ""],
      ].join("\r\n"),
    );
    socket.write(bytes.subarray(0, 30_000));
    // The sender came back on another connection, while the first one hangs.
    await expect
      .poll(async () => (await tus("HEAD", path)).headers.get("upload-offset"))
      .toBe("30000");
    socket.destroy();
    const rest = await patch(path, 30_000, bytes.subarray(30_000));
    const id = rest.headers.get("rowhouse-file");
    const answer = await files.ask(`/api/files/${id}`, { as: files.admin.secret });
    expect(sha256Of(answer.bytes)).toBe(sha256Of(bytes));
  });

  it("takes each byte once, although two requests send it", async () => {
    const path = await started();
    const half = bytes.subarray(0, 50_000);
    const both = await Promise.all([patch(path, 0, half), patch(path, 0, half)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    const late = await patch(path, 10, half);
    expect([late.status, late.json.errors[0].code]).toEqual([409, "CONFLICT"]);
    const rest = await patch(path, 50_000, bytes.subarray(50_000));
    const answer = await files.ask(`/api/files/${rest.headers.get("rowhouse-file")}`, {
      as: files.admin.secret,
    });
    expect(sha256Of(answer.bytes)).toBe(sha256Of(bytes));
  });

  it("is finished by a question about it, if its process ended after the last part", async () => {
    const path = await started({ filename: "late.bin" });
    await patch(path, 0, bytes.subarray(0, 99_999));
    // The state that a killed process leaves: all bytes are stored, and no file has them.
    const id = path.slice(-36);
    await files.sql(`update system.uploads set length = 99999 where id = '${id}'`);
    const head = await tus("HEAD", path);
    const file = head.headers.get("rowhouse-file");
    const answer = await files.ask(`/api/files/${file}`, { as: files.admin.secret });
    expect(answer.bytes.length).toBe(99_999);
  });

  it("replaces the version of a file that its sender knows", async () => {
    const { id, sha256 } = await files.upload("first", "name=v.bin");
    const stale = { filename: "v.bin", file_id: id, if_match: '"other"' };
    const refused = await begin(stale);
    expect([refused.status, refused.json.errors[0].code]).toEqual([412, "PRECONDITION_FAILED"]);
    const current = { filename: "v.bin", file_id: id, if_match: `"${sha256}"` };
    const [path, other] = [await started(current), await started(current)];
    expect((await patch(path, 0, bytes)).headers.get("rowhouse-file")).toBe(id);
    const answer = await files.ask(`/api/files/${id}`, { as: files.admin.secret });
    expect(sha256Of(answer.bytes)).toBe(sha256Of(bytes));
    const late = await patch(other, 0, bytes);
    expect([late.status, late.json.errors[0].code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect(late.json.errors[0].message).toContain("All bytes have arrived");
  });

  it("is refused while 1,000 others of its sender are open, which would fill a table without storing a byte", async () => {
    await begin({ filename: "sender" });
    await files.sql(
      `insert into system.uploads (user_id, name, length, is_resumable, metadata, storage_key, expires_at)
       select t.user_id, 'many', 1, true, '{}', 'many/' || n, now() + interval '1 hour'
       from system.uploads t, generate_series(1, 1000) n where t.name = 'sender'`,
    );
    const refused = await begin({ filename: "one.more" });
    await files.sql("delete from system.uploads where name = 'many'");
    expect([refused.status, refused.json.errors[0].code]).toEqual([413, "STORAGE_LIMIT_EXCEEDED"]);
    expect((await begin({ filename: "one.more" })).status).toBe(201);
  });

  it("ends on request, with its objects", async () => {
    const path = await started();
    await patch(path, 0, bytes.subarray(0, 10));
    const before = await files.sql("select from system.object_removals");
    expect((await tus("DELETE", path)).status).toBe(204);
    expect((await tus("HEAD", path)).status).toBe(404);
    expect(await files.sql("select from system.object_removals")).toHaveLength(before.length + 2);
  });
});

describe("who may continue an upload", () => {
  it("is its sender alone; for everybody else it does not exist", async () => {
    await files.grantFiles({ action: "CREATE" }, { action: "READ" });
    const path = await started();
    const none = "/api/files/uploads/00000000-0000-4000-8000-000000000000";
    const as = files.member.secret;
    for (const method of ["HEAD", "PATCH", "DELETE"]) {
      const ask = (place: string) =>
        method === "PATCH" ? patch(place, 0, bytes, { as }) : tus(method, place, { as });
      const [hidden, missing] = [await ask(path), await ask(none)];
      expect(hidden.status).toBe(404);
      expect(hidden.json?.errors).toEqual(missing.json?.errors);
    }
    expect((await tus("HEAD", path, { as: undefined })).status).toBe(401);
    expect((await tus("HEAD", path)).headers.get("upload-offset")).toBe("0");
  });

  it("needs the right to create the file at the beginning and at the end", async () => {
    const as = files.member.secret;
    expect((await begin({ filename: "a" }, 5, { as })).status).toBe(404);
    await files.grantFiles({ action: "CREATE", fields: ["name", "content"] });
    const unknown = await begin({ filename: "a", visibility: "PUBLIC" }, 5, { as });
    expect([unknown.status, unknown.json.errors[0].code]).toEqual([400, "FIELD_UNKNOWN"]);
    const path = (await begin({ filename: "a" }, 5, { as })).headers.get("location") ?? "";
    await files.grantFiles();
    const part = await patch(path, 0, Buffer.from("byt"), { as });
    expect(part.status).toBe(404);
    expect((await tus("HEAD", path, { as })).headers.get("upload-offset")).toBe("0");
    expect(await files.sql("select from system.files where name = 'a'")).toHaveLength(0);
  });
});

describe("a resumable upload of a new version", () => {
  it("begins and goes on only while the caller may change this row", async () => {
    const { id } = await files.upload("first", "name=v.bin");
    const as = files.member.secret;
    const update = { action: "UPDATE", fields: ["content"] } as const;
    await files.grantFiles({ ...update, rowFilter: { name: { _eq: "other" } } });
    const fields = { filename: "v.bin", file_id: id };
    expect((await begin(fields, 5, { as })).status).toBe(404);
    await files.grantFiles(update);
    const path = (await begin(fields, 5, { as })).headers.get("location") ?? "";
    expect((await patch(path, 0, Buffer.from("by"), { as })).status).toBe(204);
    await files.grantFiles({ ...update, rowFilter: { name: { _eq: "other" } } });
    expect((await patch(path, 2, Buffer.from("t"), { as })).status).toBe(404);
    expect((await tus("HEAD", path, { as })).headers.get("upload-offset")).toBe("2");
  });
});

describe("the creation of an upload", () => {
  const raw = (metadata: string, length: string) =>
    tus("POST", "/api/files/uploads", {
      headers: { "Upload-Length": length, "Upload-Metadata": metadata },
    });
  const countUploads = async () => (await files.sql("select from system.uploads")).length;
  const faultsOf = (answer: { readonly json: { readonly errors: readonly Fault[] } }) =>
    answer.json.errors.map(({ code, path, details }) => `${details?.key ?? path} ${code}`);

  it.each([
    ["a name with a slash", { filename: "a/b.txt" }, "filename CHECK_VIOLATION"],
    ["a name of 300 characters", { filename: "a".repeat(300) }, "filename CHECK_VIOLATION"],
    [
      "an unknown folder",
      { filename: "a", folder_id: "00000000-0000-4000-8000-000000000000" },
      "folder_id FOREIGN_KEY_VIOLATION",
    ],
    ["no id of a folder", { filename: "a", folder_id: "x" }, "folder_id VALUE_INVALID"],
    ["an unknown visibility", { filename: "a", visibility: "OPEN" }, "visibility CHECK_VIOLATION"],
    ["a long title", { filename: "a", title: "t".repeat(256) }, "title CHECK_VIOLATION"],
    ["no media type", { filename: "a", filetype: "text" }, "filetype BODY_INVALID"],
  ])("refuses %s", async (_case, fields: Record<string, string>, fault) => {
    const before = await countUploads();
    const answer = await begin(fields);
    expect(answer.status).toBe(fault.includes("FOREIGN_KEY") ? 409 : 400);
    expect(faultsOf(answer)).toEqual([fault]);
    expect(await countUploads()).toBe(before);
  });

  it.each([
    ["a value that is not base64", `filename ${base64("a")},title Y Q==`, "title"],
    ["a value with other characters", `filename ${base64("a")},title Y*==`, "title"],
    ["a repeated key", `filename ${base64("a")},title YQ==,title Yg==`, "title"],
    ["a key that is not ASCII", `filename ${base64("a")},t\u00e4g YQ==`, "t\u00e4g"],
  ])("names the key of %s", async (_case, metadata, key) => {
    expect(faultsOf(await raw(metadata, "5"))).toContain(`${key} BODY_INVALID`);
  });

  it("names all faults at once, also of the length, the quota and the type", async () => {
    await files.set("files.allowed_types", ["image/*"]);
    await files.set("files.max_bytes", 1_000_000);
    const fields = metadataOf({
      ...{ filename: "a/b", filetype: "text/plain", owner: "me", visibility: "OPEN" },
      folder_id: "00000000-0000-4000-8000-000000000000",
    });
    const answer = await raw(`${fields},title Y*`, "2000000");
    expect(faultsOf(answer).toSorted()).toEqual([
      "Upload-Length BODY_TOO_LARGE",
      "filename CHECK_VIOLATION",
      "filetype UNSUPPORTED_MEDIA_TYPE",
      "folder_id FOREIGN_KEY_VIOLATION",
      "owner BODY_INVALID",
      "title BODY_INVALID",
      "visibility CHECK_VIOLATION",
    ]);
    await files.set("files.max_bytes_per_user", 10);
    expect(faultsOf(await raw(`filename ${base64("a.png")}`, "11"))).toEqual([
      "Upload-Length STORAGE_LIMIT_EXCEEDED",
    ]);
    for (const key of ["files.allowed_types", "files.max_bytes", "files.max_bytes_per_user"]) {
      await files.sql(`delete from system.settings where key = '${key}'`);
    }
  });

  it("refuses a row that no grant of the caller takes, if its bytes cannot change that", async () => {
    const as = files.member.secret;
    await files.grantFiles({ action: "CREATE", check: { visibility: { _eq: "PUBLIC" } } });
    const fields = { filename: "a", visibility: "PRIVATE" };
    expect((await begin(fields, 5, { as })).status).toBe(403);
    await files.grantFiles({ action: "CREATE", check: { media_type: { _eq: "text/plain" } } });
    const path = (await begin(fields, 5, { as })).headers.get("location") ?? "";
    expect((await patch(path, 0, Buffer.from("bytes"), { as })).status).toBe(204);
  });

  it("reserves the room and the size of the upload, which ends although the limits shrink", async () => {
    const path = await started();
    expect((await patch(path, 0, bytes.subarray(0, 10))).status).toBe(204);
    for (const key of ["files.max_bytes", "files.max_bytes_per_user", "files.max_bytes_total"]) {
      await files.set(key, 1000);
    }
    const last = await patch(path, 10, bytes.subarray(10));
    for (const key of ["files.max_bytes", "files.max_bytes_per_user", "files.max_bytes_total"]) {
      await files.sql(`delete from system.settings where key = '${key}'`);
    }
    expect([last.status, last.headers.get("rowhouse-file")]).toEqual([204, expect.any(String)]);
  });

  it("is no promise for a folder that is deleted meanwhile, and the last response says so", async () => {
    const made = await files.ask("/api/system/table/folders", {
      ...{ method: "POST", as: files.admin.secret },
      data: { name: "Soon gone" },
    });
    const folder = made.json.data.id;
    const path = await started({ filename: "a.bin", folder_id: folder });
    expect((await patch(path, 0, bytes.subarray(0, 10))).status).toBe(204);
    await files.ask(`/api/system/table/folders/${folder}`, {
      ...{ method: "DELETE", as: files.admin.secret },
    });
    const last = await patch(path, 10, bytes.subarray(10));
    expect(last.json.errors[0].code).toBe("FOREIGN_KEY_VIOLATION");
    expect(last.json.errors[0].message).toContain("All bytes have arrived, but the file cannot");
    expect((await tus("DELETE", path)).status).toBe(204);
  });
});

describe("a malformed request", () => {
  it("of another version of the protocol receives the supported one", async () => {
    for (const asked of ["0.2.2", "2.0.0", ""]) {
      const answer = await tus("POST", "/api/files/uploads", {
        headers: { "Tus-Resumable": asked, "Upload-Length": "5" },
      });
      expect([answer.status, answer.headers.get("tus-version")]).toEqual([412, "1.0.0"]);
      expect(answer.json.errors[0].code).toBe("PRECONDITION_FAILED");
    }
  });

  it.each([
    ["Upload-Defer-Length", "1", "creation-defer-length"],
    ["Upload-Concat", "partial", "concatenation"],
    ["Upload-Checksum", "sha1 AAAA", "checksum"],
    ["Upload-Concat", "final;/api/files/uploads/a /api/files/uploads/b", "concatenation"],
  ])("with %s: %s names the missing extension", async (header, value, extension) => {
    const answer = await tus("POST", "/api/files/uploads", {
      headers: { "Upload-Metadata": metadataOf({ filename: "a" }), [header]: value },
    });
    expect(answer.status).toBe(400);
    expect(answer.json.errors[0]).toMatchObject({
      ...{ code: "BODY_INVALID", path: header },
      message: `The extension ${extension} of tus is not supported`,
    });
  });

  it("is not one with the metadata that Uppy sends by default", async () => {
    const fields = {
      ...{ relativePath: "null", name: "p.txt", type: "text/plain" },
      ...{ filename: "p.txt", filetype: "text/plain", title: "A title" },
    };
    const begun = await begin(fields, 5);
    expect(begun.status).toBe(201);
    const end = await patch(begun.headers.get("location") ?? "", 0, Buffer.from("bytes"));
    const id = end.headers.get("rowhouse-file");
    const row = await files.ask(`/api/system/table/files/${id}`, { as: files.admin.secret });
    expect(row.json.data).toMatchObject({ name: "p.txt", title: "A title" });
  });

  it.each([
    [
      "without the version of the protocol",
      () => tus("POST", "/api/files/uploads", { headers: { "Tus-Resumable": "" } }),
      412,
    ],
    [
      "without a length",
      () =>
        tus("POST", "/api/files/uploads", {
          headers: { "Upload-Metadata": metadataOf({ filename: "a" }) },
        }),
      400,
    ],
    ["without a name", () => begin({ title: "a" }), 400],
    ["with a name that PostgreSQL cannot store", () => begin({ filename: "a\0b" }), 400],
    ["with such a type", () => begin({ filename: "a", filetype: "\0" }), 400],
    ["with such a field", () => begin({ filename: "a", title: "\0" }), 400],
    [
      "with a name that is not UTF-8",
      () =>
        tus("POST", "/api/files/uploads", {
          headers: { "Upload-Length": "1", "Upload-Metadata": "title YQ==,filename Yf8=" },
        }),
      400,
    ],
    ["with an unknown field", () => begin({ filename: "a", owner: "me" }), 400],
    ["over the limit of a file", () => begin({ filename: "a" }, 2_000_000_000_000), 413],
    ["for a path that is no upload", () => tus("HEAD", "/api/files/uploads/..%2Fx"), 404],
  ])("%s is refused with the error of the contract", async (_name, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    if (answer.bytes.length > 0) expect(answer.json.errors[0].code).toMatch(/^[A-Z_]+$/);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});
