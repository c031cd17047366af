// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nobody, openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

interface Template {
  readonly id: string;
  readonly key: string;
  readonly language: string;
}
const find = async (query: string): Promise<Template[]> =>
  (await api.ask("GET", `/templates?${query}`)).body.data;
const reset = async () => (await find("key=auth.reset&language=en"))[0]?.id ?? "";
const good = {
  key: "auth.reset",
  language: "sv",
  subject: "Nytt lösenord för {{ email }}",
  text: "Hej {{ name }}, inom {{ minutes }} minuter: {{ link }}",
  html: '<p>Hej {{ name }}: <a href="{{ link }}">här</a></p>',
};

describe("mail templates", () => {
  it("exist for each mail in English and German, and list their variables", async () => {
    const all = await find("limit=1000");
    const keys = [...new Set(all.map((template) => template.key))];
    expect(keys).toEqual([
      "auth.email_change",
      "auth.email_changed",
      "auth.email_taken",
      "auth.invite",
      "auth.new_administrator",
      "auth.registered",
      "auth.reset",
      "auth.verify",
      "workflow.failures",
    ]);
    expect(all.map((template) => `${template.key} ${template.language}`)).toEqual(
      keys.flatMap((key) => [`${key} de`, `${key} en`]),
    );
    expect((await api.ask("GET", `/templates/${await reset()}`)).body.data).toMatchObject({
      key: "auth.reset",
      language: "en",
      subject: "Set a new password",
      variables: ["email", "link", "minutes", "name", "site"],
    });
    expect(await find("search=neues%20passwort")).toMatchObject([{ language: "de" }]);
  });

  it("that ship with the service pass the validation of changes", async () => {
    for (const { id } of await find("limit=1000")) {
      const { subject } = (await api.ask("GET", `/templates/${id}`)).body.data;
      const kept = await api.ask("PATCH", `/templates/${id}`, { subject });
      expect([kept.status, kept.faults]).toEqual([200, []]);
    }
  });

  it("are listed page by page", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.ask("GET", `/templates?limit=5${cursor}`);
      seen.push(...body.data.map((template: Template) => template.id));
      cursor = body.meta.nextCursor === null ? "" : `&cursor=${body.meta.nextCursor}`;
    } while (cursor !== "");
    expect(seen).toEqual((await find("limit=1000")).map((template) => template.id));
  });

  it("can be added, changed and deleted, with an audit entry for each change", async () => {
    const created = await api.ask("POST", "/templates", { ...good, language: "SV-fi" });
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({ ...good, language: "sv-FI" });
    const again = await api.ask("POST", "/templates", { ...good, language: "sv-FI" });
    expect([again.status, again.faults]).toEqual([409, ["CONFLICT /data/language"]]);
    const changed = await api.ask("PATCH", `/templates/${id}`, { html: null, subject: "Hej" });
    expect(changed.body.data).toMatchObject({ html: null, subject: "Hej", text: good.text });
    expect((await api.ask("PATCH", `/templates/${id}`, {})).body).toEqual(changed.body);
    expect((await api.ask("DELETE", `/templates/${id}`)).status).toBe(204);
    expect((await api.ask("GET", `/templates/${id}`)).status).toBe(404);
    const log = (await api.ask("GET", `/audit-log?targetId=${id}`)).body.data;
    expect(
      log.map((entry: { action: string; changedFields: string[] }) => [
        entry.action,
        entry.changedFields,
      ]),
    ).toEqual([
      ["template.delete", []],
      ["template.update", ["subject", "html"]],
      ["template.create", ["key", "language", "subject", "text", "html"]],
    ]);
  });

  it("cannot lose English, the fallback for readers without a template in their language", async () => {
    const id = await reset();
    const answer = await api.ask("DELETE", `/templates/${id}`);
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    expect((await api.ask("GET", `/templates/${id}`)).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ["does not parse", { text: "{{ link" }, ["VALUE_INVALID /data/text"]],
    ["uses an unknown variable", { subject: "{{ password }}" }, ["VALUE_INVALID /data/subject"]],
    [
      "uses a variable of another mail",
      { text: "{{ link }} {{ hours }}" },
      ["VALUE_INVALID /data/text"],
    ],
    ["has no link", { text: "Hello {{ name }}" }, ["VALUE_INVALID /data/text"]],
    ["has no link in its HTML", { html: "<p>{{ name }}</p>" }, ["VALUE_INVALID /data/html"]],
    [
      "shows a value as HTML",
      { html: "<p>{{ name | raw }} {{ link }}</p>" },
      ["VALUE_INVALID /data/html"],
    ],
    [
      "runs without end",
      { text: "{% for i in (1..100000000) %}x{% endfor %}{{ link }}" },
      ["VALUE_INVALID /data/text"],
    ],
    [
      "reads a file",
      { text: "{% include '/etc/passwd' %}{{ link }}" },
      ["VALUE_INVALID /data/text"],
    ],
    ["would be empty", { subject: "{% if false %}x{% endif %}" }, ["VALUE_INVALID /data/subject"]],
    [
      "has several faults",
      { subject: "{{ nope }}", text: "none", html: "{{" },
      ["VALUE_INVALID /data/subject", "VALUE_INVALID /data/text", "VALUE_INVALID /data/html"],
    ],
    ["has no subject", { subject: null }, ["BODY_INVALID /data/subject"]],
    ["is of another mail", { key: "auth.verify" }, ["BODY_INVALID /data/key"]],
  ])("are refused without a change if one %s", async (_name, change, faults) => {
    const id = await reset();
    const before = (await api.ask("GET", `/templates/${id}`)).body;
    const answer = await api.ask("PATCH", `/templates/${id}`, change);
    expect([answer.status, answer.faults]).toEqual([400, faults]);
    expect((await api.ask("GET", `/templates/${id}`)).body).toEqual(before);
  });

  it("cannot be added for an unknown mail or an invalid language", async () => {
    const faults = async (change: object) =>
      (await api.ask("POST", "/templates", { ...good, ...change })).faults;
    expect(await faults({ key: "auth.nope" })).toEqual(["BODY_INVALID /data/key"]);
    expect(await faults({ language: "swedish, please" })).toEqual(["VALUE_INVALID /data/language"]);
    expect((await api.ask("GET", `/templates/${nobody}`)).status).toBe(404);
  });

  it("exclude those of other mails, which the Data API stores", async () => {
    const [other] = await api.test.database.query<{ id: string }>(
      "insert into system.templates (key, subject, text) values ('report.weekly', 's', 't') returning id",
    );
    expect((await api.ask("GET", `/templates/${other?.id}`)).status).toBe(404);
    expect((await api.ask("PATCH", `/templates/${other?.id}`, { subject: "x" })).status).toBe(404);
    expect((await api.ask("DELETE", `/templates/${other?.id}`)).status).toBe(404);
    expect((await find("limit=1000")).map(({ id }) => id)).not.toContain(other?.id);
  });
});

