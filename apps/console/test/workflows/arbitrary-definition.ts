import { describeStepKinds } from "@rowhouse/workflows";
import fc from "fast-check";

type Json = Readonly<Record<string, unknown>>;

const { steps: stepKinds, triggers: triggerKinds, workflow } = describeStepKinds();

export { stepKinds, triggerKinds };

const paths = [
  ...["start.data.body.plate", "start.data.query.id ?? 0", 'vars["a name"]', "steps.first.0.id"],
  ...["errors.first.message", "item", "index", 'start.data.body.text ?? "}}"'],
];

/** Texts with and without templates, with lines, quotes and letters of every kind. */
const texts = fc.oneof(
  fc.constantFrom(...paths.map((path) => `{{${path}}}`)),
  fc.constantFrom("", "a", "two\nlines", 'tab\tand "quotes"', "Grüße 🐘", "\r\n", "{{broken", "}}"),
  fc
    .tuple(fc.string({ maxLength: 12 }), fc.constantFrom(...paths))
    .map(([a, b]) => `${a} {{${b}}}`),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

const names = fc.oneof(
  fc.constantFrom("name", "plate", "vehicle_id", "a.b", "a/b~c", "Größe", "0", "X-Api-Key"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== "__proto__"),
);

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const operands = fc.oneof(texts, fc.integer(), fc.boolean(), fc.array(texts, { maxLength: 3 }));
const operators = fc.constantFrom(
  ...["_eq", "_neq", "_in", "_between", "_null", "_icontains", "_gt", "_unknown", "_json_contains"],
);

/** Filters, also with parts that no builder knows. */
const filters = fc.letrec<{ filter: Json }>((tie) => {
  const comparison = fc.dictionary(operators, operands, { minKeys: 1, maxKeys: 2 });
  const field = fc.constantFrom("plate", "driver.name", "trips", "meta", "_odd");
  const entry = fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.tuple(field, comparison),
    fc.tuple(fc.constant("driver"), fc.dictionary(fc.constantFrom("name", "id"), comparison)),
    fc.tuple(
      fc.constant("meta"),
      comparison.map((inner) => ({ _path: { "a.b": inner } })),
    ),
    fc.tuple(fc.constantFrom("_and", "_or"), fc.array(tie("filter"), { maxLength: 3 })),
    fc.tuple(fc.constant("_not"), tie("filter")),
    fc.tuple(
      fc.constant("trips"),
      tie("filter").map((inner) => ({ _some: inner })),
    ),
    fc.tuple(field, json),
  );
  return {
    filter: fc.array(entry, { maxLength: 3 }).map((list) => Object.fromEntries(list)),
  };
}).filter;

const orders = fc.constantFrom("plate", "-plate,id", "driver.name", '-"a,b",id', " plate , id", "");
const crons = fc.constantFrom("0 6 * * 1-5", "*/5 * * * *", "15 3 1 1 0");
const ids = fc.uuid();

/** Returns values of a JSON Schema. Controls choose texts that people write there. */
function valuesOf(schema: Json, depth: number): fc.Arbitrary<unknown> {
  const alternatives = schema.anyOf ?? schema.oneOf;
  switch (schema["x-control"]) {
    case "steps":
      return listOfSteps(depth - 1, schema.minItems === 1 ? 1 : 0);
    case "filter":
      return filters;
    case "orderBy":
      return orders;
    case "cron":
      return crons;
    case "user":
      return Array.isArray(alternatives) ? fc.option(ids) : ids;
    default:
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(alternatives)) {
    return fc.oneof(...alternatives.map((one: Json) => valuesOf(one, depth)));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: unknown) => valuesOf({ type }, depth)));
  }
  switch (schema.type) {
    case "string":
      return schema.pattern === undefined ? texts : fc.constantFrom("a", "A", "X_1", "/a/*");
    case "integer":
      return fc.integer({
        min: Number(schema.minimum ?? -1000),
        max: Number(schema.maximum ?? 1000),
      });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valuesOf((schema.items ?? {}) as Json, depth), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 3,
      });
    case "object":
      return objectsOf(schema, depth);
    default:
      return json;
  }
}

/** Objects with the required members and some others, in any order. */
function objectsOf(schema: Json, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = (schema.required ?? []) as readonly string[];
  if (properties.length === 0) {
    const inner = (schema.additionalProperties ?? {}) as Json;
    return fc.dictionary(names, valuesOf(inner, depth), { maxKeys: 4 });
  }
  return fc
    .tuple(
      fc.tuple(
        ...properties.map(([name, one]) => {
          const value = valuesOf(one, depth);
          return required.includes(name)
            ? value.map((it) => ({ it }))
            : fc.option(value.map((it) => ({ it })));
        }),
      ),
      fc.shuffledSubarray(
        properties.map((_one, index) => index),
        { minLength: properties.length },
      ),
    )
    .map(([values, order]) =>
      Object.fromEntries(
        order.flatMap((index) => {
          const [name = ""] = properties[index] ?? [];
          const given = values[index] as { readonly it: unknown } | null | undefined;
          return given == null ? [] : [[name, given.it]];
        }),
      ),
    );
}

/** Steps of a kind. */
function stepsOf(kind: (typeof stepKinds)[number], depth: number): fc.Arbitrary<Json> {
  return objectsOf(kind.schema, depth) as fc.Arbitrary<Json>;
}

function listOfSteps(depth: number, minLength = 0): fc.Arbitrary<Json[]> {
  const kinds = depth > 0 ? stepKinds : stepKinds.filter(({ branches }) => branches.length === 0);
  const flat = kinds.length === 0 ? stepKinds.filter(({ kind }) => kind === "finish") : kinds;
  return fc.array(fc.oneof(...flat.map((kind) => stepsOf(kind, depth))), {
    minLength,
    maxLength: Math.max(minLength, depth > 0 ? 3 : 1),
  });
}

/** Definitions as authors write them: every kind of step and trigger, with and without each optional field. */
export const definitions: fc.Arbitrary<Json> = fc
  .tuple(
    objectsOf(workflow.schema, 0) as fc.Arbitrary<Json>,
    fc.oneof(...triggerKinds.map(({ schema }) => objectsOf(schema, 0))),
    listOfSteps(3, 1),
  )
  .map(([settings, trigger, steps]) => ({ ...settings, trigger, steps }));
