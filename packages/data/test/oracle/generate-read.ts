import fc from "fast-check";
import { Access } from "./evaluate-access.ts";
import { anyCondition, anyQuantified, combine, othersOf } from "./generate-filter.ts";
import type { Column, Filter, Table, World } from "./model.ts";
import type { Edge } from "./relations.ts";

export interface Reached {
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

  /** The vocabulary of another table. */
  at(table: Table, relations: boolean): Vocabulary {
    const { world, user } = this.access;
    return Vocabulary.of(world, world.users.indexOf(user), table, relations);
  }

  /** Generators ask for the same vocabularies again and again. */
  static of(world: World, user: number, table: Table, relations: boolean): Vocabulary {
    const known = vocabularies.get(world) ?? new Map<string, Vocabulary>();
    vocabularies.set(world, known);
    const key = `${user} ${relations} ${table.name}`;
    const found = known.get(key) ?? new Vocabulary(world, user, table, relations);
    known.set(key, found);
    return found;
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

const vocabularies = new WeakMap<World, Map<string, Vocabulary>>();

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
export const endsToMany = ({ edges }: Reached): boolean => edges.at(-1)?.kind === "MANY";

export function anyLeaf(words: Vocabulary): fc.Arbitrary<Filter> {
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
    const inner = words.at(reached.table, depth > 1);
    return anyWhere(inner, depth - 1).chain((filter) => anyQuantified(reached.steps, filter));
  });
  // The combined depth stays within the limit of a filter.
  const part = fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: quantified });
  return combine(part, depth);
}

/** Generates a search text; mostly none. */
export const anySearch: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom("a", "A", "%", "_", "É", "b", "\\", "日", "app") },
);
