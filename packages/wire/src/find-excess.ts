/** The used part of a zod schema; this package does not depend on zod. */
export interface SchemaLike {
  readonly _zod: { readonly def: object };
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, SchemaLike>>;
  readonly catchall?: SchemaLike;
  readonly element?: SchemaLike;
  readonly valueType?: SchemaLike;
  readonly innerType?: SchemaLike;
  readonly in?: SchemaLike;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[];
}

interface CheckDefinition {
  readonly check?: string;
  readonly maximum?: number;
}

/** An excessive part of a value, with the keys that lead to it. */
export interface Excess {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Maximum number of items or keys of a list or record whose schema has no limit of its own. */
const breadthMax = 10_000;

/**
 * Finds what a schema would report key by key or item by item, before it does: a validator collects all faults of a
 * value, and a body of one megabyte can have 100,000.
 *
 * @param max number of unknown keys after which the search stops
 * @returns that many unknown keys, the first list or record over the limit, or the first `__proto__` of a record; nothing for a value with fewer, which
 * the schema itself reports
 */
export function findExcess(schema: SchemaLike, value: unknown, max: number): readonly Excess[] {
  const unknown: Excess[] = [];
  const endless = visit(schema, value, [], unknown, max);
  if (endless !== undefined) return [endless];
  return unknown.length >= max ? unknown : [];
}

type Path = readonly (string | number)[];

/** @returns a list or record over the limit, or the key `__proto__` of a record */
function visit(
  schema: SchemaLike,
  value: unknown,
  path: Path,
  unknown: Excess[],
  max: number,
): Excess | undefined {
  if (typeof value !== "object" || value === null || unknown.length >= max) return undefined;
  const definition = schema._zod.def as Definition;
  const inner = definition.innerType ?? definition.in;
  if (inner !== undefined) return visit(inner, value, path, unknown, max);
  switch (definition.type) {
    case "object":
      return visitObject(definition, value, path, unknown, max);
    case "array":
      return visitArray(definition, value, path, unknown, max);
    case "record":
      return visitRecord(definition, value, path, unknown, max);
    default:
      return undefined;
  }
}

function visitObject(
  { shape = {}, catchall }: Definition,
  value: object,
  path: Path,
  unknown: Excess[],
  max: number,
): Excess | undefined {
  if (Array.isArray(value)) return undefined;
  const isStrict = (catchall?._zod.def as Definition | undefined)?.type === "never";
  for (const key of isStrict ? Object.keys(value) : []) {
    if (Object.hasOwn(shape, key)) continue;
    unknown.push({ path: [...path, key], message: "Unknown field" });
    if (unknown.length >= max) return undefined;
  }
  for (const [key, schema] of Object.entries(shape)) {
    if (!Object.hasOwn(value, key)) continue;
    const item = (value as Readonly<Record<string, unknown>>)[key];
    const endless = visit(schema, item, [...path, key], unknown, max);
    if (endless !== undefined) return endless;
  }
  return undefined;
}

function visitArray(
  { element, checks = [] }: Definition,
  value: object,
  path: Path,
  unknown: Excess[],
  max: number,
): Excess | undefined {
  if (!Array.isArray(value) || element === undefined) return undefined;
  const bounds = checks.flatMap(({ _zod: { def } }) =>
    def.check === "max_length" && def.maximum !== undefined ? [def.maximum] : [],
  );
  // The schema rejects a list that is too long before it validates its items.
  if (bounds.some((bound) => value.length > bound)) return undefined;
  if (bounds.length === 0 && value.length > breadthMax) {
    return { path, message: `A list has at most ${breadthMax} items` };
  }
  for (const [index, item] of value.entries()) {
    const endless = visit(element, item, [...path, index], unknown, max);
    if (endless !== undefined) return endless;
  }
  return undefined;
}

function visitRecord(
  { valueType }: Definition,
  value: object,
  path: Path,
  unknown: Excess[],
  max: number,
): Excess | undefined {
  if (Array.isArray(value) || valueType === undefined) return undefined;
  // The schema would drop this key without a fault.
  if (Object.hasOwn(value, "__proto__")) {
    return { path: [...path, "__proto__"], message: "Unknown field" };
  }
  const keys = Object.keys(value);
  if (keys.length > breadthMax) {
    return { path, message: `An object has at most ${breadthMax} keys` };
  }
  for (const key of keys) {
    const item = (value as Readonly<Record<string, unknown>>)[key];
    const endless = visit(valueType, item, [...path, key], unknown, max);
    if (endless !== undefined) return endless;
  }
  return undefined;
}
