// Tier: all. Plans against a database.
import { expect, it } from "vitest";
import { faultsOf, openConfigurator, root, stepsOf } from "./configuration.ts";

const table = (more: string) =>
  `columns:\n  id: { type: integer }\n  name: { type: text }\n${more}primaryKey: [id]\n`;

it("a text that PostgreSQL does not accept in a table that exists is a fault at its place", async () => {
  const own = await openConfigurator();
  await own.set({ ...root("types", "tables"), "tables/public/t.yaml": table("") });
  const at = async (more: string) => {
    const faults = await faultsOf(
      own.plan({ ...root("types", "tables"), "tables/public/t.yaml": table(more) }),
    );
    return faults.map((one) => one.replace("tables/public/t.yaml", ""));
  };
  expect({
    type: await at("  more: { type: txt }\n"),
    array: await at("  more: { type: 'public.mood[]' }\n"),
    default: await at("  more: { type: integer, default: \"'abc'\" }\n"),
    check: await at("checks:\n  c: { check: name > 1 }\n"),
    length: await at("  more: { type: numeric(2000) }\n"),
    index: await at("indexes:\n  i: { keys: [{ column: name }], method: gist }\n"),
  }).toEqual({
    type: ["VALUE_INVALID :4:17 This type does not exist"],
    array: ["VALUE_INVALID :4:17 This type does not exist"],
    default: ["VALUE_INVALID :4:35 The default does not fit the column's type"],
    check: ["EXPRESSION_INVALID :5:15 The check does not fit the types of its columns"],
    length: ["VALUE_INVALID :4:17 A column cannot have this type"],
    index: ["VALUE_INVALID :5:6 PostgreSQL does not accept this index"],
  });
});

it("a type and a column of it can be new in one plan", async () => {
  const own = await openConfigurator();
  await own.set({ ...root("types", "tables"), "tables/public/t.yaml": table("") });
  const files = {
    ...root("types", "tables"),
    "types/moods/mood.yaml": "values: [OK, BAD]\n",
    "tables/public/t.yaml": table(
      "  mood: { type: moods.mood, default: \"'OK'\" }\n  moods: { type: 'moods.mood[]' }\n",
    ),
  };
  expect(stepsOf(await own.set(files))).toEqual([
    "schema.create moods",
    "type.create moods.mood",
    "table.alter public.t",
  ]);
  expect(stepsOf(await own.plan(files))).toEqual([]);
});
