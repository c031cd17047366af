import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FigurePanel, Panel } from "../../src/dashboards/builder/draft.ts";
import { usualNumber, usualTime } from "../../src/dashboards/builder/fields.ts";
import {
  usedPaths,
  withColumns,
  withKind,
} from "../../src/dashboards/builder/panel-content-edit.ts";
import { noFacts, propose, unitFor } from "../../src/dashboards/builder/propose.ts";
import { startProposals } from "../../src/dashboards/builder/start-proposals.ts";
import {
  aggregateName,
  groupName,
  readAggregate,
  readGroup,
  writeAggregate,
  writeGroup,
} from "../../src/dashboards/builder/terms.ts";
import { fieldsAt, orderFields } from "./builder-resource.ts";

const best = (...paths: string[]) => propose(fieldsAt(...paths))[0]?.content;

describe("charts that propose themselves", () => {
  it("a time gives a line by a unit that fits its span", () => {
    expect(best("placed_at")).toMatchObject({
      kind: "CHART",
      definition: { aggregate: ["count(*)"], groupBy: ["date_trunc(month,placed_at)"] },
      presentation: { chart: "line" },
    });
    const days = new Map([["placed_at", 30]]);
    const [daily] = propose(fieldsAt("placed_at"), { ...noFacts, days });
    expect(daily?.content.definition).toMatchObject({ groupBy: ["date_trunc(day,placed_at)"] });
    expect([1, 40, 200, 1000, 4000, 9000].map(unitFor)).toEqual([
      "hour",
      "day",
      "week",
      "month",
      "quarter",
      "year",
    ]);
  });

  it("numbers give sums, over a time and alone", () => {
    expect(best("placed_at", "total")?.definition).toMatchObject({ aggregate: ["sum(total)"] });
    expect(best("total")).toMatchObject({
      kind: "FIGURE",
      definition: { aggregate: ["sum(total)"] },
    });
    expect(best("status", "total", "items")?.definition).toMatchObject({
      aggregate: ["sum(total)", "sum(items)"],
      groupBy: ["status"],
    });
  });

  it("few values give bars or a donut; a text of many gives the most frequent ones as lying bars", () => {
    const forms = (distinct: ReadonlyMap<string, number>, path: string) =>
      propose(fieldsAt(path), { ...noFacts, distinct }).flatMap(({ content }) =>
        content.kind === "CHART" ? [content.presentation.chart] : [],
      );
    expect(forms(new Map(), "status")).toEqual(["bar", "donut"]);
    expect(forms(new Map(), "paid")).toEqual(["bar", "donut"]);
    expect(forms(new Map([["city", 4]]), "city")).toEqual(["bar", "donut"]);
    expect(forms(new Map([["city", 400]]), "city")).toEqual(["bar"]);
    expect(best("city")).toMatchObject({
      definition: { orderBy: ["-count_*"], limit: 12 },
      presentation: { chart: "bar", horizontal: true },
    });
  });

  it("two categories, or a time and one, give stacked bars and a pivot table", () => {
    expect(best("status", "city")).toMatchObject({ presentation: { chart: "stacked" } });
    const kinds = propose(fieldsAt("placed_at", "status")).map(({ content }) => content.kind);
    expect(kinds).toEqual(["CHART", "CHART", "CHART", "PIVOT", "LIST"]);
  });

  it("without columns the rows are counted, and columns of other types are listed", () => {
    expect(propose([]).map(({ content }) => content.definition)).toEqual([
      { aggregate: ["count(*)"] },
    ]);
    expect(best("notes")).toMatchObject({ kind: "LIST", definition: { fields: ["notes"] } });
  });

  it("a name with a comma is quoted in terms and fields", () => {
    expect(best("a,b")?.definition).toEqual({ aggregate: ['sum("a,b")'] });
    const list = propose(fieldsAt("a,b")).find(({ content }) => content.kind === "LIST");
    expect(list?.content.definition).toMatchObject({ fields: ['"a,b"'] });
  });

  it("keys are never summed, and a relation leads to the columns of its row", () => {
    const roles = new Map(orderFields.map(({ path, role }) => [path, role]));
    expect([roles.get("id"), roles.get("customer_id"), roles.get("customer.country")]).toEqual([
      "OTHER",
      "OTHER",
      "CATEGORY",
    ]);
    expect(usualTime(orderFields)?.path).toBe("placed_at");
    expect(usualNumber(orderFields)?.path).toBe("total");
  });

  it("the panels for an empty board are different, and of different kinds", () => {
    const contents = startProposals(orderFields, noFacts).map(({ content }) => content);
    expect(contents.map(({ kind }) => kind)).toEqual([
      ...["FIGURE", "FIGURE", "CHART", "CHART", "CHART", "CHART", "LIST"],
    ]);
    expect(new Set(contents.map((content) => JSON.stringify(content))).size).toBe(7);
  });

  it("any choice of columns gives proposals that use these columns alone", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...orderFields], { maxLength: 6 }), (chosen) => {
        const proposals = propose(chosen);
        expect(proposals.length).toBeGreaterThan(0);
        const paths = new Set(chosen.map(({ path }) => path));
        for (const { content } of proposals) {
          expect(usedPaths(content).filter((path) => !paths.has(path))).toEqual([]);
          if (content.kind === "CHART") {
            expect(content.definition.aggregate.length).toBeLessThanOrEqual(4);
            expect(content.definition.groupBy.length).toBeLessThanOrEqual(2);
          }
        }
      }),
      { numRuns: generatedRuns(500) },
    );
  });
});

