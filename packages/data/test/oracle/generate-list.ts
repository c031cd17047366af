import fc from "fast-check";
import { anyHaving, anyOutput, anyResultOrder, type TypedOutput } from "./generate-aggregate.ts";
import { anyExpression, sums } from "./generate-expression.ts";
import { anySearched, keysInside } from "./generate-own-condition.ts";
import {
  anyLeaf,
  anySearch,
  anyWhere,
  endsToMany,
  isToOne,
  type Reached,
  type Vocabulary,
} from "./generate-read.ts";
import type { Deep, Filter, ListRequest, OrderTerm, Path, ReadRequest, Table } from "./model.ts";
import { nameOfOutput, outputOf, typeOfOutput } from "./outputs.ts";
import { columnOf, placeOf, writePath } from "./relations.ts";
import { filterBrackets } from "./write-request.ts";

function anyField(words: Vocabulary): fc.Arbitrary<Path> {
  return words.anyReached().chain((reached) => {
    const named = words.anyColumn(reached).chain(({ name, type }) => {
      const plain: Path = { steps: reached.steps, name };
      const inside = fc
        .constantFrom(...keysInside)
        .map((keys): Path => ({ ...plain, inside: keys }));
      return type === "jsonb" ? fc.oneof(fc.constant(plain), inside) : fc.constant(plain);
    });
    const all = fc.constant<Path>({ steps: reached.steps, name: "*" });
    const last = reached.steps.at(-1);
    const parent = reached.edges.at(-2)?.target ?? words.table;
    // The bare name of a relation means the column of that name, if one exists.
    const mayBeBare = last !== undefined && columnOf(parent, last) === undefined;
    const bare = fc.constant<Path>({ steps: reached.steps, name: mayBeBare ? null : "*" });
    const number = anyNumber(words, reached);
    const path = fc.oneof(
      { weight: endsToMany(reached) ? 4 : 0, arbitrary: number },
      { weight: 5, arbitrary: named },
      { weight: 1, arbitrary: all },
      { weight: 1, arbitrary: bare },
    );
    return fc.tuple(path, anyAliases(reached)).map(([plain, aliases]): Path => {
      const isWhole = plain.name === "*" || (plain.name === null && plain.apply === undefined);
      const isPart = plain.inside !== undefined && plain.apply === undefined;
      const name = isWhole || isPart ? null : aliases.name;
      // An expression has a name.
      const own = plain.expression === undefined ? name : (name ?? "x");
      return { ...plain, aliases: { ...aliases, name: own } };
    });
  });
}

/** Generates a number of the rows at the end of a path. */
function anyNumber(words: Vocabulary, reached: Reached): fc.Arbitrary<Path> {
  const { steps } = reached;
  const plain = fc
    .tuple(
      words.anyColumn(reached),
      fc.constantFrom(...functions),
      fc.option(fc.constantFrom(...keysInside), { freq: 3 }),
    )
    .map(([{ name, type }, apply, keys]): Path => {
      if (apply === null) return { steps, name: null, apply: "count" };
      return type === "jsonb" && keys !== null
        ? { steps, name, inside: keys, apply }
        : { steps, name, apply };
    });
  const computed = fc
    .tuple(anyExpression(words.at(reached.table, true), 1), fc.constantFrom(...sums))
    .map(
      ([expression, apply]): Path => ({
        ...{ steps, name: null, apply, expression },
        aliases: { steps: steps.map(() => null), name: "x" },
      }),
    );
  return fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: computed });
}

/** Few names, so that terms share an alias or clash; some are names of columns. */
const aliasNames = ["x", "y", "id", "driver", 'a"b'];

function anyAliases({ steps }: Reached): fc.Arbitrary<NonNullable<Path["aliases"]>> {
  const alias = fc.option(fc.constantFrom("x", "x", "y", ...aliasNames), { freq: 1 });
  const none = { steps: [], name: null };
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(none) },
    {
      weight: 1,
      arbitrary: fc.record({
        steps: fc.array(alias, { minLength: steps.length, maxLength: steps.length }),
        name: fc.option(fc.constantFrom(...aliasNames), { freq: 1 }),
      }),
    },
  );
}

/** Null counts rows. */
const functions = [null, null, "count", "count_distinct", "sum", "avg", "min", "max"] as const;

