import { type ColumnType, type Queryable, readPostgresFailure } from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";
import { valueClassOf } from "./column-format.ts";

/** Color names instead of values: the front end chooses the values for its light and dark themes. */
const colorNames = [
  ...["gray", "red", "orange", "amber", "yellow", "lime", "green", "teal", "cyan", "blue"],
  ...["indigo", "violet", "pink"],
] as const;

const rulesMax = 100;
const text = z
  .string()
  .max(500)
  .refine(isStorableText, { error: "Text cannot contain NUL or an unpaired surrogate" });
const bound = z.union([text, z.number()]);

/** The first rule that matches a value gives its color. */
const colorRule = z.union([
  z.strictObject({
    /** Compared as text; null matches a null value. */
    value: z.union([text, z.number(), z.boolean()]).nullable(),
    color: z.enum(colorNames),
  }),
  z
    .strictObject({
      /** Inclusive lower bound. */
      from: bound.optional(),
      /** Exclusive upper bound. */
      to: bound.optional(),
      color: z.enum(colorNames),
    })
    .refine((rule) => rule.from !== undefined || rule.to !== undefined, {
      error: "A rule requires a value, or from or to",
    }),
]);

export const columnColorsSchema = z.array(colorRule).max(rulesMax);

export type ColumnColors = z.output<typeof columnColorsSchema>;

export interface ColorFault {
  /** JSON pointer below the list, such as `0/value`. */
  readonly path: string;
  readonly message: string;
}

const ordered: ReadonlySet<string> = new Set(["NUMBER", "DATE", "TIMESTAMP", "TIME", "INTERVAL"]);

/** Returns the faults of rules that no value of the type can match; Postgres itself checks each value. */
export async function findColorFaults(
  database: Queryable,
  colors: ColumnColors,
  type: ColumnType,
): Promise<ColorFault[]> {
  const valueClass = valueClassOf(type);
  if (valueClass === "JSON" || (valueClass === "OTHER" && type.kind !== "SCALAR")) {
    return [{ path: "", message: `Values of type ${type.name} have no colors` }];
  }
  const faults: ColorFault[] = [];
  const wanted: { path: string; value: string }[] = [];
  for (const [index, rule] of colors.entries()) {
    if ("value" in rule) {
      if (rule.value !== null) wanted.push({ path: `${index}/value`, value: String(rule.value) });
      continue;
    }
    if (!ordered.has(valueClass)) {
      const path = `${index}/${rule.from === undefined ? "to" : "from"}`;
      faults.push({ path, message: `Values of type ${type.name} have no ranges` });
      continue;
    }
    for (const end of ["from", "to"] as const) {
      const value = rule[end];
      if (value !== undefined) wanted.push({ path: `${index}/${end}`, value: String(value) });
    }
  }
  const valid = await findValid(
    database,
    wanted.map((item) => item.value),
    type,
  );
  const message = `This is not a value of type ${type.name}`;
  return [
    ...faults,
    ...wanted.filter((item) => !valid.has(item.value)).map(({ path }) => ({ path, message })),
  ];
}

async function findValid(
  database: Queryable,
  values: readonly string[],
  type: ColumnType,
): Promise<ReadonlySet<string>> {
  if (type.labels !== null) {
    const labels = new Set(type.labels);
    return new Set(values.filter((value) => labels.has(value)));
  }
  const [server] = await database.query<{ has_function: string }>(
    "select (to_regproc('pg_catalog.pg_input_is_valid') is not null)::text as has_function",
  );
  if (server?.has_function !== "true") return findReadable(database, values, type);
  const rows = await database.query<{ value: string }>(
    `select v.value from jsonb_array_elements_text($1::text::jsonb) v (value)
     where pg_catalog.pg_input_is_valid(v.value, $2::text)`,
    [JSON.stringify(values), type.base],
  );
  return new Set(rows.map((row) => row.value));
}

/** For PostgreSQL 15, which has no pg_input_is_valid: one statement binds each value as the type. */
async function findReadable(
  database: Queryable,
  values: readonly string[],
  type: ColumnType,
): Promise<ReadonlySet<string>> {
  const readable = new Set<string>();
  for (const value of new Set(values)) {
    try {
      await database.query(`select $1::${type.base} is null as read`, [value]);
      readable.add(value);
    } catch (error) {
      // A data exception: https://www.postgresql.org/docs/15/errcodes-appendix.html
      if (readPostgresFailure(error)?.code.startsWith("22") !== true) throw error;
    }
  }
  return readable;
}

/** Parses stored rules; returns null if there are none. */
export function readColors(stored: unknown): ColumnColors | null {
  const parsed = columnColorsSchema.safeParse(stored);
  return parsed.success && parsed.data.length > 0 ? parsed.data : null;
}
