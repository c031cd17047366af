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
    ]);
    expect(all.map((template) => `${template.key} ${template.language}`)).toEqual(
      keys.flatMap((key) => [`${key} de`, `${key} en`]),
    );
    expect((await api.ask("GET", `/templates/${await reset()}`)).body.data).toMatchObject({
      key: "auth.reset",
      language: "en",
      subject: "Set a new password",
      variables: ["email", "link", "minutes", "name"],
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
      ["template.create", []],
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
