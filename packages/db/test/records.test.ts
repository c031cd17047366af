import { expect, it } from "vitest";
import {
  documentTemplateKind,
  entityTagOf,
  kinds,
  mailTemplateKind,
  schema,
} from "../src/index.ts";
import { defineKind, type Kind } from "../src/kinds/kind.ts";
import { tagOfRecord } from "../src/records/records.ts";

const values = {
  ...{ id: "id", flag: true, count: 3, named: [], object: {}, texts: ["a"] },
  ...{ reference: "r", choice: "c", moment: "2026-01-01T00:00:00Z", text: "t" },
  ...{ email: "a@example.com", url: "https://example.com" },
};

it("the entity tags of records are those of other builds; a new field has `unless`", () => {
  const described: readonly Kind[] = [...kinds, documentTemplateKind, mailTemplateKind];
  const tags = described.map((kind) => {
    const shown = Object.entries(kind.fields).filter(([, { secret }]) => secret !== true);
    const record = shown.map(([name, { type, tag }]) => [
      name,
      typeof tag === "object" ? tag.unless : values[type],
    ]);
    return [kind.schema, tagOfRecord(kind, Object.fromEntries(record))];
  });
  expect(Object.fromEntries(tags)).toEqual({
    AuthProvider: "HGlXCqev50uYcGMOSVBwvH",
    Role: "bo78jhr_KrhuXkqrODao2k",
    DocumentTemplate: entityTagOf(JSON.stringify(["id", "t", "c", "t", {}])),
    MailTemplate: entityTagOf(JSON.stringify(["id", "t", "t", "t"])),
    User: "4PtjFb92lHGDpaCXl5ppQX",
  });
});

it("a field with `unless` changes the tag only where it differs", () => {
  const fields = { id: { type: "id" }, level: { type: "count", tag: { unless: 0 } } } as const;
  const tagOf = (record: object) => tagOfRecord({ fields }, record);
  expect(tagOf({ id: "1", level: 0 })).toBe(tagOf({ id: "1" }));
  expect(tagOf({ id: "1", level: 1 })).not.toBe(tagOf({ id: "1" }));
});

it("a field without a column and without an expression is refused", () => {
  const kind = {
    ...({ name: "role", noun: "role", schema: "X", path: "/x", page: "/x" } as const),
    ...{ table: schema.roles, alias: "r", sortKey: "r.name", searched: "r.name", title: "r.name" },
  };
  expect(() => defineKind({ ...kind, fields: { colour: { type: "text" } } })).toThrow(
    "role.colour has no column",
  );
});
