import fc from "fast-check";
import { Access } from "./evaluate-access.ts";
import { anyCondition, anyQuantified, combine, othersOf } from "./generate-filter.ts";
import type {
  Column,
  Deep,
  Filter,
  ListRequest,
  OrderTerm,
  Path,
  ReadRequest,
  Table,
  World,
} from "./model.ts";
import { columnOf, type Edge, writePath } from "./relations.ts";
import { isScalar } from "./values.ts";
import { filterBrackets } from "./write-request.ts";

interface Reached {
  readonly steps: readonly string[];
  readonly edges: readonly Edge[];
  readonly table: Table;
}

/** The names that a request may use: mostly visible to its user, sometimes hidden. */
export class Vocabulary {
  readonly access: Access;
  readonly table: Table;
  /** The table itself and the tables that its relations reach. */
  readonly reached: readonly Reached[];

  constructor(world: World, user: number, table: Table, relations: boolean) {
    const its = world.users[user];
    if (its === undefined) throw new RangeError("No such user");
    this.access = new Access(world, its);
    this.table = table;
    this.reached = this.#reach([{ steps: [], edges: [], table }], relations ? 3 : 0);
  }

  #reach(from: readonly Reached[], depth: number): readonly Reached[] {
    if (depth === 0) return from;
    const next = from.flatMap(({ steps, edges, table }) =>
      this.access.edges(table).map((edge) => ({
        steps: [...steps, edge.name],
        edges: [...edges, edge],
        table: edge.target,
      })),
    );
    return [...from, ...this.#reach(next.slice(0, 12), depth - 1)];
  }

  /** Generates paths whose steps `test` accepts; shorter paths have priority. */
  anyReached(test: (reached: Reached) => boolean = () => true): fc.Arbitrary<Reached> {
    const own = this.reached.slice(0, 1).filter(test);
    const others = this.reached.slice(1).filter(test);
    if (others.length === 0) return fc.constantFrom(...(own.length > 0 ? own : this.reached));
    if (own.length === 0) return fc.constantFrom(...others);
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...own) },
      { weight: 2, arbitrary: fc.constantFrom(...others) },
    );
  }

  anyColumn(
    { table }: Pick<Reached, "table">,
    test: (column: Column) => boolean = () => true,
  ): fc.Arbitrary<Column> {
    const all = table.columns.filter(test);
    const known = all.filter(({ name }) => this.access.knowsField(table, name));
    if (known.length === 0) return fc.constantFrom(...(all.length > 0 ? all : table.columns));
    return fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
      { weight: 1, arbitrary: fc.constant<Column>({ ...plainColumn, name: "nope" }) },
    );
  }
}

const plainColumn: Omit<Column, "name"> = {
  type: "int",
  nullable: true,
  default: null,
  identity: false,
  unique: false,
  min: null,
};

/** Whether a path reaches at most one row. */
export const isToOne = ({ edges }: Reached): boolean => edges.every(({ kind }) => kind === "ONE");
const endsToMany = ({ edges }: Reached): boolean => edges.at(-1)?.kind === "MANY";

function anyLeaf(words: Vocabulary): fc.Arbitrary<Filter> {
  const toOne = words.reached.filter(isToOne);
  return words.anyReached().chain((reached) =>
    words.anyColumn(reached).chain((column) => {
      const others = [...toOne, ...(isToOne(reached) ? [] : [reached])].flatMap((other) =>
        othersOf(other.table, other.steps),
      );
      return anyCondition({ steps: reached.steps, name: column.name }, column, others);
    }),
  );
}

/** Generates a caller's filter, with relations and quantifiers if the table has relations. */
export function anyWhere(words: Vocabulary, depth: number): fc.Arbitrary<Filter> {
  const leaf = anyLeaf(words);
  const toMany = words.reached.filter((reached) => endsToMany(reached) && reached.steps.length < 3);
  if (toMany.length === 0 || depth === 0) return combine(leaf, depth === 0 ? 1 : 2);
  const quantified = fc.nat().chain((draw) => {
    const reached = toMany[draw % toMany.length] ?? toMany[0];
    if (reached === undefined) return leaf;
    const inner = new Vocabulary(
      words.access.world,
      words.access.world.users.indexOf(words.access.user),
      reached.table,
      depth > 1,
    );
    return anyWhere(inner, depth - 1).chain((filter) => anyQuantified(reached.steps, filter));
  });
  // The combined depth stays within the limit of a filter.
  const part = fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: quantified });
  return combine(part, depth);
}

