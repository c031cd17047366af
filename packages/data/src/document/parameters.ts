import { writeName } from "@rowhouse/access";
import type { RequestLimits } from "../parse/parse-parts.ts";
import { type Json, jsonContent, refTo } from "./json.ts";

interface QueryOptions {
  readonly description: string;
  readonly schema: Json;
  /** Set for lists: `a,b,c`. */
  readonly commas?: boolean;
  readonly required?: boolean;
  readonly example?: unknown;
}

function query(name: string, { commas, ...rest }: QueryOptions): Json {
  return { name, in: "query", ...rest, ...(commas ? { style: "form", explode: false } : {}) };
}

function header(name: string, description: string, schema: Json = { type: "string" }): Json {
  return { name, in: "header", description, schema };
}

const words: Json = { type: "array", items: { type: "string", minLength: 1 } };
const from0 = (maximum: number): Json => ({ type: "integer", minimum: 0, maximum });

/** The parameters that all relations share, by their names among the components. */
export function sharedParameters(limits: RequestLimits): Record<string, Json> {
  return {
    Fields: query("fields", {
      description:
        'The fields of the answer; `*` for all; of related rows by path: `driver.name`, `trips.*`. A name with a comma, or with a sign that means something at its place, stands in double quotes: `"a,b"`',
      schema: words,
      commas: true,
    }),
    Search: query("search", {
      description: "A text that one of the readable text columns holds, whatever its case",
      schema: { type: "string", maxLength: 1000 },
    }),
    OrderBy: query("order_by", {
      description: "`-` turns a field round; `:nulls_first` and `:nulls_last` place nulls",
      schema: words,
      commas: true,
    }),
    Limit: query("limit", {
      description: "Rows at most; of an export any number, and all without it",
      schema: {
        ...from0(limits.limitMax),
        default: Math.min(limits.limitDefault, limits.limitMax),
      },
    }),
    Offset: query("offset", { description: "Rows to pass over", schema: from0(2 ** 53 - 1) }),
    Cursor: query("cursor", {
      description: "`meta.nextCursor` of the page before, with the same query otherwise",
      schema: { type: "string" },
    }),
    Count: query("count", {
      description:
        "Counts all that match into `meta.count`; `estimated` asks the planner where the caller may read every row",
      schema: { type: "string", enum: ["exact", "estimated"] },
    }),
    Aggregate: query("aggregate", {
      description:
        "`count`, `count(field)`, `count_distinct(…)`, `sum(…)`, `avg(…)`, `min(…)`, `max(…)`; answered as `count`, `sum_price`, …; `count(*)` is `count`, answered as `count_*`",
      schema: words,
      commas: true,
    }),
    GroupBy: query("group_by", {
      description:
        "Fields, or `date_trunc(unit,field)` with year, quarter, month, week, day, hour or minute",
      schema: words,
      commas: true,
    }),
    Having: {
      name: "having",
      in: "query",
      description: 'A filter on what was aggregated, as JSON: `{"sum_price":{"_gt":10}}`',
      content: jsonContent({
        type: "object",
        additionalProperties: refTo("schemas", "Condition.Value"),
      }),
    },
    Deep: {
      ...query("deep", {
        description:
          "`deep[trips][limit]`, `deep[trips][order_by]` and `deep[trips][where]…` choose among the rows of a to-many relation that `fields` names",
        schema: {
          type: "object",
          additionalProperties: { type: "object", additionalProperties: true },
        },
      }),
      style: "deepObject",
      explode: true,
    },
    MaxAffected: query("max_affected", {
      description: "Where more rows match, nothing changes and the answer is 409 `CONFLICT`",
      schema: from0(limits.affectedMax),
      required: true,
    }),
    Resolution: query("resolution", {
      description: "What is done about a row whose key exists",
      schema: { type: "string", enum: ["merge", "ignore"] },
    }),
    TimeZone: header(
      "X-Service-Timezone",
      "An IANA name: where days begin, unless the user or the instance has a time zone",
    ),
    IfMatch: header("If-Match", "The `ETag` of the row as it was read, or `*`"),
    IfNoneMatch: header(
      "If-None-Match",
      "The `ETag` of a known version: 304 while the row still has it",
    ),
    Prefer: header("Prefer", "`return=minimal`: 204 and no row"),
    IdempotencyKey: header(
      "Idempotency-Key",
      "The same key and body give the first answer again for a day, and create once",
      { type: "string", minLength: 1, maxLength: 255 },
    ),
  };
}

/** The filter of a relation, as JSON. */
export function whereParameter(name: string, required: boolean): Json {
  return {
    name: "where",
    in: "query",
    required,
    description:
      "The filter as JSON. The same in brackets: `where[plate][_eq]=X`, `where[_or][0][driver.name][_null]=true`",
    content: jsonContent(refTo("schemas", `${name}.Filter`)),
  };
}

/** The fields of a unique key, for a create that may meet a row. */
export function conflictParameter(keys: readonly (readonly string[])[]): Json {
  return query("on_conflict", {
    description: `The fields of a unique key: ${keys.map((key) => `\`${key.map(writeName).join(",")}\``).join(", ")}`,
    schema: {
      type: "array",
      items: { type: "string", enum: [...new Set(keys.flat().map(writeName))] },
    },
    commas: true,
  });
}
