import { wordsOfName } from "@rowhouse/access/written-name";
import { describe, expect, it } from "vitest";
import { withLabels, wordsOfPath } from "../src/shell/names.ts";

describe("a name of the database as words", () => {
  it.each([
    ["ship_region", "Ship region"],
    ["ShipRegion", "Ship region"],
    ["SHIP_REGION", "Ship region"],
    ["order_id", "Order ID"],
    ["orderId", "Order ID"],
    ["id", "ID"],
    ["ID", "ID"],
    ["customerURL", "Customer URL"],
    ["vatNumberEU", "Vat number EU"],
    ["address_line2", "Address line2"],
    ["Straße", "Straße"],
    ["größe_in_cm", "Größe in cm"],
    ["__", "__"],
    ["注文", "注文"],
  ])("reads %j as %j", (name, text) => {
    expect(wordsOfName(name)).toBe(text);
  });

  it.each([
    ["customer_id", "character(5)", "Customer"],
    ["external_id", "text", "External ID"],
    ["driver.home_id", "bigint", "Driver › Home"],
    ["id", "uuid", "ID"],
    ['"a.b"', "text", "A.b"],
  ])("reads the path %j of type %s as %j", (path, type, text) => {
    expect(wordsOfPath(path, type)).toBe(text);
  });
});

const column = (name: string, label: string | null = null) => ({ name, label });
const ref = (name: string, label: string | null = null) => ({
  ...{ id: name, schema: "public", name, kind: "TABLE", label },
});
const relation = (name: string, foreignKey: "OWN" | "TARGET", from: string, target: string) => ({
  ...{ name, foreignKey, kind: "ONE", resource: ref(target), junction: null, inverse: null },
  columns: [{ from, to: "id" }],
});

describe("the labels of what a person may open", () => {
  const [orders] = withLabels({
    resources: [
      {
        ...ref("order_lines"),
        title: [{ field: "id", before: "", after: "" }],
        columns: [
          ...["id", "owner", "owner_id", "ship_via"].map((name) => column(name)),
          column("sku", "Article"),
        ],
        relations: [
          relation("owner_row", "OWN", "owner_id", "people"),
          relation("ship_via", "OWN", "ship_via", "shippers"),
          relation("parts_by_first", "TARGET", "id", "parts"),
          relation("parts_by_second_line", "TARGET", "id", "parts"),
          relation("notes", "TARGET", "id", "line_notes"),
        ],
      },
    ],
    dataViews: [],
    dashboards: [],
  } as unknown as Parameters<typeof withLabels>[0]).resources;

  it("are words of the names, without the ending of a key where a column refers to a row", () => {
    expect(orders?.label).toBe("Order lines");
    expect(orders?.columns.map(({ label }) => label)).toEqual([
      ...["ID", "Owner", "Owner ID", "Ship via", "Article"],
    ]);
  });

  it("of relations come from their column, or from the table that refers", () => {
    expect(orders?.relations.map(({ label }) => label)).toEqual([
      ...["Owner ID", "Ship via", "Parts (First)", "Parts (Second line)", "Line notes"],
    ]);
  });
});
