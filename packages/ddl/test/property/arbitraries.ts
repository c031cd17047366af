import { prototypeKeys } from "@rowhouse/wire";
import fc from "fast-check";

/** Names of columns and tables: short, so that they collide, and sometimes unusual. */
const nameArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "c", "d", "code", "order", "Größe.x", 'q"t') },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", minLength: 1, maxLength: 12 })
      .filter((text) => !text.includes("\0") && text.isWellFormed())
      .filter((text) => Buffer.byteLength(text) <= 63 && !prototypeKeys.has(text))
      .filter((text) => !/^(ctid|[cx]m(in|ax)|tableoid)$/.test(text)),
  },
);

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Types with matching defaults, and checks on a column of each type. */
export const types: Readonly<
  Record<string, { readonly defaults: readonly string[]; readonly checks: readonly string[] }>
> = {
  integer: {
    defaults: ["0", "1 + 2", "-7", "length('abc')"],
    checks: ["$ > 0", "$ between 1 and 10", "$ in (1, 2, 3)", "not ($ = 5 or $ is null)"],
  },
  bigint: { defaults: ["42", "10::bigint * 3"], checks: ["$ % 2 = 0", "abs($) < 1000"] },
  "numeric(12,3)": { defaults: ["-1.5", "round(2.345, 1)"], checks: ["$ >= 0.5", "$ <> 1"] },
  text: {
    defaults: ["'it''s \\ \"x\"'", "upper('x') || 'y'", "''"],
    checks: [
      "length($) between 2 and 12",
      "$ ~ '^[a-z]+$'",
      "$ like 'a%' or $ ilike '%b_'",
      "lower($) = $",
      "coalesce($, 'x') <> ''",
      "case when $ is null then true else trim($) <> '' end",
    ],
  },
  // Not `in`: Postgres deparses the list of a varchar differently after it parses its own text, as pg_dump shows.
  "varchar(20)": { defaults: ["'ACTIVE'"], checks: ["$ <> 'x' and length($) < 9", "$ like 'A%'"] },
  boolean: { defaults: ["true", "not false"], checks: ["$ is not false", "$"] },
  date: {
    defaults: ["current_date", "current_date + 30", "date '2020-01-01'"],
    checks: ["$ > date '2000-01-01'", "extract(year from $) >= 2000"],
  },
  timestamptz: {
    defaults: ["now()", "date_trunc('day', now())", "now() + interval '1 day'"],
    checks: ["$ > timestamptz '2000-01-01 00:00:00+00'", "isfinite($)"],
  },
  uuid: { defaults: ["gen_random_uuid()"], checks: ["$ is not null"] },
  jsonb: {
    defaults: [`'{"a":[1]}'`, "jsonb_build_object('a', 1)"],
    checks: ["jsonb_typeof($) = 'object'", "$ ? 'a' and $->>'a' <> ''"],
  },
  "text[]": {
    defaults: ["array['a','b']", "'{}'"],
    checks: ["cardinality($) <= 5", "'x' = any($)", "$[1] <> 'y'"],
  },
  "store.mood": { defaults: ["'happy'"], checks: ["$ <> 'sad'", "$ = 'happy'::store.mood"] },
};

const typeArbitrary = fc.constantFrom(...Object.keys(types));

/** A default for a type, and a check on a column of it. */
const textsArbitrary = fc.record({
  type: typeArbitrary,
  pick: fc.nat(),
  withDefault: fc.boolean(),
  withCheck: fc.boolean(),
});

export const pickFrom = (texts: readonly string[] | undefined, pick: number): string =>
  texts?.[pick % texts.length] ?? "null";

const columnArbitrary = fc.record({
  name: nameArbitrary,
  texts: textsArbitrary,
  role: fc.constantFrom("plain", "plain", "plain", "key", "identity", "reference"),
  nullable: fc.boolean(),
  message: fc.option(fc.constantFrom("Too small", 'It\'s \\ "odd"', "Größe"), { nil: undefined }),
  onDelete: fc.constantFrom("RESTRICT", "CASCADE", "NO ACTION", undefined),
});

/** Valid table definitions. */
export const definitionArbitrary = fc
  .uniqueArray(columnArbitrary, { minLength: 1, maxLength: 7, selector: (entry) => entry.name })
  .map((entries) => {
    const columns = entries.map(({ name, texts, role, nullable, message, onDelete }) => {
      if (role === "identity")
        return { name, dataType: "bigint", identity: "ALWAYS", primaryKey: true };
      if (role === "reference") {
        const target = { targetSchema: "store", targetTable: "targets", targetColumn: "id" };
        const foreignKey = { ...target, ...(onDelete !== undefined && { onDelete }) };
        return { name, dataType: "integer", nullable, foreignKey };
      }
      const { defaults, checks } = types[texts.type] ?? { defaults: [], checks: [] };
      const check = pickFrom(checks, texts.pick).replaceAll("$", quoted(name));
      return {
        name,
        dataType: texts.type,
        ...(role === "key" && texts.type !== "jsonb" ? { primaryKey: true } : { nullable }),
        ...(texts.withDefault && { default: pickFrom(defaults, texts.pick) }),
        ...(texts.withCheck && { check }),
        ...(texts.withCheck && message !== undefined && { checkMessage: message }),
      };
    });
    return { columns };
  });

const columnChange = fc.record({
  column: fc.nat(),
  name: nameArbitrary,
  texts: textsArbitrary,
  nullable: fc.option(fc.boolean(), { nil: undefined }),
  comment: fc.option(fc.constantFrom("Words", "It's \\ odd", null), { nil: undefined }),
  cascade: fc.boolean(),
});

/** One change, given the current columns of the table. */
export const changeArbitrary = fc.record({
  kind: fc.constantFrom(
    ...["addColumn", "addColumn", "changeColumn", "changeColumn", "renameColumn", "dropColumn"],
    ...["addPrimaryKey", "addUnique", "addCheck", "addForeignKey", "dropConstraint", "addIndex"],
    ...["dropIndex", "changeCheck", "changeComment", "rename", "move"],
  ),
  with: columnChange,
  others: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
});
export type GeneratedChange =
  typeof changeArbitrary extends fc.Arbitrary<infer Value> ? Value : never;