function anyField(words: Vocabulary): fc.Arbitrary<Path> {
  return words.anyReached().chain((reached) => {
    const named = words.anyColumn(reached).map((column) => ({
      steps: reached.steps,
      name: column.name,
    }));
    const all = fc.constant<Path>({ steps: reached.steps, name: "*" });
    const last = reached.steps.at(-1);
    const parent = reached.edges.at(-2)?.target ?? words.table;
    // The bare name of a relation means the column of that name, if one exists.
    const mayBeBare = last !== undefined && columnOf(parent, last) === undefined;
    const bare = fc.constant<Path>({ steps: reached.steps, name: mayBeBare ? null : "*" });
    const number = fc
      .tuple(
        words.anyColumn(reached, ({ type }) => isScalar(type)),
        fc.constantFrom(...functions),
      )
      .map(
        ([{ name }, apply]): Path => ({
          steps: reached.steps,
          name: apply === null ? null : name,
          apply: apply ?? "count",
        }),
      );
    return fc.oneof(
      { weight: endsToMany(reached) ? 4 : 0, arbitrary: number },
      { weight: 5, arbitrary: named },
      { weight: 1, arbitrary: all },
      { weight: 1, arbitrary: bare },
    );
  });
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
  const term = words.anyReached(isToOne).chain((reached) =>
    fc
      .tuple(
        words.anyColumn(reached, ({ type }) => isScalar(type)),
        fc.boolean(),
        fc.constantFrom(null, null, "first" as const, "last" as const),
      )
      .map(([{ name }, descending, nulls]) => ({
        path: { steps: reached.steps, name },
        descending,
        nulls,
      })),
  );
  return fc
    .array(term, { maxLength: 3 })
    .map((terms) =>
      terms.filter(
        ({ path }, at) => terms.findIndex((it) => writePath(it.path) === writePath(path)) === at,
      ),
    );
}

/** Generates limit, order and filter of the to-many relations that `fields` includes. */
function anyDeep(words: Vocabulary, fields: readonly Path[] | null): fc.Arbitrary<readonly Deep[]> {
  const named = words.reached.filter(
    (reached) =>
      endsToMany(reached) &&
      fields?.some(({ steps }) =>
        reached.steps.every((step, at) => steps[at] === step && steps.length >= at),
      ),
  );
  return fc.shuffledSubarray([...named], { maxLength: Math.min(named.length, 2) }).chain((chosen) =>
    fc.tuple(
      ...chosen.map(({ steps, table }) => {
        const user = words.access.world.users.indexOf(words.access.user);
        const inner = new Vocabulary(words.access.world, user, table, false);
        return fc.record({
          steps: fc.constant(steps),
          // `deep` uses brackets, which cannot express an empty list.
          where: fc.option(
            anyLeaf(inner).filter((leaf) => filterBrackets(leaf, "") !== undefined),
            { freq: 2 },
          ),
          order: anyOrder(inner),
          limit: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
        });
      }),
    ),
  );
}

/** Generates a search text; mostly none. */
export const anySearch: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom("a", "A", "%", "_", "É", "b", "\\", "日", "app") },
);

/** Generates a list of the vocabulary's table. */
export function anyList(words: Vocabulary, user: number): fc.Arbitrary<ListRequest> {
  return anyFields(words).chain((fields) =>
    fc.record({
      kind: fc.constant("LIST" as const),
      user: fc.constant(user),
      table: fc.constant(words.table.name),
      fields: fc.constant(fields),
      deep: anyDeep(words, fields),
      where: fc.option(anyWhere(words, 2), { freq: 4 }),
      form: fc.constantFrom("BRACKETS" as const, "JSON" as const),
      search: anySearch,
      order: anyOrder(words),
      limit: fc.option(fc.nat({ max: 5 }), { freq: 2 }),
      offset: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
      count: fc.boolean(),
    }),
  );
}

/** Generates a read of one row by its key. */
export function anyRead(
  words: Vocabulary,
  user: number,
  key: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<ReadRequest> {
  return fc.record({
    kind: fc.constant("READ" as const),
    user: fc.constant(user),
    table: fc.constant(words.table.name),
    fields: anyFields(words),
    key,
  });
}
