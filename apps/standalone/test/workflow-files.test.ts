// Tiers: long, topologies. One of the longest files.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { gunzipSync, gzipSync } from "node:zlib";
import { createRole, createUser, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";
import { type MailServer, prepareMailServer } from "./mail-server.ts";

// Steps that write, read, render and attach files, as a user with grants on the rows of files.
const chromium = process.env.ROWHOUSE_CHROMIUM ?? "/usr/bin/chromium";
const hasChromium = existsSync(chromium);

let environment: EventEnvironment;
let server: MailServer;
let writer: TestUser;
let filesId: string;
let roleId: string;
let writes: string;
beforeAll(async () => {
  server = await prepareMailServer();
  await server.start();
  environment = await openEventEnvironment(undefined, {
    SMTP_URL: server.url,
    MAIL_FROM: "Rowhouse <house@example.com>",
    CHROMIUM_SANDBOX: "off",
    ...(hasChromium ? { CHROMIUM_PATH: chromium } : {}),
  });
  const { database } = environment.test;
  roleId = await createRole(database, "Writers");
  writer = await createUser(database, "writer@example.com", "Writers");
  const [resource] = (await administer("GET", "/resources?schema=system&search=.files")) as {
    id: string;
  }[];
  filesId = resource?.id ?? "";
  await administer("PATCH", `/resources/${filesId}`, {
    exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
  });
  await grant("READ", ["id", "name", "content", "bytes", "media_type", "uploaded_by"]);
  writes = await grant("CREATE", ["name", "title", "visibility", "content"]);
});
afterAll(async () => {
  await environment.stop();
  await server.stop();
});

async function administer(method: string, path: string, data?: unknown): Promise<unknown> {
  const answer = await environment.admin(method, path, data);
  expect([path, answer.status, answer.body?.errors]).toEqual([path, expect.any(Number), undefined]);
  return answer.body?.data;
}

async function grant(action: string, fields: readonly string[]): Promise<string> {
  const made = await administer("POST", "/grants", { roleId, resourceId: filesId, action, fields });
  return (made as { id: string }).id;
}

interface Run {
  readonly id: string;
  readonly status: string;
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  readonly result: any;
  readonly error: { readonly code: string; readonly message: string; readonly step: string } | null;
}

let count = 0;
async function run(
  steps: readonly object[],
  body: object = {},
  executeAs = writer.id,
): Promise<Run> {
  count += 1;
  const slug = `files-${count}`;
  const trigger = { kind: "webhook", access: "PUBLIC", executeAs };
  const made = (await administer("POST", "/workflows", {
    slug,
    name: slug,
    definition: { trigger, steps },
  })) as { id: string };
  for (const verb of ["publish", "enable"]) {
    await administer("POST", `/workflows/${made.id}/${verb}`);
  }
  const answer = await fetch(`${environment.url()}/api/workflows/${slug}/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Run }).data;
}

const end = (result: unknown) => ({ id: "end", kind: "finish", result });
const store = (name: string, content: string, more: object = {}) => ({
  id: "store",
  kind: "storeFile",
  name,
  content,
  ...more,
});
const filesNow = () =>
  environment.sql<{ count: number }>(
    "select (select count(*)::int from system.files) as count, (select count(*)::int from system.uploads) as uploads",
  );

describe("storeFile and readFile", () => {
  it("write text and base64 as the user of the run, and read them back", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
    const ended = await run(
      [
        store("note.txt", "Zoë {{start.data.body.n}}", { title: "A note" }),
        { ...store("dot.png", pixel, { encoding: "base64", visibility: "PUBLIC" }), id: "png" },
        { id: "text", kind: "readFile", file: "{{steps.store.id}}" },
        { id: "bytes", kind: "readFile", file: "{{steps.png.id}}", as: "base64" },
        end(["{{steps.text}}", "{{steps.bytes}}", "{{steps.store.uploaded_by}}"]),
      ],
      { n: 5 },
    );
    expect(ended).toMatchObject({
      status: "SUCCEEDED",
      result: [
        { name: "note.txt", mediaType: "text/plain", bytes: 6, content: "Zoë 5" },
        { name: "dot.png", mediaType: "image/png", content: pixel },
        writer.id,
      ],
    });
    const open = await fetch(`${environment.url()}/api/files/${ended.result[1].id}`);
    expect(Buffer.from(await open.arrayBuffer()).toString("base64")).toBe(pixel);
  });

  it("store the bytes of a response", async () => {
    const page = gzipSync("%PDF-1.4\n\xff\x00");
    const source = createServer((_request, response) =>
      response
        .writeHead(200, { "content-type": "application/pdf", "content-encoding": "gzip" })
        .end(page),
    );
    await once(source.listen(0, "127.0.0.1"), "listening");
    const address = source.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    await administer("PATCH", "/settings", { "workflows.allowed_hosts": [`127.0.0.1:${port}`] });
    const ended = await run([
      { id: "get", kind: "httpRequest", url: `http://127.0.0.1:${port}/`, responseAs: "base64" },
      store("page.pdf", "{{steps.get.body}}", { encoding: "base64" }),
      { id: "bytes", kind: "readFile", file: "{{steps.store.id}}", as: "base64" },
      end("{{steps.bytes}}"),
    ]);
    source.close();
    await administer("PATCH", "/settings", { "workflows.allowed_hosts": [] });
    expect(ended.result).toMatchObject({
      name: "page.pdf",
      mediaType: "application/pdf",
      content: gunzipSync(page).toString("base64"),
    });
  });

  it("read JSON with every digit", async () => {
    const { result } = await run([
      store("data.json", '{"price": 99.50, "id": 12345678901234567890}'),
      { id: "read", kind: "readFile", file: "{{steps.store.id}}", as: "json" },
      end("{{steps.read.content.price}} {{steps.read.content.id}}"),
    ]);
    expect(result).toBe("99.50 12345678901234567890");
  });

  it.each<[string, object, object, string]>([
    ["bytes that are no text", { content: "/w==", encoding: "base64" }, {}, "FILE_CONTENT_INVALID"],
    ["a text that is no JSON", { content: "{" }, { as: "json" }, "FILE_CONTENT_INVALID"],
    [
      "JSON that is nested too deeply",
      { content: `${"[".repeat(300)}${"]".repeat(300)}` },
      { as: "json" },
      "FILE_CONTENT_INVALID",
    ],
    ["more bytes than the step reads", { content: "12345" }, { bytesMax: 4 }, "FILE_TOO_LARGE"],
  ])("reject %s", async (_, written, reads, code) => {
    const ended = await run([
      { ...store("a.txt", ""), ...written },
      { id: "read", kind: "readFile", file: "{{steps.store.id}}", ...reads },
    ]);
    expect(ended.error).toMatchObject({ code, step: "read" });
  });

  it.each<[string, object, string]>([
    ["base64 that is none", { encoding: "base64" }, "FILE_CONTENT_INVALID"],
    ["a name with a slash", { name: "../a" }, "CHECK_VIOLATION"],
    ["a field that the user may not write", { description: "d" }, "FIELD_UNKNOWN"],
  ])("reject %s, and leave neither a file nor an upload", async (_, more, code) => {
    const before = await filesNow();
    const ended = await run([{ ...store("a.txt", "?"), ...more }]);
    expect(ended.error).toMatchObject({ code, step: "store" });
    expect(await filesNow()).toEqual(before);
  });

  it("have the rights of the user: without them a file is as if it were missing", async () => {
    const { result: id } = await run([store("own.txt", "own"), end("{{steps.store.id}}")]);
    const read = (file: string) => run([{ id: "read", kind: "readFile", file }]);
    expect((await read(id)).status).toBe("SUCCEEDED");
    const [reads] = (await administer("GET", `/grants?roleId=${roleId}&action=READ`)) as {
      id: string;
    }[];
    await administer("PATCH", `/grants/${reads?.id}`, { fields: ["id", "name"] });
    const hidden = await read(id);
    const missing = await read("00000000-0000-4000-8000-000000000000");
    expect(hidden.error).toEqual(missing.error);
    expect(hidden.error).toMatchObject({ code: "NOT_FOUND" });
    await administer("PATCH", `/grants/${reads?.id}`, {
      fields: ["id", "name", "content", "bytes", "media_type", "uploaded_by"],
    });
    const before = await filesNow();
    await administer("DELETE", `/grants/${writes}`);
    expect((await run([store("no.txt", "no")])).error).toMatchObject({ step: "store" });
    expect(await filesNow()).toEqual(before);
    writes = await grant("CREATE", ["name", "title", "visibility", "content"]);
  });
});

