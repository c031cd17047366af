// Tiers: usual, topologies.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type AskOptions,
  type FileEnvironment,
  openFileEnvironment,
  sha256Of,
} from "./file-environment.ts";

interface Fault {
  readonly code: string;
  readonly path?: string;
}

let files: FileEnvironment;
beforeAll(async () => {
  files = await openFileEnvironment();
});
afterAll(() => files.stop());
beforeEach(() => files.grantFiles());

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const post = (query: string, options: AskOptions = {}) =>
  files.ask(`/api/files?${query}`, { method: "POST", as: files.admin.secret, ...options });
const fault = ({ status, json }: Awaited<ReturnType<typeof post>>) => [
  status,
  json?.errors[0].code,
  json?.errors[0].path,
];
/** What the installation holds of uploads that no file took. */
const leftovers = async () => (await files.sql("select state from system.uploads")).length;

describe("POST /api/files", () => {
  it("stores the bytes and creates the row, with the type and size that were found", async () => {
    const answer = await post("name=dot.txt&title=A%20dot", {
      body: png,
      headers: { "Content-Type": "text/plain" },
    });
    expect(answer.status).toBe(201);
    expect(answer.json.data).toMatchObject({
      ...{
        name: "dot.txt",
        title: "A dot",
        folder_id: null,
        visibility: "PRIVATE",
        state: "READY",
      },
      ...{ media_type: "image/png", claimed_type: "text/plain", bytes: String(png.length) },
      ...{ sha256: sha256Of(png), width: 1, height: 1, uploaded_by: files.admin.id },
    });
    expect(answer.json.data).not.toHaveProperty("storage_key");
    expect(answer.headers.get("location")).toBe(`/api/files/${answer.json.data.id}`);
    const audited = await files.sql(
      `select action, changed_fields::text as fields from system.audit_log where target_id = '${answer.json.data.id}'`,
    );
    expect(audited).toEqual(
      [
        { action: "file.create", fields: "{name,title,description,folder_id,visibility,content}" },
      ].map((entry) => ({ ...entry, fields: expect.stringContaining("content") })),
    );
  });

  it("takes a form whose last part is the file", async () => {
    const form = new FormData();
    form.set("title", "By a form");
    form.set("file", new Blob([png], { type: "image/png" }), "form.png");
    const answer = await files.ask("/api/files", {
      method: "POST",
      as: files.admin.secret,
      body: form,
    });
    expect([answer.status, answer.json.data]).toMatchObject([
      201,
      { name: "form.png", title: "By a form", media_type: "image/png", sha256: sha256Of(png) },
    ]);
  });

  it("refuses a form with fields behind the file, with two files, or with none", async () => {
    const forms: ((form: FormData) => void)[] = [
      (form) => {
        form.set("file", new Blob(["a"]), "a.txt");
        form.set("title", "late");
      },
      (form) => {
        form.set("file", new Blob(["a"]), "a.txt");
        form.append("file", new Blob(["b"]), "b.txt");
      },
      (form) => form.set("title", "no file"),
      (form) => form.set("other", new Blob(["a"]), "a.txt"),
      (form) => {
        form.set("owner", "me");
        form.set("file", new Blob(["a"]), "a.txt");
      },
    ];
    const before = await files.sql("select count(*) from system.files");
    for (const fill of forms) {
      const form = new FormData();
      fill(form);
      const answer = await files.ask("/api/files", {
        method: "POST",
        as: files.admin.secret,
        body: form,
      });
      expect([answer.status, answer.json?.errors[0].code]).toEqual([400, "BODY_INVALID"]);
    }
    const broken = await post("", {
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nno end',
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
    });
    expect([broken.status, broken.json?.errors[0].code]).toEqual([400, "BODY_INVALID"]);
    expect(await files.sql("select count(*) from system.files")).toEqual(before);
    expect(await leftovers()).toBe(0);
  });

  it("refuses names that are not UTF-8", async () => {
    const form = (part: string) =>
      post("", {
        body: Buffer.from(
          `--x\r\nContent-Disposition: form-data; ${part}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x--\r\n`,
          "latin1",
        ),
        headers: { "Content-Type": "multipart/form-data; boundary=x" },
      });
    for (const [answer, code] of [
      [await post("?name=a%ff", { body: "a" }), "QUERY_INVALID"],
      [await form('name="file"; filename="a\xff"\r\n\r\na'), "BODY_INVALID"],
      [await form('name="name"\r\n\r\na\xff'), "BODY_INVALID"],
    ] as const) {
      expect([answer.status, answer.json?.errors[0].code]).toEqual([400, code]);
    }
    expect(await leftovers()).toBe(0);
  });

  it.each([
    ["name", 'filename="a\0b"', "text/plain"],
    ["Content-Type", 'filename="a"', "te\0xt/plain"],
  ])("refuses a form whose file has a %s with NUL", async (path, name, type) => {
    const answer = await post("", {
      body: `--x\r\nContent-Disposition: form-data; name="file"; ${name}\r\nContent-Type: ${type}\r\n\r\na\r\n--x--\r\n`,
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
    });
    expect([answer.status, answer.json?.errors[0]]).toMatchObject([
      400,
      { code: "BODY_INVALID", path },
    ]);
    expect(await leftovers()).toBe(0);
  });

  it.each([
    ["", "name", "QUERY_INVALID"],
    ["name=a&owner=me", "owner", "QUERY_INVALID"],
    ["name=a&name=b", "name", "QUERY_INVALID"],
    ["name=a%2Fb", "name", "CHECK_VIOLATION"],
    ["name=a%0Ab", "name", "CHECK_VIOLATION"],
    ["name=..", "name", "CHECK_VIOLATION"],
    ["name=a&visibility=OPEN", "visibility", "CHECK_VIOLATION"],
    ["name=a&folder_id=nothing", "/data/folder_id", "VALUE_INVALID"],
    ["name=a&folder_id=00000000-0000-4000-8000-000000000000", "folder_id", "FOREIGN_KEY_VIOLATION"],
  ])("refuses %s and stores nothing", async (query, path, code) => {
    const answer = await post(query, { body: "bytes" });
    expect([answer.json?.errors[0].code, answer.json?.errors[0].path]).toEqual([code, path]);
    expect(await leftovers()).toBe(0);
  });

  it("names every fault of the fields of a form before the file has arrived", async () => {
    const part = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const form = [
          part("folder_id", "00000000-0000-4000-8000-000000000000"),
          part("visibility", "OPEN"),
          part("title", "t".repeat(256)),
          `--x\r\nContent-Disposition: form-data; name="file"; filename="${"n".repeat(300)}"\r\n\r\n`,
        ];
        controller.enqueue(Buffer.from(`${form.join("")}some bytes`));
        // The rest, which a refusal does not need.
        setTimeout(() => {
          isRead = true;
          controller.enqueue(Buffer.from("\r\n--x--\r\n"));
          controller.close();
        }, 5000);
      },
    });
    const answer = await post("", {
      body,
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
    });
    expect(isRead).toBe(false);
    expect(answer.status).toBe(409);
    const found = answer.json.errors.map(({ code, path }: Fault) => `${path} ${code}`);
    expect(found.toSorted()).toEqual([
      "folder_id FOREIGN_KEY_VIOLATION",
      "name CHECK_VIOLATION",
      "title CHECK_VIOLATION",
      "visibility CHECK_VIOLATION",
    ]);
    expect(await leftovers()).toBe(0);
  });

  it("requires a credential before it reads the body", async () => {
    expect(fault(await post("name=a", { as: undefined, body: "bytes" }))[0]).toBe(401);
    expect(fault(await post("name=a", { as: "rhs_wrong", body: "bytes" }))[0]).toBe(401);
  });
});

