import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { workflowExamples } from "../../src/words/en/administration/workflows.ts";
import { needsOf } from "../../src/workflows/overview/needs-of.ts";

const file = new URL("../../src/workflows/overview/examples.json", import.meta.url);
const examples: readonly {
  readonly id: string;
  readonly definition: Readonly<Record<string, unknown>>;
}[] = JSON.parse(await readFile(file, "utf8"));

it("each example has a title and a sentence, and each of these an example", () => {
  expect(examples.map(({ id }) => id)).toEqual(Object.keys(workflowExamples));
});

it("the needs of an example are its tables, secrets and hosts", () => {
  const byId = new Map(examples.map(({ id, definition }) => [id, needsOf(definition)]));
  expect(byId.get("weeklySales")).toEqual({
    tables: ["public.orders", "public.booked_orders"],
    secrets: ["WAREHOUSE_KEY"],
    hosts: ["warehouse.example.com", "discord.example.com"],
  });
  expect(byId.get("regionFiles")?.tables).toEqual(["public.customers", "system.files"]);
  expect(byId.get("messageCustomers")).toEqual({
    ...{ tables: ["public.customers"], secrets: [], hosts: [] },
  });
});
