import { AppError } from "@rowhouse/errors";
import { describe, expect, it } from "vitest";
import { inBody, parseListRequest, parseQueryBody } from "../src/parse/parse-read.ts";
import { aggregateRequestOf, listRequestOf, readRequestOf } from "../src/parse/typed-read.ts";
import { limits } from "./engine.ts";

const target = { schema: "public", name: "vehicles", kind: "TABLE" } as const;

/** The paths of the faults of a request. */
function faultsOf(create: () => unknown): (string | undefined)[] {
  try {
    create();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults.map((fault) => fault.path);
  }
}

describe("a list of typed parts", () => {
  it("is the list of the same query", () => {
    const where = { plate: { _eq: "A" } };
    const typed = listRequestOf(
      target,
      {
        ...{ fields: ["plate", "driver.name"], orderBy: ["-seats:nulls_last", "plate"], where },
        ...{ limit: 5, search: "text", count: "exact" },
      },
      limits,
    );
    const query =
      'fields=plate,driver.name&order_by=-seats:nulls_last,plate&where={"plate":{"_eq":"A"}}&limit=5&search=text&count=exact';
    expect(typed).toEqual(parseListRequest(target, query, limits));
  });

  it.each([
    ["a,b", "a,b"],
    ['"a,b"', "a,b"],
    ["sum(a),b", "sum(a),b"],
    ['"_and"', "_and"],
  ])("reads the term %s as the one field %s", (term, field) => {
    const request = listRequestOf(target, { fields: [term], orderBy: [`-${term}`] }, limits);
    expect(request.fields).toEqual([field]);
    expect(request.order).toEqual([{ field, descending: true, nulls: null }]);
    expect(readRequestOf(target, ["1"], [term]).fields).toEqual([field]);
  });

  it("has all fields if they are missing or only a star", () => {
    expect(listRequestOf(target, {}, limits).fields).toBeNull();
    expect(listRequestOf(target, { fields: ["*"] }, limits).fields).toBeNull();
  });

  it.each([
    [{ fields: [] }, ["fields"]],
    [{ fields: ["a", ""] }, ["fields"]],
    [{ fields: ["a\0"] }, ["fields"]],
    [{ orderBy: ["a", "-a"] }, ["order_by"]],
    [{ orderBy: ["\ud800"] }, ["order_by"]],
    [{ limit: -1 }, ["limit"]],
    [{ limit: 1.5 }, ["limit"]],
    [{ limit: 1001, fields: [""] }, ["fields", "limit"]],
    [{ search: "a\0" }, ["search"]],
    [{ where: { a: { _nope: 1 } } }, ["where[a][_nope]"]],
  ])("rejects %j at %j", (input, paths) => {
    expect(faultsOf(() => listRequestOf(target, input, limits))).toEqual(paths);
  });
});

describe("a list with several faults", () => {
  it("has them in the same order in a query, in a body and of typed parts", () => {
    const data = { fields: ["a", ""], order_by: ["b", "b"], limit: 1001 };
    const parts = { target, query: "", data };
    expect(
      faultsOf(() => parseListRequest(target, "fields=a,&order_by=b,b&limit=1001", limits)),
    ).toEqual(["fields", "order_by", "limit"]);
    const ofBody = faultsOf(() => {
      try {
        parseQueryBody(parts, limits, { etags: false });
      } catch (error) {
        throw error instanceof AppError ? inBody(error) : error;
      }
    });
    expect(ofBody).toEqual(["/data/fields", "/data/order_by", "/data/limit"]);
    const { order_by: orderBy, ...typed } = data;
    expect(faultsOf(() => listRequestOf(target, { ...typed, orderBy }, limits))).toEqual([
      ...["fields", "order_by", "limit"],
    ]);
  });
});

describe("an aggregation of typed parts", () => {
  it("is the aggregation of the same query", () => {
    const typed = aggregateRequestOf(
      target,
      {
        ...{ aggregate: ["count", "sum(seats)"], groupBy: ["date_trunc(month,bought)", "mood"] },
        ...{ having: { count: { _gt: 1 } }, orderBy: ["-count"], limit: 3 },
      },
      limits,
    );
    const query =
      'aggregate=count,sum(seats)&group_by=date_trunc(month,bought),mood&having={"count":{"_gt":1}}&order_by=-count&limit=3';
    expect(typed).toEqual(parseListRequest(target, query, limits));
  });

  it("reads a name with a comma as one term", () => {
    const input = { aggregate: ["sum(a,b)"], groupBy: ["a,b"] };
    const { aggregates, groups } = aggregateRequestOf(target, input, limits);
    expect(aggregates).toEqual([{ name: "sum_a,b", apply: "sum", field: "a,b", expression: null }]);
    expect(groups).toEqual([{ name: "a,b", field: "a,b", unit: null, part: null }]);
  });

  it.each([
    [{ aggregate: [] }, ["aggregate"]],
    [{ aggregate: ["median(a)"] }, ["aggregate"]],
    [{ aggregate: ["count", "count"] }, ["aggregate"]],
    [{ aggregate: ["count"], groupBy: ["date_trunc(decade,a)"] }, ["group_by"]],
  ])("rejects %j at %j", (input, paths) => {
    expect(faultsOf(() => aggregateRequestOf(target, input, limits))).toEqual(paths);
  });
});
