import { AppError } from "@rowhouse/errors";
import { settingDefinitions } from "@rowhouse/settings";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorQueryOf } from "../src/execute/cursor.ts";
import { parseListRequest, parseReadRequest } from "../src/parse/parse-read.ts";
import type { RequestLimits } from "../src/parse/query-parameters.ts";
import { queryFormOf } from "../src/parse/remembered-requests.ts";

const target = { schema: "fleet", name: "trips", kind: "TABLE" } as const;

/** Limits under which no list is remembered yet. */
function freshLimits(changed: Partial<RequestLimits> = {}): RequestLimits {
  return {
    limitDefault: settingDefinitions["data.default_limit"].default,
    limitMax: settingDefinitions["data.max_limit"].default,
    filterNodesMax: settingDefinitions["data.max_filter_nodes"].default,
    filterDepthMax: settingDefinitions["data.max_filter_depth"].default,
    listMax: settingDefinitions["data.max_in_values"].default,
    rowsMax: 1000,
    affectedMax: 1000,
    ...changed,
  };
}

/** The parsed list, or the faults of the query. */
function parse(query: string, limits: RequestLimits, etags = false): unknown {
  try {
    const request = parseListRequest(target, query, limits, { etags });
    if (request.kind !== "LIST") return request;
    return { ...request, deep: [...request.deep], cursorQuery: cursorQueryOf(request) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults;
  }
}

const raw = fc.constantFrom(
  ...[
    "5",
    "",
    "a,b",
    "$NOW",
    "$$NOW",
    "$USER.id",
    "$FIELD.id",
    "$x",
    "%00",
    "%",
    "%E0%80",
    "a+b",
    "%24NOW",
  ],
  ...["null", "true", "1e3", "-0", "x'y", '"q"', "%5B1%5D", "a=b", "%ud800", "ö", "%F0%9F%98%80"],
);
const operator = fc.constantFrom(
  ...[
    "_eq",
    "_neq",
    "_gt",
    "_gte",
    "_lt",
    "_lte",
    "_in",
    "_between",
    "_null",
    "_like",
    "_nope",
    "_EQ",
  ],
);
const field = fc.constantFrom(
  ...[
    "id",
    "driver.name",
    "_and",
    '"_and"',
    "a b",
    "constructor",
    "__proto__",
    "meta",
    "x%2Cy",
    "_or",
  ],
);
const brackets = fc.constantFrom(
  (names: readonly string[]) => names.map((name) => `[${name}]`).join(""),
  (names: readonly string[]) => names.map((name) => `%5B${name}%5D`).join(""),
);
const condition = fc
  .tuple(
    brackets,
    fc.oneof(
      fc.tuple(field, operator),
      fc.tuple(field, fc.constantFrom("_path", "_part", "_not"), field, operator),
    ),
  )
  .map(([write, names]) => `where${write(names)}`);
const valued = fc.oneof({ weight: 5, arbitrary: condition }, fc.constant("cursor"));
const plain = fc.constantFrom(
  ...[
    "limit=25",
    "limit=2000",
    "order_by=id",
    "order_by=-at",
    "offset=3",
    "fields=id,driver.name",
    "search=a",
  ],
  ...[
    "deep[stops][limit]=2",
    "deep[stops][cursor]=x",
    "deep[stops][where][id][_eq]=4",
    "count=exact",
    "nope=1",
    'where={"id":{"_gt":1}}',
    "",
    "where[id]",
    "aggregate=count",
  ],
);

describe("remembered lists", () => {
  it("a query is parsed with the same result whether or not an earlier one had its form", () => {
    const query = fc.tuple(
      fc.array(fc.tuple(valued, raw, raw), { maxLength: 3 }),
      fc.array(plain, { maxLength: 3 }),
      fc.boolean(),
    );
    let recalled = 0;
    const numRuns = generatedRuns(1500);
    fc.assert(
      fc.property(query, ([conditions, others, etags]) => {
        const write = (at: 1 | 2) =>
          [...conditions.map((each) => `${each[0]}=${each[at]}`), ...others].join("&");
        const limits = freshLimits();
        parse(write(1), limits, etags);
        const [first, second] = [
          queryFormOf(target, write(1), etags),
          queryFormOf(target, write(2), etags),
        ];
        if (first !== undefined && first.key === second?.key) recalled += 1;
        expect(parse(write(2), limits, etags)).toEqual(parse(write(2), freshLimits(), etags));
        expect(parse(write(1), limits, etags)).toEqual(parse(write(1), freshLimits(), etags));
      }),
      { numRuns },
    );
    expect(recalled).toBeGreaterThan(numRuns / 10);
  });

  it("a repeated form shares its filter and shape, and has the values of its own request", () => {
    const limits = freshLimits();
    const [first, second] = ["7", "8"].map((id) =>
      parseListRequest(target, `where[id][_gt]=${id}&cursor=c${id}&order_by=id`, limits),
    );
    if (first?.kind !== "LIST" || second?.kind !== "LIST") throw new TypeError("Not a list");
    expect(second.where).toBe(first.where);
    expect(second.shape).toBe(first.shape);
    expect(second.slots).toEqual([{ value: "8", path: "where[id][_gt]" }]);
    expect([first.cursor, second.cursor]).toEqual(["c7", "c8"]);
    expect(cursorQueryOf(first)).not.toBe(cursorQueryOf(second));
  });

  it("a changed limit applies to a form that was parsed before", () => {
    expect(parse("limit=25&where[id][_gt]=7", freshLimits())).toMatchObject({ limit: 25 });
    expect(parse("limit=25&where[id][_gt]=7", freshLimits({ limitMax: 10 }))).toMatchObject([
      { path: "limit" },
    ]);
  });

  it("names of targets do not run into the query", () => {
    const limits = freshLimits();
    const other = { schema: "fleet", name: "trips&limit=3", kind: "TABLE" } as const;
    parseListRequest(other, "", limits);
    expect(parseListRequest(target, "limit=3", limits)).toMatchObject({ target });
  });
});

/** The parsed request, or the faults of its query. */
function parseRead(name: string, id: string, query: string, limits: RequestLimits): unknown {
  try {
    const target = { schema: "fleet", name, kind: "TABLE" } as const;
    const request = parseReadRequest(target, id, query, limits);
    return { ...request, deep: [...request.deep] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults;
  }
}

const readPart = fc.constantFrom(
  ...["", "fields=id", "fields=id,driver.name", "fields=", "fields=a:trips.id", "limit=1"],
  ...["deep[trips][limit]=2", "deep[trips][limit]=2000", "deep[trips][where][km][_gt]=5"],
  ...[
    "deep[trips][where][km][_gt]=$NOW",
    "deep[trips][order_by]=-km",
    "deep[trips]=1",
    "%",
    "a=%00",
  ],
);
const readQuery = fc.array(readPart, { maxLength: 3 }).map((parts) => parts.join("&"));
const readId = fc.constantFrom("1", "2", "1,2", "", "%", "a%2Cb", ",", "%E0%80");
const request = fc.tuple(fc.constantFrom("trips", "vehicles"), readId, readQuery);

describe("remembered queries of one row", () => {
  it("a remembered query equals a fresh parse", () => {
    const limits = freshLimits();
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 20 }), (requests) => {
        for (const [name, key, text] of requests) {
          expect(parseRead(name, key, text, limits)).toEqual(
            parseRead(name, key, text, freshLimits()),
          );
        }
      }),
      { numRuns: generatedRuns(200) },
    );
  });

  it("other limits apply to the next request", () => {
    const text = "deep[trips][limit]=50";
    expect(parseRead("trips", "1", text, freshLimits())).toMatchObject({ kind: "READ" });
    expect(parseRead("trips", "1", text, freshLimits({ limitMax: 10 }))).toMatchObject([
      { code: "QUERY_INVALID", path: "deep[trips][limit]" },
    ]);
  });

  it("a request does not change what the next one receives", () => {
    const limits = freshLimits();
    const target = { schema: "fleet", name: "trips", kind: "TABLE" } as const;
    const first = parseReadRequest(target, "1", "fields=id", limits);
    Object.assign(first, { origin: "of the first", timeZone: "Europe/Oslo" });
    expect(parseReadRequest(target, "2", "fields=id", limits)).toMatchObject({ id: ["2"] });
    expect(parseReadRequest(target, "2", "fields=id", limits)).not.toHaveProperty("origin");
  });
});