describe("the body of a caller without the right", () => {
  const as = () => files.member.secret;
  const form = { "Content-Type": "multipart/form-data; boundary=x" };

  it("is not read to create a file", async () => {
    for (const headers of [{}, form]) {
      expect(await statusBeforeBody("POST", "/api/files?name=a", as(), headers)).toBe(404);
    }
    expect(await statusBeforeBody("POST", "/api/files?name=a", undefined)).toBe(401);
  });

  it("is not read to replace a file that no row filter of the caller contains", async () => {
    const { id } = await files.upload("first", "name=v.txt");
    const path = `/api/files/${id}/content`;
    await files.grantFiles(
      { action: "READ" },
      { action: "UPDATE", rowFilter: { name: { _eq: "other" } } },
    );
    expect(await statusBeforeBody("PUT", path, as())).toBe(404);
    const missing = path.replace(/[0-9a-f]{12}/, "000000000000");
    expect(await statusBeforeBody("PUT", missing, as())).toBe(404);
    await files.grantFiles();
    expect(await statusBeforeBody("PUT", path, as())).toBe(404);
  });

  /** Announces a body, sends its first byte, with which a gateway forwards a request, and returns the status of the response. */
  async function statusBeforeBody(
    method: string,
    path: string,
    secret: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number | undefined> {
    const authorization = secret === undefined ? {} : { Authorization: `Bearer ${secret}` };
    const sent = request(`${files.environment.url}${path}`, {
      method,
      headers: { "Content-Length": "1000000", ...authorization, ...headers },
    });
    sent.write("x");
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    sent.on("error", () => undefined).destroy();
    return answer.statusCode;
  }
});

describe("who may upload", () => {
  const { stringify } = JSON;
  const asMember = (query: string, body: string | Buffer = "bytes") =>
    post(query, { as: files.member.secret, body });

  it("are those with a grant to create files with content", async () => {
    expect((await asMember("name=a")).status).toBe(404);
    await files.grantFiles({ action: "CREATE", fields: ["name"] });
    expect(fault(await asMember("name=a")).slice(0, 2)).toEqual([400, "FIELD_UNKNOWN"]);
    await files.grantFiles({ action: "CREATE", fields: ["name", "content"] });
    expect((await asMember("name=a")).status).toBe(201);
    expect(fault(await asMember("name=a&visibility=PUBLIC"))).toEqual([
      400,
      "FIELD_UNKNOWN",
      "/data/visibility",
    ]);
    expect(await leftovers()).toBe(0);
  });

  it("upload what the check of their grant accepts, on the values that were found", async () => {
    await files.grantFiles(
      { action: "READ" },
      {
        action: "CREATE",
        check: { _and: [{ media_type: { _eq: "image/png" } }, { bytes: { _lt: 1000 } }] },
        presets: { description: "By a member" },
      },
    );
    const image = await asMember("name=a.png", png);
    expect([image.status, image.json.data.description]).toEqual([201, "By a member"]);
    const text = await post("name=a.png", {
      ...{ as: files.member.secret, body: "no image" },
      headers: { "Content-Type": "image/png" },
    });
    expect(text.status).toBe(403);
    expect(await leftovers()).toBe(0);
    expect(stringify(text.json)).not.toContain("media_type");
  });

  it("cannot take the upload of someone else, or set what the service finds out", async () => {
    await files.grantFiles({ action: "CREATE" }, { action: "READ" });
    await files.sql(
      `insert into system.uploads (id, user_id, storage_key, state, name, media_type, sha256, received, expires_at)
       values ('11111111-1111-4111-8111-111111111111', '${files.admin.id}', 'objects/aa/aa', 'COMPLETE', 'x', 'image/png', 'aa', 3, now() + interval '1 hour')`,
    );
    const create = (data: object) =>
      files.ask("/api/system/table/files", { method: "POST", as: files.member.secret, data });
    const taken = await create({ name: "a", content: "11111111-1111-4111-8111-111111111111" });
    const none = await create({ name: "a", content: "21111111-1111-4111-8111-111111111111" });
    expect(fault(taken)).toEqual([400, "VALUE_INVALID", undefined]);
    expect(fault(none)).toEqual(fault(taken));
    for (const field of ["state", "media_type", "bytes", "sha256", "uploaded_by", "id"]) {
      const answer = await create({ name: "a", [field]: null });
      expect([answer.status, answer.json.errors[0].path]).toEqual([400, `/data/${field}`]);
    }
    expect(fault(await create({ name: "a", storage_key: "objects/aa/aa" }))[1]).toBe(
      "FIELD_UNKNOWN",
    );
    await files.sql("delete from system.uploads");
  });

  it("create a row without bytes by the Data API, which is PENDING and has nothing to read", async () => {
    await files.grantFiles({ action: "CREATE" }, { action: "READ" }, { action: "UPDATE" });
    const { secret } = files.member;
    const { json } = await files.ask("/api/system/table/files", {
      ...{ method: "POST", as: secret },
      data: { name: "later.txt" },
    });
    expect(json.data).toMatchObject({ state: "PENDING", content: null, bytes: null });
    const path = `/api/files/${json.data.id}`;
    expect((await files.ask(path, { as: secret })).status).toBe(404);
    const put = await files.ask(`${path}/content`, { method: "PUT", as: secret, body: "now" });
    expect([put.status, put.json.data.state]).toEqual([200, "READY"]);
    expect((await files.ask(path, { as: secret })).bytes.toString()).toBe("now");
  });
});

describe("PUT of the content", () => {
  const put = (id: string, body: string, options: AskOptions = {}) =>
    files.ask(`/api/files/${id}/content`, {
      ...{ method: "PUT", as: files.admin.secret, body },
      ...options,
    });

  it("replaces the version that the caller knows, and has the former object deleted", async () => {
    const { id, sha256 } = await files.upload("first", "name=v.txt");
    const [before] = await files.sql(`select storage_key from system.files where id = '${id}'`);
    const stale = await put(id, "second", { headers: { "If-Match": '"other"' } });
    expect(fault(stale).slice(0, 2)).toEqual([412, "PRECONDITION_FAILED"]);
    const second = await put(id, "second", { headers: { "If-Match": `"${sha256}"` } });
    expect([second.status, second.json.data.sha256]).toEqual([200, sha256Of("second")]);
    expect((await files.ask(`/api/files/${id}`, { as: files.admin.secret })).bytes.toString()).toBe(
      "second",
    );
    expect(
      await files.sql(
        `select due_at > now() + interval '9 minutes' as later from system.object_removals where storage_key = '${before?.storage_key}'`,
      ),
    ).toEqual([{ later: expect.anything() }]);
    expect((await put(id, "x", { headers: { "If-Match": "no tag" } })).status).toBe(400);
    expect(await leftovers()).toBe(0);
  });

  it("requires the right to update the field content of this row", async () => {
    const { id } = await files.upload("first", "name=v.txt");
    const as = files.member.secret;
    const refuse = async (...expected: unknown[]) =>
      expect(fault(await put(id, "mine", { as })).slice(0, expected.length)).toEqual(expected);
    await files.grantFiles({ action: "READ" });
    await refuse(403);
    await files.grantFiles({ action: "READ" }, { action: "UPDATE", fields: ["name"] });
    await refuse(400, "FIELD_UNKNOWN");
    await files.grantFiles({ action: "UPDATE", rowFilter: { name: { _eq: "other" } } });
    await refuse(404);
    const stale = await put(id, "mine", { as, headers: { "If-Match": '"other"' } });
    expect(stale.status).toBe(404);
    await files.grantFiles({ action: "READ" }, { action: "UPDATE", fields: ["content"] });
    expect((await put(id, "mine", { as })).status).toBe(200);
    expect(await leftovers()).toBe(0);
  });
});

describe("the limits of files", () => {
  it("bound one file, declared or not, with the connection kept usable", async () => {
    await files.set("files.max_bytes", 1000);
    expect(fault(await post("name=a", { body: Buffer.alloc(1001) }))).toEqual([
      413,
      "BODY_TOO_LARGE",
      undefined,
    ]);
    const chunks = new ReadableStream({
      start: (controller) => {
        for (let count = 0; count < 3; count += 1) controller.enqueue(new Uint8Array(500));
        controller.close();
      },
    });
    expect(fault(await post("name=a", { body: chunks })).slice(0, 2)).toEqual([
      413,
      "BODY_TOO_LARGE",
    ]);
    expect((await post("name=a", { body: Buffer.alloc(1000) })).status).toBe(201);
    await files.set("files.max_bytes", 1_073_741_824);
    expect(await leftovers()).toBe(0);
  });

  it("bound the bytes of a user and of the installation", async () => {
    await files.grantFiles({ action: "CREATE" }, { action: "READ" });
    await files.set("files.max_bytes_per_user", 100);
    const asMember = (size: number) =>
      post("name=a", { as: files.member.secret, body: Buffer.alloc(size) });
    await files.sql(`delete from system.files where uploaded_by = '${files.member.id}'`);
    expect((await asMember(60)).status).toBe(201);
    expect(fault(await asMember(41)).slice(0, 2)).toEqual([413, "STORAGE_LIMIT_EXCEEDED"]);
    expect((await asMember(40)).status).toBe(201);
    await files.set("files.max_bytes_per_user", 0);
    const [sum] = await files.sql("select sum(bytes)::text as bytes from system.files");
    await files.set("files.max_bytes_total", Number(sum?.bytes) + 10);
    const both = await Promise.all([asMember(6), asMember(6)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 413]);
    await files.set("files.max_bytes_total", 0);
    expect(await leftovers()).toBe(0);
  });

  it("bound the types, by the bytes and not by the name", async () => {
    await files.set("files.allowed_types", ["image/*", "application/pdf"]);
    expect((await post("name=a.png", { body: png })).status).toBe(201);
    const text = await post("name=a.png", {
      body: "no image",
      headers: { "Content-Type": "image/png" },
    });
    expect(fault(text).slice(0, 2)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    await files.set("files.allowed_types", []);
    expect(await leftovers()).toBe(0);
  });

  it("bound the uploads of a user at once, and end one that sends nothing", async () => {
    await files.set("files.max_uploads_per_user", 1);
    await files.set("files.upload_stall_ms", 1000);
    const slow = post("name=slow", {
      body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) }),
    });
    await expect.poll(leftovers).toBe(1);
    const second = await post("name=second", { body: "bytes" });
    expect(fault(second).slice(0, 2)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(fault(await slow).slice(0, 2)).toEqual([400, "BODY_INVALID"]);
    await files.set("files.upload_stall_ms", 30_000);
    await files.set("files.max_uploads_per_user", 8);
    expect((await post("name=third", { body: "bytes" })).status).toBe(201);
    expect(await leftovers()).toBe(0);
  });
});

