import { partNames } from "@rowhouse/wire";
import { expect, it } from "vitest";
import { jsonSchemas } from "../src/index.ts";

it("the schemas for editors have the keys that documents may have, and no others", async () => {
  const schemas = await jsonSchemas();
  expect(Object.keys(schemas).toSorted()).toEqual([...partNames].toSorted());
  const { properties, additionalProperties } = schemas.tables as {
    properties: Record<string, object>;
    additionalProperties: boolean;
  };
  expect(additionalProperties).toBe(false);
  expect(Object.keys(properties)).toEqual(
    expect.arrayContaining(["columns", "primaryKey", "foreignKeys", "exposed", "managed"]),
  );
  expect(JSON.stringify(properties.columns)).toContain('"currency"');
  expect(JSON.stringify(schemas.views)).not.toContain('"query"');
  expect(JSON.stringify(schemas.roles)).toContain('"presets"');
  expect(JSON.stringify(schemas.workflows)).toContain('"definition"');
});

it("the schemas for editors describe the keys of readings and name the parts that they share", async () => {
  const { "data-views": views, dashboards } = await jsonSchemas();
  expect(views).toMatchObject({
    properties: {
      icon: { $ref: "#/$defs/ReadingIcon" },
      fields: { description: "Null for every field that the reader may see" },
    },
    $defs: { ReadingIcon: { description: "Name of a Lucide icon" } },
  });
  expect(dashboards.$defs).toHaveProperty("Period");
});