describe("renderDocument", () => {
  beforeAll(async () => {
    const template = (key: string, format: string, source: string, language = "en") =>
      administer("POST", "/templates", {
        kind: "DOCUMENT",
        key,
        language,
        title: key,
        format,
        source,
      });
    await template("invoice", "HTML", "<h1>Invoice {{ n }}</h1><p>{{ who }}</p><script>1</script>");
    await template("invoice", "HTML", "<h1>Rechnung {{ n }}</h1>", "de");
    await template("list", "CSV", "{% for r in rows %}{{ r.a }},{{ r.b }}\r\n{% endfor %}");
    await template(
      "broken",
      "TEXT",
      "{% for i in many %}{% for j in many %}{{ i }}{% endfor %}{% endfor %}",
    );
  });
  const render = (template: string, data: unknown, more: object = {}) => [
    { id: "doc", kind: "renderDocument", template, name: `${template}.out`, data, ...more },
    { id: "read", kind: "readFile", file: "{{steps.doc.id}}" },
    end(["{{steps.read.mediaType}}", "{{steps.read.content}}"]),
  ];

  it("makes HTML in the language of the template, with values escaped", async () => {
    const data = { n: "{{start.data.body.n}}", who: "{{start.data.body.who}}" };
    const body = { n: 1, who: "<b>{{ n }}" };
    expect((await run(render("invoice", data), body)).result).toEqual([
      "text/html",
      "<h1>Invoice 1</h1><p>&lt;b&gt;{{ n }}</p><script>1</script>",
    ]);
    const german = render("invoice", { n: 2 }, { language: "{{start.data.body.language}}" });
    expect((await run(german, { language: "de-AT" })).result[1]).toBe("<h1>Rechnung 2</h1>");
    expect((await run(german, { language: "fr" })).result[1]).toMatch(/Invoice 2/);
  });

  it("makes CSV with the digits of numbers and without formulas", async () => {
    const rows = '[{"a":"=1+1","b":99.50},{"a":"x,y","b":-12345678901234567890}]';
    const { result } = await run([
      store("rows.json", rows),
      { id: "rows", kind: "readFile", file: "{{steps.store.id}}", as: "json" },
      ...render("list", { rows: "{{steps.rows.content}}" }),
    ]);
    expect(result[1]).toBe(`"'=1+1",99.50\r\n"x,y",-12345678901234567890\r\n`);
  });

  it.each([
    ["no_such", {}, {}, "TEMPLATE_NOT_FOUND"],
    ["auth.reset", {}, {}, "TEMPLATE_NOT_FOUND"],
    ["list", {}, { pdf: true }, "DOCUMENT_FORMAT"],
    ["broken", { many: Array.from({ length: 3000 }, () => "0123456789") }, {}, "DOCUMENT_INVALID"],
  ])("fails with the template %s", async (template, data, more, code) => {
    const before = await filesNow();
    expect((await run(render(template, data, more))).error).toMatchObject({ code, step: "doc" });
    expect(await filesNow()).toEqual(before);
  });

  it.skipIf(!hasChromium)("prints a PDF file", async () => {
    const { result } = await run([
      {
        id: "doc",
        kind: "renderDocument",
        template: "invoice",
        pdf: true,
        name: "invoice.pdf",
        data: { n: 3, who: "Zoë" },
      },
      { id: "read", kind: "readFile", file: "{{steps.doc.id}}", as: "base64" },
      end(["{{steps.read.mediaType}}", "{{steps.read.content}}"]),
    ]);
    expect(result[0]).toBe("application/pdf");
    expect(Buffer.from(result[1], "base64").subarray(0, 5).toString()).toBe("%PDF-");
  });
});