describe("folders", () => {
  it("hold files and folders, and cannot be inside themselves", async () => {
    const as = files.admin.secret;
    const make = (data: object) =>
      files.ask("/api/system/table/folders", { method: "POST", as, data });
    const outer = (await make({ name: "outer" })).json.data;
    const inner = (await make({ name: "inner", parent_id: outer.id })).json.data;
    expect(fault(await make({ name: "inner", parent_id: outer.id }))[0]).toBe(409);
    const moved = await files.ask(`/api/system/table/folders/${outer.id}`, {
      ...{ method: "PATCH", as },
      data: { parent_id: inner.id },
    });
    expect(fault(moved).slice(0, 2)).toEqual([409, "CONFLICT"]);
    const file = await files.upload("x", `name=x.txt&folder_id=${inner.id}`);
    const list = await files.ask(
      `/api/system/table/files?fields=id,folder.name&where=${encodeURIComponent(`{"folder_id":{"_eq":"${inner.id}"}}`)}`,
      { as },
    );
    expect(list.json.data).toEqual([{ id: file.id, folder: { name: "inner" } }]);
    const kept = await files.ask(`/api/system/table/folders/${inner.id}`, { method: "DELETE", as });
    expect(fault(kept).slice(0, 2)).toEqual([409, "FOREIGN_KEY_VIOLATION"]);
  });

  it("deleting a file has its object deleted", async () => {
    const { id } = await files.upload("gone", "name=gone.txt");
    const [row] = await files.sql(`select storage_key from system.files where id = '${id}'`);
    const as = files.admin.secret;
    const gone = await files.ask(`/api/system/table/files/${id}`, { method: "DELETE", as });
    expect(gone.status).toBe(204);
    expect((await files.ask(`/api/files/${id}`, { as })).status).toBe(404);
    expect(
      await files.sql(
        `select storage_key from system.object_removals where storage_key = '${row?.storage_key}'`,
      ),
    ).toHaveLength(1);
  });
});
