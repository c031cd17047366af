import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { deparseSelect, parseOneSelect } from "./base/sql-grammar.ts";
import type { ViewDefinition, ViewIndex, ViewReplacement } from "./base/view-definition.ts";
import { guardSelect, type ViewReferences } from "./view-guard.ts";

declare const guarded: unique symbol;

/**
 * A view definition whose texts passed the grammar and the guard. Statements are built only from it, and only
 * `guardView` and `guardReplacement` create one.
 */
export interface GuardedView {
  readonly [guarded]: true;
  readonly schema: string;
  readonly name: string;
  readonly materialized: boolean;
  /** The deparsed SELECT. */
  readonly sql: string;
  /** The SELECT as its author wrote it. */
  readonly written: string;
  readonly references: ViewReferences;
  /** Undefined if the definition does not give it. */
  readonly comment: string | null | undefined;
  readonly indexes: readonly ViewIndex[] | undefined;
}

/** JSON pointer of the text. */
export const definitionPath = "/data/definition";

/**
 * Guards the definition of a new view.
 *
 * @throws AppError EXPRESSION_INVALID, BODY_INVALID
 */
export function guardView(schema: string, input: ViewDefinition): Promise<GuardedView> {
  return guard(schema, input.name, input.materialized === true, input);
}

/**
 * Guards the new definition of an existing view.
 *
 * @throws AppError EXPRESSION_INVALID, BODY_INVALID
 */
export function guardReplacement(
  view: { readonly schema: string; readonly name: string; readonly materialized: boolean },
  input: ViewReplacement,
): Promise<GuardedView> {
  return guard(view.schema, view.name, view.materialized, input);
}

async function guard(
  schema: string,
  name: string,
  materialized: boolean,
  { definition, comment, indexes }: ViewReplacement,
): Promise<GuardedView> {
  throwFaults(findIndexFaults(materialized, indexes ?? []));
  const select = await parseOneSelect(definition, definitionPath);
  const references = guardSelect(select, {
    schema,
    path: definitionPath,
    text: definition,
  });
  const sql = deparseSelect(select, definitionPath);
  // The only place that creates a GuardedView: its text is guarded above.
  return {
    ...{ schema, name, materialized, sql, written: definition, references, comment, indexes },
  } as unknown as GuardedView;
}

function findIndexFaults(materialized: boolean, indexes: readonly ViewIndex[]): Fault[] {
  const refuse = (path: string, message: string): Fault =>
    createFault("BODY_INVALID", { path: `/data/indexes${path}`, message });
  if (!materialized && indexes.length > 0) {
    return [refuse("", "Only a materialized view stores rows and so can have indexes")];
  }
  return indexes.flatMap(({ columns }, index) =>
    columns.flatMap((column, at) =>
      columns.indexOf(column) === at
        ? []
        : [refuse(`/${index}/columns/${at}`, "This column is named twice")],
    ),
  );
}
