// Tiers: usual, topologies.
import { createToken, createUser, moveClock } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const invoice = {
  kind: "DOCUMENT",
  key: "invoice",
  language: "EN",
  title: "Invoice",
  format: "HTML",
  source: "<h1>Invoice {{ number }}</h1><p>{{ customer.name }}</p>",
  sample: { number: 17, customer: { name: "Ada <b>" } },
};
const created = async (language: string, more: object = {}) =>
  (await api.ask("POST", "/templates", { ...invoice, ...more, language })).body.data;

describe("templates of documents", () => {
  it("are created, listed apart from mails, changed and deleted, with an audit entry for each", async () => {
    const answer = await api.ask("POST", "/templates", invoice);
    expect([answer.status, answer.faults]).toEqual([201, []]);
    const { id } = answer.body.data;
    expect(answer.body.data).toMatchObject({ ...invoice, language: "en" });
    const again = await api.ask("POST", "/templates", invoice);
    expect([again.status, again.faults]).toEqual([409, ["CONFLICT /data/language"]]);
    const listed = async (query: string) => (await api.ask("GET", `/templates?${query}`)).body.data;
    expect(await listed("kind=DOCUMENT")).toEqual([answer.body.data]);
    expect(await listed("kind=DOCUMENT&key=receipt")).toEqual([]);
    expect(await listed("key=invoice")).toEqual([]);
    const changed = await api.ask("PATCH", `/templates/${id}`, { title: "Bill", sample: {} });
    expect(changed.body.data).toMatchObject({ title: "Bill", sample: {}, source: invoice.source });
    expect((await api.ask("GET", `/templates/${id}`)).body).toEqual(changed.body);
    expect((await api.ask("DELETE", `/templates/${id}`)).status).toBe(204);
    expect((await api.ask("GET", `/templates/${id}`)).status).toBe(404);
    const log = (await api.ask("GET", `/audit-log?targetId=${id}`)).body.data;
    expect(log.map((entry: { action: string }) => entry.action)).toEqual([
      "template.delete",
      "template.update",
      "template.create",
    ]);
  });

  it("have an entity tag that changes with each part", async () => {
    const { id } = await created("de");
    const url = `/templates/${id}`;
    const tagOf = async () => (await api.ask("GET", url)).headers.get("etag");
    let tag = await tagOf();
    for (const part of [
      { title: "T" },
      { format: "TEXT" },
      { source: "s" },
      { sample: { a: 1 } },
    ]) {
      expect((await api.ask("PATCH", url, part)).status).toBe(200);
      expect(await tagOf()).not.toBe(tag);
      const stale = { "If-Match": String(tag) };
      expect((await api.ask("PATCH", url, { title: "late" }, undefined, stale)).status).toBe(412);
      tag = await tagOf();
    }
  });

  it.each<[string, object, string[]]>([
    ["a key of mails", { key: "auth.reset" }, ["BODY_INVALID /data/key"]],
    ["the parts of a mail", { subject: "a" }, ["BODY_INVALID /data/subject"]],
    ["an unknown format", { format: "PDF" }, ["BODY_INVALID /data/format"]],
    ["a source that does not parse", { source: "{{ a" }, ["VALUE_INVALID /data/source"]],
    [
      "a source without end",
      { source: "{% for i in (1..100000000) %}x{% endfor %}" },
      ["VALUE_INVALID /data/source"],
    ],
    ["a language that is none", { language: "german" }, ["VALUE_INVALID /data/language"]],
    ["a sample that is a list", { sample: [1] }, ["BODY_INVALID /data/sample"]],
  ])("are rejected with %s", async (_, more, faults) => {
    const answer = await api.ask("POST", "/templates", { ...invoice, language: "fr", ...more });
    expect(answer.faults).toEqual(faults);
  });

  it("keep the digits of a number in the sample", async () => {
    const text =
      '{"data":{"kind":"DOCUMENT","key":"price","language":"en","title":"P","format":"TEXT","source":"{{ p }}","sample":{"p":99.50}}}';
    const { id } = (await api.send("POST", "/templates", text)).body.data;
    const { body } = await api.ask("POST", `/templates/${id}/preview`, {});
    expect(body.data.content).toBe("99.50");
  });

  it("have no parts of mails, and mails none of documents", async () => {
    const { id } = await created("it");
    const [mail] = (await api.ask("GET", "/templates?limit=1")).body.data;
    const refused = async (path: string, part: object) =>
      (await api.ask(path.endsWith("preview") ? "POST" : "PATCH", path, part)).faults;
    expect(await refused(`/templates/${id}`, { html: null })).toEqual(["BODY_INVALID /data/html"]);
    expect(await refused(`/templates/${id}/preview`, { values: {} })).toEqual([
      "BODY_INVALID /data/values",
    ]);
    expect(await refused(`/templates/${mail.id}`, { sample: {} })).toEqual([
      "BODY_INVALID /data/sample",
    ]);
    expect((await api.ask("POST", `/templates/${id}/test-mail`, {})).status).toBe(404);
  });

  it("are no mails, whichever client writes the row", async () => {
    const { database } = api.test;
    const insert = (values: string) =>
      database.query(
        `insert into system.templates (key, language, subject, text, kind, format, html) values (${values})`,
      );
    await expect(
      insert("'auth.verify', 'fi', 's', 't', 'DOCUMENT', 'TEXT', null"),
    ).rejects.toThrow();
    await expect(insert("'letter', 'fi', 's', 't', 'DOCUMENT', null, null")).rejects.toThrow();
    await expect(insert("'letter', 'fi', 's', 't', 'DOCUMENT', 'HTML', 'h'")).rejects.toThrow();
    await expect(insert("'letter', 'fi', 's', 't', 'MAIL', 'HTML', null")).rejects.toThrow();
    const change =
      "update system.templates set kind = 'DOCUMENT', format = 'TEXT', html = null where key = 'auth.reset'";
    await expect(database.query(change)).rejects.toThrow();
  });
});