describe("the text that the service ships", () => {
  it("is part of a template, and equals what an installation starts with", async () => {
    const all = (await api.ask("GET", "/templates?limit=1000")).body.data;
    const shipped = all.filter(({ language }: Template) => ["de", "en"].includes(language));
    expect(shipped).toHaveLength(18);
    for (const { subject, text, html, builtIn } of shipped) {
      expect(builtIn).toEqual({ subject, text, html });
    }
  });

  it("is null for a language that an administrator added", async () => {
    const { id, builtIn } = (await api.ask("POST", "/templates", good)).body.data;
    expect(builtIn).toBeNull();
    await api.ask("DELETE", `/templates/${id}`);
  });
});

describe("two administrators who change one template", () => {
  const etagOf = async (id: string) =>
    (await api.ask("GET", `/templates/${id}`)).headers.get("etag") ?? "";
  const change = (id: string, subject: string, etag: string) =>
    api.ask("PATCH", `/templates/${id}`, { subject }, undefined, { "If-Match": etag });

  it("do not overwrite each other: the second change with the old tag is 412", async () => {
    const { id } = (await api.ask("POST", "/templates", good)).body.data;
    const read = await etagOf(id);
    const first = await change(id, "Ett", read);
    expect([first.status, first.headers.get("etag")]).toEqual([200, await etagOf(id)]);
    const second = await change(id, "Två", read);
    expect([second.status, second.faults]).toEqual([412, ["PRECONDITION_FAILED"]]);
    expect((await api.ask("GET", `/templates/${id}`)).body.data.subject).toBe("Ett");
    expect((await change(id, "Två", await etagOf(id))).status).toBe(200);
    expect((await change(id, "Tre", "*")).status).toBe(200);
    expect((await change(id, "Fyra", "tag")).faults).toEqual(["QUERY_INVALID If-Match"]);
    await api.ask("DELETE", `/templates/${id}`);
  });
});