const panel: FigurePanel = {
  ...{ id: "p", title: "", kind: "FIGURE", resourceId: "orders", bindings: [] },
  layout: { x: 0, y: 0, w: 3, h: 3 },
  definition: { aggregate: ["count(*)"], where: { paid: { _eq: true } } },
  presentation: { version: 1 },
};

describe("columns of a panel", () => {
  it("a panel follows its columns, and keeps its filter", () => {
    const next = withColumns(panel, ["placed_at"], orderFields, noFacts);
    expect(next).toMatchObject({
      kind: "CHART",
      presentation: { chart: "line" },
      definition: { groupBy: ["date_trunc(month,placed_at)"], where: { paid: { _eq: true } } },
    });
  });

  it("a panel with another proposal keeps its form when a column is added", () => {
    const line = withColumns(panel, ["placed_at"], orderFields, noFacts);
    const area = { ...line, presentation: { version: 1, chart: "area" } } as Panel;
    const next = withColumns(area, ["placed_at", "total"], orderFields, noFacts);
    expect(next).toMatchObject({
      presentation: { chart: "area" },
      definition: { aggregate: ["sum(total)"] },
    });
  });

  it("another kind is about the same columns", () => {
    const chart = withColumns(panel, ["placed_at", "status"], orderFields, noFacts);
    expect(withKind(chart, "PIVOT", orderFields, noFacts)).toMatchObject({
      kind: "PIVOT",
      definition: { rows: ["date_trunc(month,placed_at)"], columns: ["status"] },
    });
    expect(withKind(chart, "LIST", orderFields, noFacts)).toMatchObject({
      kind: "LIST",
      definition: { fields: ["placed_at", "status"], where: { paid: { _eq: true } } },
    });
    expect(withKind(chart, "TEXT", orderFields, noFacts)).toMatchObject({
      kind: "TEXT",
      resourceId: null,
    });
  });
});

it("terms are read as they are written, whatever the name of the field", () => {
  // The service ignores spaces before a name in a term.
  const name = fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => !text.includes(".") && text.trimStart() === text);
  fc.assert(
    fc.property(name, (field) => {
      const sum = { apply: "sum", field } as const;
      expect(readAggregate(writeAggregate(sum))).toEqual(sum);
      expect(aggregateName(writeAggregate(sum))).toBe(`sum_${field}`);
      const day = { field, unit: "day" } as const;
      expect(readGroup(writeGroup(day))).toEqual(day);
      expect(groupName(writeGroup(day))).toBe(`${field}_day`);
      expect(readGroup(writeGroup({ field, unit: null }))).toEqual({ field, unit: null });
    }),
    { numRuns: generatedRuns(1000) },
  );
});