const unique = (paths: readonly Path[]): readonly Path[] =>
  paths.filter((path, at) => paths.findIndex((it) => writePath(it) === writePath(path)) === at);

function anyFields(words: Vocabulary): fc.Arbitrary<readonly Path[] | null> {
  return fc.option(fc.array(anyField(words), { minLength: 1, maxLength: 4 }).map(unique), {
    freq: 3,
  });
}

function anyOrder(words: Vocabulary): fc.Arbitrary<readonly OrderTerm[]> {
  const field = words.anyReached(isToOne).chain((reached) =>
    fc
      .tuple(
        words.anyColumn(reached),
        fc.option(fc.constantFrom(...keysInside), { freq: 3 }),
        fc.boolean(),
        fc.constantFrom(null, null, "first" as const, "last" as const),
      )
      .map(([{ name, type }, keys, descending, nulls]): OrderTerm => {
        const isInside = type === "jsonb" && keys !== null;
        const path = { steps: reached.steps, name, ...(isInside ? { inside: keys } : {}) };
        return { path, descending, nulls };
      }),
  );
  const many = words.reached.filter(
    ({ edges }) =>
      edges.at(-1)?.kind === "MANY" && edges.slice(0, -1).every(({ kind }) => kind === "ONE"),
  );
  const number =
    many.length === 0
      ? field
      : fc.constantFrom(...many).chain((reached) =>
          fc
            .tuple(
              anyNumber(words, reached).filter(({ expression }) => expression === undefined),
              fc.boolean(),
              fc.constantFrom(null, null, "first" as const, "last" as const),
            )
            .map(([path, descending, nulls]): OrderTerm => ({ path, descending, nulls })),
        );
  const term = fc.oneof({ weight: 5, arbitrary: field }, { weight: 1, arbitrary: number });
  return fc
    .array(term, { maxLength: 3 })
    .map((terms) =>
      terms.filter(
        ({ path }, at) => terms.findIndex((it) => writePath(it.path) === writePath(path)) === at,
      ),
    );
}

/** A list of the response, with the numbers in its place. */
interface Listed {
  readonly steps: readonly string[];
  readonly place: readonly string[];
  readonly table: Table;
  readonly numbers: readonly Path[];
}

/** Returns the lists that `fields` includes. */
function listsOf(words: Vocabulary, fields: readonly Path[] | null): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const path of fields ?? []) {
    for (const at of path.steps.keys()) {
      const steps = path.steps.slice(0, at + 1);
      const place = placeOf(path).slice(0, at + 1);
      const reached = words.reached.find((its) => its.steps.join("\0") === steps.join("\0"));
      if (reached === undefined || !endsToMany(reached)) continue;
      const key = place.join("\0");
      const known = found.get(key) ?? { steps, place, table: reached.table, numbers: [] };
      const isNumber = path.apply !== undefined && path.steps.length === steps.length;
      found.set(key, { ...known, numbers: [...known.numbers, ...(isNumber ? [path] : [])] });
    }
  }
  return [...found.values()];
}

/** Generates pages, filters and groups of the to-many relations that `fields` includes. */
function anyDeep(words: Vocabulary, fields: readonly Path[] | null): fc.Arbitrary<readonly Deep[]> {
  const lists = listsOf(words, fields);
  return fc
    .shuffledSubarray([...lists], { maxLength: Math.min(lists.length, 2) })
    .chain((chosen) => fc.tuple(...chosen.map((list) => anyOptions(words, list))));
}