describe("the preview of a template", () => {
  const preview = async (data: object, id?: string) =>
    api.ask("POST", `/templates/${id ?? (await reset())}/preview`, data);
  const link = "https://example.com/admin/auth/example#token=example";

  it("renders the stored parts with sample values, and lists the values", async () => {
    const { status, body } = await preview({});
    expect(status).toBe(200);
    expect(body.data.subject).toBe("Set a new password");
    expect(body.data.text).toContain("Hello Ada Lovelace,");
    expect(body.data.text).toContain(link);
    expect(body.data.html).toContain(`<a href="${link}">`);
    expect(body.data.variables).toEqual([
      { name: "email", value: "ada@example.com" },
      { name: "link", value: link },
      { name: "minutes", value: 15 },
      { name: "name", value: "Ada Lovelace" },
      { name: "site", value: "example.com" },
    ]);
  });

  it("renders drafted parts without a change of the template, an audit entry or a link", async () => {
    const id = await reset();
    const state = async () => [(await api.ask("GET", `/templates/${id}`)).body, await api.traces()];
    const before = await state();
    const draft = {
      subject: "For\n{{ email }}",
      text: "{{ minutes | plus: 1 }} {{ link }}",
      html: null,
    };
    const { body } = await preview(draft, id);
    expect(body.data).toMatchObject({
      subject: "For ada@example.com",
      text: `16 ${link}`,
      html: null,
    });
    expect(await state()).toEqual(before);
    expect(await api.test.database.query("select 1 from system.links")).toEqual([]);
    expect(await api.test.database.query("select 1 from system.mails")).toEqual([]);
  });

  it("escapes given values in HTML, and treats a name as a mail does", async () => {
    const html = "<p>{{ name }}</p>{{ link }}";
    const named = async (name: string) =>
      (await preview({ html, values: { name } })).body.data.html;
    expect(await named("<b>Eve & Co</b>")).toBe(`<p>ada@example.com</p>${link}`);
    expect(await named("Eve & Co <3")).toBe(`<p>Eve &amp; Co &lt;3</p>${link}`);
    expect(await named("visit evil.example")).toBe(`<p>ada@example.com</p>${link}`);
    expect(await named("{{ link }}")).toBe(`<p>{{ link }}</p>${link}`);
  });

  it.each<[string, object, string[]]>([
    ["a part that cannot be stored", { text: "{{" }, ["VALUE_INVALID /data/text"]],
    [
      "several parts",
      { subject: "{{ nope }}", html: "<p>{{ name }}</p>" },
      ["VALUE_INVALID /data/subject", "VALUE_INVALID /data/html"],
    ],
    ["an empty part", { subject: "" }, ["BODY_INVALID /data/subject"]],
    ["an unknown field", { language: "de" }, ["BODY_INVALID /data/language"]],
    [
      "a value of an unknown variable",
      { values: { nope: 1 } },
      ["VALUE_INVALID /data/values/nope"],
    ],
    [
      "a value of an inherited name",
      { values: { constructor: "x" } },
      ["VALUE_INVALID /data/values/constructor"],
    ],
    ["another link", { values: { link: "https://a.b" } }, ["VALUE_INVALID /data/values/link"]],
    [
      "values for which the template fails",
      {
        text: "{% if minutes == 7 %}{{ name | nope }}{% endif %}{{ link }}",
        values: { minutes: 7 },
      },
      ["VALUE_INVALID /data/text"],
    ],
    [
      "values for which the template reads a file",
      {
        text: "{% if minutes == 7 %}{% include 'x' %}{% endif %}{{ link }}",
        values: { minutes: 7 },
      },
      ["VALUE_INVALID /data/values"],
    ],
  ])("places the faults of %s", async (_name, data, faults) => {
    const answer = await preview(data);
    expect([answer.status, answer.faults]).toEqual([400, faults]);
  });

  it("is 404 for an unknown template and for the template of another mail", async () => {
    const [other] = await api.test.database.query<{ id: string }>(
      "insert into system.templates (key, subject, text) values ('report.daily', 's', 't') returning id",
    );
    for (const id of [nobody, other?.id]) {
      expect((await preview({}, id)).status).toBe(404);
      expect((await api.ask("POST", `/templates/${id}/test-mail`, {})).status).toBe(404);
    }
  });
});

describe("a test mail without a mail server", () => {
  it("is refused, and no file is written", async () => {
    const answer = await api.ask("POST", `/templates/${await reset()}/test-mail`, {});
    expect([answer.status, answer.faults]).toEqual([409, ["CONFLICT"]]);
    expect(answer.body.errors[0].message).toContain("SMTP_URL");
    expect((await api.ask("GET", "/mail-server")).body.data).toEqual({ isConfigured: false });
  });
});
