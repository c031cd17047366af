import { type KindField, kinds } from "@rowhouse/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

const canary = "canary-5e9f0c2a-of-a-secret";

/** A value that the field accepts. */
function acceptedValue(field: KindField, name: string): unknown {
  if (field.secret === true) return `${canary} ${name} 7Qz!`;
  switch (field.type) {
    case "email":
      return "canary@example.com";
    case "url":
      return "https://login.example.com";
    case "choice":
      return field.choices.at(-1);
    case "flag":
      return true;
    case "texts":
      return [];
    case "reference":
      return null;
    default:
      return "canary";
  }
}

/** The text of every row of the system schema. */
async function storedTexts(): Promise<string> {
  const { database } = api.test;
  const tables = await database.query<{ name: string }>(
    `select format('system.%I', c.relname) as name from pg_class c
     where c.relnamespace = 'system'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
      return rows.map(({ text }) => text).join("\n");
    }),
  );
  return texts.join("\n");
}

describe.each(kinds)(
  "the secrets of a record of the kind $name",
  ({ name, path, fields, json, tableName }) => {
    const given = Object.entries(fields).filter(
      ([, { set, required, secret, type }]) =>
        (set ?? "ALWAYS") !== "NEVER" && set !== "LATER" && (required || secret || type === "url"),
    );

    it("are in no response, audit entry, document and stored row", async () => {
      const body = Object.fromEntries(
        given.map(([field, facts]) => [field, acceptedValue(facts, field)]),
      );
      const answers = [await api.ask("POST", path, body)];
      expect(answers[0]).toMatchObject({ status: 201 });
      const { id } = answers[0]?.body.data ?? {};
      const secrets = given.filter(([, { secret, set }]) => secret === true && set !== "ONCE");
      const again = Object.fromEntries(
        secrets.map(([field, facts]) => [field, acceptedValue(facts, field)]),
      );
      answers.push(
        await api.ask("PATCH", `${path}/${id}`, again),
        await api.ask("PATCH", `${path}/${id}`, { ...again, unknown: 1 }),
        await api.ask("GET", `${path}/${id}`),
        await api.ask("GET", path),
        await api.ask("GET", `/audit-log?targetId=${id}`),
        await api.ask("GET", "/configuration"),
      );
      const shown = JSON.stringify(answers.map((answer) => answer.body));
      expect(shown).toContain(id);
      expect(shown).not.toContain(canary);
      expect(await storedTexts()).not.toContain(canary);
      const logged = answers[5]?.body.data.map(({ action }: { action: string }) => action);
      expect(logged).toContain(`${name}.create`);
    });

    it("are in no column that a record is read from", async () => {
      const secrets = await api.test.database.query<{ column: string }>(
        `select column_name as column from system.secret_columns
       where relation_oid = $1::text::regclass`,
        [`system.${tableName}`],
      );
      const read = secrets.filter(({ column }) => json.includes(column));
      expect(read).toEqual([]);
      const stored = Object.values(fields).filter(({ secret }) => secret === true);
      expect(stored.length > 0).toBe(secrets.length > 0);
    });

    it("are said to be secrets: what is sealed or hashed has no other field", () => {
      const suspicious = Object.keys(fields).filter((field) =>
        /secret|password|sealed|hash/i.test(field),
      );
      expect(suspicious.filter((field) => fields[field]?.secret !== true)).toEqual([]);
    });
  },
);