describe("a preview", () => {
  it("renders a draft that is not stored, escaped as its format requires", async () => {
    const { id } = await created("es");
    const preview = async (draft: object) =>
      (await api.ask("POST", `/templates/${id}/preview`, draft)).body.data;
    expect(await preview({})).toMatchObject({
      format: "HTML",
      content: "<h1>Invoice 17</h1><p>Ada &lt;b&gt;</p>",
    });
    const csv = { format: "CSV", source: "{{ a }},{{ b }}", sample: { a: "=1", b: "x,y" } };
    expect(await preview(csv)).toEqual({
      kind: "DOCUMENT",
      format: "CSV",
      content: `"'=1","x,y"`,
      frame: null,
    });
    const faults = async (draft: object) =>
      (await api.ask("POST", `/templates/${id}/preview`, draft)).faults;
    expect(await faults({ source: "{% if %}" })).toEqual(["VALUE_INVALID /data/source"]);
    expect((await api.ask("GET", `/templates/${id}`)).body.data.source).toBe(invoice.source);
  });

  it("is a page for a frame of this origin, without script and requests", async () => {
    const { id } = await created("pt");
    const { frame } = (await api.ask("POST", `/templates/${id}/preview`, {})).body.data;
    const page = await api.open(frame);
    expect([page.status, await page.text()]).toEqual([
      200,
      "<h1>Invoice 17</h1><p>Ada &lt;b&gt;</p>",
    ]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors 'self'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
  });

  it("of a mail is such a page, too", async () => {
    const [mail] = (await api.ask("GET", "/templates?key=auth.reset&language=en")).body.data;
    const draft = { html: '<p style="color:red">{{ link }}</p>' };
    const { frame, html } = (await api.ask("POST", `/templates/${mail.id}/preview`, draft)).body
      .data;
    expect(await (await api.open(frame)).text()).toBe(html);
    const without = await api.ask("POST", `/templates/${mail.id}/preview`, { html: null });
    expect(without.body.data.frame).toBeNull();
  });

  it("has no page for a caller with a token", async () => {
    const { id } = await created("nl");
    const token = await createToken(api.test.database, api.admin.id, "admin");
    const answer = await api.ask("POST", `/templates/${id}/preview`, {}, token.secret);
    expect([answer.status, answer.body.data.frame]).toEqual([200, null]);
  });
});

describe("the ticket of a page", () => {
  const open = async (language: string, secret?: string) => {
    const { id } = await created(language);
    return (await api.ask("POST", `/templates/${id}/preview`, {}, secret)).body.data.frame;
  };
  const status = async (frame: string) => (await api.open(frame)).status;

  it("stays valid beside those of the next previews, of which a session keeps ten", async () => {
    const { id } = await created("pl");
    const preview = async () =>
      (await api.ask("POST", `/templates/${id}/preview`, {})).body.data.frame;
    const frames: string[] = [];
    for (let count = 0; count < 11; count += 1) frames.push(await preview());
    expect(await Promise.all(frames.map(status))).toEqual([404, ...Array(10).fill(200)]);
  });

  it("expires after a minute", async () => {
    const frame = await open("sv");
    await moveClock(api.test.database, 59);
    expect(await status(frame)).toBe(200);
    await moveClock(api.test.database, 61);
    expect(await status(frame)).toBe(404);
    await moveClock(api.test.database, 0);
  });

  it("ends with the session and with the role of its administrator", async () => {
    const eve = await createUser(api.test.database, "eve@example.com", "Administrators");
    const frame = await open("da", eve.secret);
    expect(await status(frame)).toBe(200);
    const [role] = (await api.ask("GET", "/roles?search=Administrators")).body.data;
    const members = `/roles/${role.id}/members`;
    expect((await api.ask("DELETE", `${members}/${eve.id}`)).status).toBe(204);
    expect(await status(frame)).toBe(404);
    expect((await api.ask("POST", members, { userId: eve.id })).status).toBe(201);
    expect(await status(frame)).toBe(200);
    expect((await api.ask("DELETE", `/users/${eve.id}/sessions`)).status).toBe(204);
    expect(await status(frame)).toBe(404);
  });

  it.each([nobody, "x".repeat(43), "../templates", ""])("is not guessed: %s", async (ticket) => {
    expect(await status(`/admin/api/template-frames/${ticket}`)).not.toBe(200);
  });
});
