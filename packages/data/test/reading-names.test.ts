import { readPath } from "@rowhouse/access";
import { describe, expect, it } from "vitest";
import { namesOfParts, renameParts } from "../src/index.ts";

const names = new Map([
  ["price", "cost"],
  ["placed_at", "ordered_at"],
  ["driver.name", "driver.full_name"],
]);
const nameOf = (path: string) => names.get(path) ?? path;

describe("the names of a reading", () => {
  it("follow a rename in fields, filter and order of a list", () => {
    const list = {
      fields: ["id", "price", "driver.name", "*"],
      where: { price: { _gt: 1 } },
      orderBy: ["-price:nulls_last", "driver.name", "id"],
      limit: 3,
    };
    expect(renameParts(list, nameOf)).toEqual({
      fields: ["id", "cost", "driver.full_name", "*"],
      where: { cost: { _gt: 1 } },
      orderBy: ["-cost:nulls_last", "driver.full_name", "id"],
      limit: 3,
    });
    expect(namesOfParts(list)).toEqual(["id", "price", "driver.name", "*"]);
  });

  it("follow a rename in the terms of an aggregation, and its results with them", () => {
    const chart = {
      aggregate: ["count", "count(*)", "sum(price)", 'max("price")'],
      groupBy: ["status", "date_trunc(month, placed_at)", "date_part(hour,placed_at)"],
      where: null,
      having: { sum_price: { _gt: 1 }, status: { _eq: "price" } },
      orderBy: ["placed_at_month", "-sum_price", "price"],
    };
    expect(renameParts(chart, nameOf)).toEqual({
      aggregate: ["count", "count(*)", "sum(cost)", "max(cost)"],
      groupBy: ["status", "date_trunc(month,ordered_at)", "date_part(hour,ordered_at)"],
      where: null,
      having: { sum_cost: { _gt: 1 }, status: { _eq: "price" } },
      orderBy: ["ordered_at_month", "-sum_cost", "price"],
    });
    expect(namesOfParts(chart)).toEqual(["status", "placed_at", "price"]);
  });

  it("are kept as they are written without a rename", () => {
    const parts = { fields: ['"a,b"'], orderBy: ['-"a,b"'], where: { '"a,b"': { _eq: 1 } } };
    expect(renameParts(parts, (path) => path)).toEqual(parts);
  });

  it("are marked where quotes or the keys of a filter separate them", () => {
    const where = { port: { Name: { _eq: 1 } }, "port.Name": { _eq: '$FIELD."port".Name' } };
    const names = namesOfParts({ where, fields: ["port.Name", 'port."Name"'] });
    const [own, related] = ["port.Name", readPath('"port"."Name"')];
    expect(names).toEqual([own, related]);
    const renamed = renameParts({ where }, (path, written) => (written === own ? "other" : path));
    expect(renamed.where).toEqual({ port: where.port, other: where["port.Name"] });
  });
});
