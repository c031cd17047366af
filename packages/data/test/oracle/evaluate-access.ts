import { holds } from "./evaluate-filter.ts";
import type { Action, Grant, Path, Row, Table, User, World } from "./model.ts";
import { type Edge, edgesOf, relatedRows } from "./relations.ts";

/** Maximum number of relations in one path, as `data.max_relation_depth` by default. */
export const relationDepthMax = 3;

const everything = { fields: null, rowFilter: null, check: null, presets: new Map() };

/** The access of one user in a world, computed grant by grant and row by row. A world does not change. */
export class Access {
  readonly world: World;
  readonly user: User;
  readonly #grants = new Remembered<readonly Grant[]>();
  readonly #fields = new Remembered<readonly string[]>();
  readonly #edges = new Remembered<readonly Edge[]>();
  readonly #shown = new WeakMap<Row, readonly Grant[]>();

  constructor(world: World, user: User) {
    this.world = world;
    this.user = user;
  }

  /** The grants of all roles, in the order of the roles. */
  grants(table: Table, action?: Action): readonly Grant[] {
    return this.#grants.get(table, action ?? "", () => this.#grantsOf(table, action));
  }

  #grantsOf(table: Table, action?: Action): readonly Grant[] {
    if (this.user.administrator) {
      return [{ table: table.name, action: action ?? "READ", ...everything }];
    }
    return [...this.user.roles]
      .sort((left, right) => left - right)
      .flatMap((index) => this.world.roles[index]?.grants ?? [])
      .filter((grant) => grant.table === table.name && (action ?? grant.action) === grant.action);
  }

  /** Whether an administrator's filter is true for a row. */
  matches(filter: Grant["rowFilter"], table: Table, row: Row): boolean {
    return filter === null || holds(filter, table, row, this) === true;
  }

  showsRow(table: Table, row: Row): boolean {
    return this.#showing(table, row).length > 0;
  }

  showsField(table: Table, row: Row, field: string): boolean {
    return this.#showing(table, row).some((grant) => lists(grant, field));
  }

  /** The grants that show a row. */
  #showing(table: Table, row: Row): readonly Grant[] {
    const known = this.#shown.get(row);
    if (known !== undefined) return known;
    const grants = this.grants(table, "READ").filter((grant) =>
      this.matches(grant.rowFilter, table, row),
    );
    this.#shown.set(row, grants);
    return grants;
  }

  /** Whether the user may see the field: at least one READ grant lists it. */
  knowsField(table: Table, field: string): boolean {
    return this.knownFields(table).includes(field);
  }

  knownFields(table: Table): readonly string[] {
    return this.#fields.get(table, "", () => {
      const grants = this.grants(table, "READ");
      return table.columns
        .map(({ name }) => name)
        .filter((name) => grants.some((grant) => lists(grant, name)));
    });
  }

  /** A relation is visible if its target and its junction expose GET and the user has a READ grant on them. */
  edges(table: Table): readonly Edge[] {
    return this.#edges.get(table, "", () =>
      edgesOf(this.world, table).filter(
        ({ target, over }) =>
          this.#opens(target) && (over === undefined || this.#opens(over.junction)),
      ),
    );
  }

  #opens(table: Table): boolean {
    return table.exposed.includes("GET") && this.knownFields(table).length > 0;
  }

  edge(table: Table, name: string): Edge | undefined {
    return this.edges(table).find((edge) => edge.name === name);
  }

  /**
   * Resolves a path of `fields`: the name of a relation stands for all of its fields, unless a field has that name.
   */
  meaningOf(path: Path, from: Table): Path {
    if (path.apply !== undefined) return path;
    const { steps, name, aliases } = path;
    let table: Table | undefined = from;
    for (const step of steps) table = table === undefined ? table : this.edge(table, step)?.target;
    if (table === undefined || name === null || this.knowsField(table, name)) return path;
    if (this.edge(table, name) === undefined) return path;
    const named = [...steps.map((_, at) => aliases?.steps[at] ?? null), aliases?.name ?? null];
    return { steps: [...steps, name], name: null, aliases: { steps: named, name: null } };
  }

  /** The related rows that the user may see. */
  related(edge: Edge, row: Row): readonly Row[] {
    return relatedRows(this.world, edge, row, (junction, link) =>
      this.showsRow(junction, link),
    ).filter((other) => this.showsRow(edge.target, other));
  }
}

/** Values by a table and a key. */
class Remembered<Its> {
  readonly #known = new Map<Table, Map<string, Its>>();

  get(table: Table, key: string, compute: () => Its): Its {
    const ofTable = this.#known.get(table) ?? new Map<string, Its>();
    this.#known.set(table, ofTable);
    const known = ofTable.get(key) ?? compute();
    ofTable.set(key, known);
    return known;
  }
}

export function lists(grant: Grant, field: string): boolean {
  return grant.fields === null || grant.fields.includes(field);
}
