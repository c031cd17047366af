import { writeName } from "@rowhouse/access";
import { csvDelimiters } from "@rowhouse/wire";
import { headForms, referenceForms } from "../cells/heads.ts";
import { decimals, encodings } from "../import/import-request.ts";
import { relationsMax } from "../parse/parse-deep.ts";
import type { RequestLimits } from "../parse/query-parameters.ts";
import { type Json, jsonText, objectOf, refTo } from "./column-schema.ts";

interface QueryOptions {
  readonly description: string;
  readonly schema: Json;
  /** True for a comma-separated list: `a,b,c`. */
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

/** Returns the parameters that all relations share, by component name. */
export function sharedParameters(limits: RequestLimits): Record<string, Json> {
  return {
    Fields: query("fields", {
      description:
        'The fields of the response; `*` for all; of related rows by path: `driver.name`, `trips.*`; numbers of a to-many relation: `trips.count`, `trips.sum(distance)`, returned as `{"trips": {"count": 3, "sum_distance": "12.5"}}`; values inside a document by path: `specification.seats`, returned as `{"specification": {"seats": 5}}`. A name may have an alias, which names its member of the response: `number:plate`, `long:trips.id`; each alias of a relation is a reading of its own; the schema of a row does not describe an alias that is the name of another field. Enclose a name in double quotes if it contains a comma or a character that has a meaning at that position: `"a,b"`',
      schema: words,
      commas: true,
    }),
    Search: query("search", {
      description:
        "Finds rows in which a readable text column contains this text; case-insensitive",
      schema: { type: "string", maxLength: 1000 },
    }),
    OrderBy: query("order_by", {
      description:
        "`-` sorts a field in descending order; `:nulls_first` and `:nulls_last` place nulls; a list is also ordered by a number of related rows (`-trips.count`), by a value inside a document (`specification.seats`) and by the rank of the only `_search` in `where` (`-_rank`)",
      schema: words,
      commas: true,
    }),
    Limit: query("limit", {
      description: "Maximum number of rows; for an export any number, and all rows without it",
      schema: {
        ...from0(limits.limitMax),
        default: Math.min(limits.limitDefault, limits.limitMax),
      },
    }),
    Offset: query("offset", { description: "Number of rows to skip", schema: from0(2 ** 53 - 1) }),
    Cursor: query("cursor", {
      description: "`meta.nextCursor` of the previous page; all other parameters must be equal",
      schema: { type: "string" },
    }),
    Count: query("count", {
      description:
        "Adds the number of all matching rows as `meta.count` and in the header `X-Service-Count`, which HEAD returns as well; `estimated` returns the planner's estimate if the caller may read every row",
      schema: { type: "string", enum: ["exact", "estimated"] },
    }),
    Aggregate: query("aggregate", {
      description:
        "`count`, `count(field)`, `count_distinct(…)`, `sum(…)`, `avg(…)`, `min(…)`, `max(…)`; returned as `count`, `sum_price`, …; `count(*)` equals `count` and is returned as `count_*`; `sum`, `avg`, `min` and `max` of an expression with a name: `sum(price*quantity):revenue`; a field may be a value inside a document: `sum(specification.seats)`",
      schema: words,
      commas: true,
    }),
    GroupBy: query("group_by", {
      description:
        "Fields, values inside documents (`specification.color`), `date_trunc(unit,field)` with year, quarter, month, week, day, hour or minute, or `date_part(part,field)` with year, quarter, month, week, day, weekday (1 is Monday) or hour",
      schema: words,
      commas: true,
    }),
    Labels: query("labels", {
      description:
        "`local`: a date that `group_by` truncates is returned as the name of its period in the caller's time zone: `2026`, `2026-Q1`, `2026-02`, `2026-W07`, `2026-02-14`, `2026-02-14T09+01:00`. A filter takes the name: `$PERIOD.2026-02`",
      schema: labelsSchema,
    }),
    Having: query("having", {
      description:
        'A filter on the aggregates, as JSON: `{"sum_price":{"_gt":10}}`. The same in brackets: `having[sum_price][_gt]=10`',
      schema: jsonText(havingSchema),
    }),
    Deep: query("deep", {
      description:
        'As JSON, how to-many relations that `fields` includes are read, by path or alias: `{"trips":{"limit":5}}`. `limit`, `offset`, `order_by` and `where` select their rows. `cursor: true` returns `{"data": [row], "nextCursor": "…"}`, and `cursor: <nextCursor>` the next page of that row\'s list. For numbers, `where`; with `group_by` they are a list of groups, which `having`, `order_by`, `limit` and `offset` select. The same in brackets: `deep[trips][limit]=5`, with lists as `a,b`',
      schema: jsonText(deepSchema(limits)),
    }),
    MaxAffected: query("max_affected", {
      description: "If more rows match, the request changes none and returns 409 `CONFLICT`",
      schema: from0(limits.affectedMax),
      required: true,
    }),
    Resolution: query("resolution", {
      description: "For a row whose key exists: `merge` updates it, `ignore` skips it",
      schema: { type: "string", enum: ["merge", "ignore"] },
    }),
    DryRun: query("dry_run", {
      description: "With a file: `true` checks and creates its rows, and rolls back",
      schema: { type: "boolean" },
    }),
    DateFormat: query("date_format", {
      description:
        "With a CSV file: how it writes dates. `yyyy`, `mm` and `dd`, then `hh`, `mi` and `ss` if it has times, with signs between them: `dd.mm.yyyy hh:mi`",
      schema: { type: "string", maxLength: 60 },
    }),
    BooleanFormat: query("boolean_format", {
      description:
        "With a CSV file: how it writes booleans, in any case. The text of true, a slash and the text of false: `1/0`, `yes/no`; by default `true`, `false`, `t` and `f`",
      schema: { type: "string", maxLength: 61 },
    }),
    Decimal: query("decimal", {
      description: "With a CSV file: the sign before the fraction of a number; `dot` by default",
      schema: { type: "string", enum: [...decimals] },
    }),
    Delimiter: query("delimiter", {
      description:
        "With a CSV file: the sign between cells; by default the one of its first line (`sep=;`), or a comma",
      schema: { type: "string", enum: Object.keys(csvDelimiters) },
    }),
    Encoding: query("encoding", {
      description: "With a CSV file: the encoding of its text; `utf-8` by default",
      schema: { type: "string", enum: [...encodings] },
    }),
    References: query("references", {
      description:
        "With a CSV file: what stands for the rows that a column refers to. `title`: their titles, in a file to import also keys; `both`: beside the column of the keys one whose name ends in ` (title)`; `key` by default",
      schema: { type: "string", enum: [...referenceForms] },
    }),
    Heads: query("heads", {
      description:
        "With a CSV file: what its first line has. `label`: the labels of the columns, or the names of those without one; `name` by default",
      schema: { type: "string", enum: [...headForms] },
    }),
    TimeZone: header(
      "X-Service-Timezone",
      "IANA time zone in which days begin; ignored if the user or the instance has a time zone",
    ),
    IfMatch: header("If-Match", "The `ETag` of the row as last read, or `*`"),
    IfNoneMatch: header(
      "If-None-Match",
      'The `ETag` of a stored copy; returns 304 while the response is the same. A list has an `ETag` only with this header, which may be `""` at first',
    ),
    PreferEtags: header(
      "Prefer",
      "`etags`: `meta.etags` has the entity tag of each row, for `If-Match`",
    ),
    Prefer: header("Prefer", "`return=minimal`: returns 204 without a row"),
    PreferDeleted: header(
      "Prefer",
      "`return=representation`: returns 200 with the deleted rows as they were",
    ),
    IdempotencyKey: header(
      "Idempotency-Key",
      "A retry with the same key and request within a day writes nothing and returns the first response, with the header `Idempotency-Replayed: true`",
      { type: "string", minLength: 1, maxLength: 255 },
    ),
  };
}

/** Returns the schema of the body of a query, without the filter of its relation. */
export function querySchema(limits: RequestLimits): Json {
  return {
    ...objectOf({
      fields: words,
      search: { type: "string", maxLength: 1000 },
      order_by: words,
      limit: from0(limits.limitMax),
      offset: from0(2 ** 53 - 1),
      cursor: { type: "string" },
      count: { type: "string", enum: ["exact", "estimated"] },
      deep: deepSchema(limits),
      aggregate: words,
      group_by: words,
      labels: labelsSchema,
      having: havingSchema,
      references: { type: "string", enum: [...referenceForms] },
      heads: { type: "string", enum: [...headForms] },
    }),
    description:
      "The parameters of a list as members. For a file, `limit` may be any number, and without it the file has every row",
  };
}

const labelsSchema: Json = { type: "string", enum: ["local"] };

const havingSchema: Json = {
  type: "object",
  additionalProperties: refTo("schemas", "Condition.Value"),
};

function deepSchema(limits: RequestLimits): Json {
  const related = objectOf({
    where: { type: "object", additionalProperties: true },
    order_by: words,
    limit: from0(limits.limitMax),
    offset: from0(2 ** 53 - 1),
    cursor: { anyOf: [{ type: "boolean" }, { type: "string" }] },
    group_by: words,
    labels: labelsSchema,
    having: havingSchema,
  });
  return { type: "object", maxProperties: relationsMax, additionalProperties: related };
}

/** Returns the parameter for a relation's filter. */
export function whereParameter(filter: Json, required: boolean): Json {
  return query("where", {
    required,
    description:
      'A filter as JSON: `{"plate":{"_eq":"X"}}`. The same in brackets: `where[plate][_eq]=X`, `where[_or][0][driver.name][_null]=true`',
    schema: jsonText(filter),
  });
}

/** Returns the parameter that names a unique key for an upsert. */
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
