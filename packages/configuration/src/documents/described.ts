import {
  asWritable,
  type CatalogueStatement,
  type DocumentedTable,
  type DocumentedView,
  isWritableView,
  loadDocumentedTables,
  loadDocumentedViews,
  readCatalogue,
} from "@rowhouse/ddl";
import type { State } from "../model/part.ts";
import { Pauses } from "./pauses.ts";

/** What a state has of relations: their documents and the statements of `sql` share it. */
export interface Described {
  readonly tables: readonly DocumentedTable[];
  readonly views: readonly DescribedView[];
  /** None without files of `sql`. */
  readonly statements: readonly CatalogueStatement[];
  /** Whether statements create what the document of a relation does not describe: the service's login owns it. */
  readonly isOwn: (schema: string, name: string) => boolean;
}

export interface DescribedView extends DocumentedView {
  /** Whether no document can create it. */
  readonly isWhole: boolean;
}

const known = new WeakMap<State, Promise<Described>>();

/** Reads the relations of a state once. */
export function describedIn(state: State): Promise<Described> {
  const found = known.get(state) ?? describe(state);
  known.set(state, found);
  return found;
}

async function describe({ database, hasSql }: State): Promise<Described> {
  const tables = await database.transaction(loadDocumentedTables);
  const views = await database.transaction(loadDocumentedViews);
  if (!hasSql) {
    const asGiven = views.map((view) => ({ ...view, isWhole: view.hasOptions }));
    return { tables, views: asGiven, statements: [], isOwn: () => false };
  }
  const statements = await database.transaction((transaction) => readCatalogue(transaction));
  const own = new Set(
    statements
      .filter(({ scope }) => scope === "WHOLE")
      .map(({ schema, name }) => keyOf(schema, name)),
  );
  const isOwn = (schema: string, name: string) => own.has(keyOf(schema, name));
  const pauses = new Pauses();
  const writable: DocumentedTable[] = [];
  for (const table of tables) {
    writable.push(isOwn(table.schema, table.name) ? await asWritable(table) : table);
    await pauses.next();
  }
  const described: DescribedView[] = [];
  for (const view of views) {
    const isCarried = isOwn(view.schema, view.name);
    const isWhole = isCarried ? !(await isWritableView(view)) : view.hasOptions;
    described.push({ ...(isCarried ? withIndexNames(view) : view), isWhole });
    await pauses.next();
  }
  return { tables: writable, views: described, statements, isOwn };
}

/** Documents do not name the indexes of a materialized view: one that has another name than PostgreSQL chooses is no such. */
function withIndexNames(view: DocumentedView): DocumentedView {
  const named = view.indexes.filter(
    ({ name, columns }) => columns !== null && name !== `${view.name}_${columns.join("_")}_idx`,
  );
  return {
    ...view,
    indexes: view.indexes.map((index) =>
      named.includes(index) ? { ...index, columns: null } : index,
    ),
    others: [...view.others, ...named.map(({ name }) => `index ${name}`)].toSorted(),
  };
}

function keyOf(schema: string, name: string | null): string {
  return JSON.stringify([schema, name]);
}

const uncarried =
  /^(?:statistics |options |replica identity$|access method |tablespace$|clustered |storage of )/;

/** Whether an object of a relation, by its name in `elsewhere`, is one that no statement of `sql` creates. */
export function isUncarried(name: string): boolean {
  return uncarried.test(name);
}