/** Makes new mails with attachments due in an hour. */
const waitingMails = `
  create or replace function public.wait_an_hour() returns trigger language plpgsql as $$
  begin new.due_at := new.due_at + interval '1 hour'; return new; end $$;
  create trigger waiting before insert on system.mails for each row
    when (new.has_attachments) execute function public.wait_an_hour()`;

describe("attachments of sendEmail", () => {
  const mail = (attachments: unknown) => ({
    id: "mail",
    kind: "sendEmail",
    to: "reader@example.org",
    subject: "Attached",
    text: "See the file",
    attachments,
  });

  it("are sent with the bytes, the name and the type of their files", async () => {
    const ended = await run([
      store("report ä.txt", "content of the report"),
      { ...store("two.csv", "a,b"), id: "two" },
      mail(["{{steps.store.id}}", "{{steps.two.id}}"]),
    ]);
    expect(ended.status).toBe("SUCCEEDED");
    await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1);
    const [received] = server.received.splice(0);
    expect(
      received?.attachments.map(({ filename, content }) => [
        filename,
        typeof content === "string" ? content : new TextDecoder().decode(content),
      ]),
    ).toEqual([
      ["report ä.txt", "content of the report"],
      ["two.csv", "a,b"],
    ]);
  });

  it("must be readable for the user, and not too large together", async () => {
    const [foreign] = await environment.sql<{ id: string }>(
      "insert into system.files (name) values ('pending') returning id",
    );
    for (const id of [foreign?.id, "00000000-0000-4000-8000-000000000000"]) {
      expect((await run([mail(id)])).error).toMatchObject({ code: "NOT_FOUND", step: "mail" });
    }
    expect((await run([mail("no id")])).error).toMatchObject({ code: "MAIL_INVALID" });
    const { result: id } = await run([store("large.txt", "x"), end("{{steps.store.id}}")]);
    await environment.sql(`update system.files set bytes = 10485761 where id = '${id}'`);
    expect((await run([mail(id)])).error).toMatchObject({ code: "ATTACHMENTS_TOO_LARGE" });
    expect(server.received).toEqual([]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    [
      "the right to read them ended",
      () => administer("DELETE", `/roles/${roleId}/members/${writer.id}`),
    ],
    ["the user was deactivated", () => administer("POST", `/users/${writer.id}/deactivate`)],
    ["a file was deleted", (id) => environment.sql(`delete from system.files where id = '${id}'`)],
    [
      "a file got other bytes",
      (id) =>
        environment.sql(`update system.files set sha256 = repeat('0', 64) where id = '${id}'`),
    ],
  ])("are not sent if %s before the delivery, and the audit log records it", async (_, change) => {
    // The mail waits until the change is made.
    await environment.sql(waitingMails);
    const ended = await run([
      store("secret.txt", "secret"),
      mail("{{steps.store.id}}"),
      end("{{steps.store.id}}"),
    ]);
    expect(ended.status).toBe("SUCCEEDED");
    await change(ended.result);
    await environment.sql("drop trigger waiting on system.mails");
    await environment.sql("update system.mails set due_at = now()");
    // Another mail wakes the delivery.
    await run([mail([])], {}, environment.userId);
    const dropped = () =>
      environment.sql(
        `select outcome from system.audit_log where action = 'mail.send' and target_id = '${ended.id}'`,
      );
    await expect.poll(dropped, { timeout: 20_000 }).toEqual([{ outcome: "FAILED" }]);
    await expect.poll(() => server.received.length, { timeout: 20_000 }).toBe(1);
    expect(server.received.splice(0)[0]?.attachments).toEqual([]);
    await environment.admin("POST", `/users/${writer.id}/activate`);
    await environment.admin("POST", `/roles/${roleId}/members`, { userId: writer.id });
  });
});