function anyOptions(
  words: Vocabulary,
  { steps, place, table, numbers }: Listed,
): fc.Arbitrary<Deep> {
  const inner = words.at(table, false);
  const withRelations = words.at(table, true);
  const common = {
    steps: fc.constant(steps),
    place: fc.constant(place),
    // `deep` uses brackets, which cannot express an empty list.
    where: fc.option(
      anyLeaf(inner).filter((leaf) => filterBrackets(leaf, "") !== undefined),
      { freq: 2 },
    ),
  };
  const rows = fc.record({
    ...common,
    order: anyOrder(withRelations),
    limit: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
    offset: fc.option(fc.nat({ max: 2 }), { freq: 1 }),
    isPaged: fc.boolean(),
    groups: fc.constant([]),
    having: fc.constant(null),
  });
  if (numbers.length === 0) return rows;
  const plain = fc.record({
    ...common,
    order: fc.constant([]),
    limit: fc.constant(null),
    offset: fc.constant(null),
    isPaged: fc.constant(false),
    groups: fc.constant([]),
    having: fc.constant(null),
  });
  const grouped = fc
    .array(anyOutput(inner, true), { minLength: 1, maxLength: 2 })
    .map((groups) => {
      const names = groups.map(({ output }) => nameOfOutput(output));
      return groups.filter((_, at) => names.indexOf(names[at] ?? "") === at);
    })
    .chain((groups) => {
      const results = [...groups, ...numbers.map((path) => typedOf(path, table))];
      const fit = anyHaving(results).filter(
        (having) => having === null || filterBrackets(having, "") !== undefined,
      );
      return fc.record({
        ...common,
        order: anyResultOrder(results),
        limit: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
        offset: fc.option(fc.nat({ max: 2 }), { freq: 1 }),
        isPaged: fc.constant(false),
        groups: fc.constant(groups.map(({ output }) => output)),
        having: fit,
      });
    });
  return fc.oneof(
    { weight: 1, arbitrary: rows },
    { weight: 2, arbitrary: plain },
    { weight: 6, arbitrary: grouped },
  );
}

function typedOf(path: Path, table: Table): TypedOutput {
  const output = outputOf(path);
  const type = path.name === null ? "bigint" : columnOf(table, path.name)?.type;
  return { output, type: type === undefined ? null : typeOfOutput(output, type) };
}

/** Generates a list of the vocabulary's table. */
export function anyList(words: Vocabulary, user: number): fc.Arbitrary<ListRequest> {
  return anyFields(words).chain((fields) =>
    fc
      .tuple(
        fc.record({
          kind: fc.constant("LIST" as const),
          user: fc.constant(user),
          table: fc.constant(words.table.name),
          fields: fc.constant(fields),
          deep: anyDeep(words, fields),
          form: fc.constantFrom("BRACKETS" as const, "JSON" as const),
          search: anySearch,
          limit: fc.option(fc.nat({ max: 5 }), { freq: 2 }),
          offset: fc.option(fc.nat({ max: 3 }), { freq: 1 }),
          count: fc.boolean(),
        }),
        anySelection(words),
      )
      .map(([request, selection]) => ({ ...request, ...selection })),
  );
}

/** Generates a filter with an order; some orders are by the rank of a search. */
function anySelection(words: Vocabulary): fc.Arbitrary<Pick<ListRequest, "where" | "order">> {
  const plain = fc.record({
    where: fc.option(anyWhere(words, 2), { freq: 2 }),
    order: anyOrder(words),
  });
  const searched = words.reached.filter(
    (reached) => isToOne(reached) && reached.table.columns.some(({ type }) => type === "words"),
  );
  if (searched.length === 0) return plain;
  const search = fc
    .constantFrom(...searched)
    .chain((reached) =>
      words
        .anyColumn(reached, ({ type }) => type === "words")
        .chain(({ name }) => anySearched({ steps: reached.steps, name })),
    );
  // Rows that do not match the search, or in which its field is hidden, have a rank as well.
  const everyRow: Filter = { kind: "AND", filters: [] };
  const ranked = fc.record({
    where: fc.oneof(
      search,
      search.map((filter): Filter => ({ kind: "OR", filters: [filter, everyRow] })),
      fc
        .tuple(fc.constantFrom("AND" as const, "OR" as const), search, anyLeaf(words))
        .map(([kind, ...filters]): Filter => ({ kind, filters })),
    ),
    order: fc
      .tuple(
        anyOrder(words),
        fc.boolean(),
        fc.constantFrom(null, null, "first" as const, "last" as const),
      )
      .map(([others, descending, nulls]) => [
        { path: { steps: [], name: "_rank" }, descending, nulls },
        ...others,
      ]),
  });
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: ranked });
}

/** Generates a read of one row by its key. */
export function anyRead(
  words: Vocabulary,
  user: number,
  key: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<ReadRequest> {
  return anyFields(words).chain((fields) =>
    fc.record({
      kind: fc.constant("READ" as const),
      user: fc.constant(user),
      table: fc.constant(words.table.name),
      fields: fc.constant(fields),
      deep: anyDeep(words, fields),
      key,
    }),
  );
}
