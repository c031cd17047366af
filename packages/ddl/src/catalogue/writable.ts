import { parseColumnExpression } from "../column-expression.ts";
import type { DocumentedTable } from "../documented-table.ts";
import type { DocumentedView } from "../documented-view.ts";
import { guardView } from "../guarded-view.ts";
import { parseColumnType } from "../type-name.ts";

/**
 * Returns a table as a document can create it if statements of the catalogue carry the rest: defaults, checks and
 * indexes with expressions that no document may have count as not described, and so do tables with such a type or
 * generated column.
 */
export async function asWritable(table: DocumentedTable): Promise<DocumentedTable> {
  const { columns, checks, indexes, unusualConstraints, markedConstraints, codedDefaults, others } =
    table;
  const names = new Set(columns.map(({ name }) => name));
  const isRefused = (text: string, kind: "default" | "check" | "generated" | "index") =>
    fails(parseColumnExpression(text, kind, kind === "default" ? new Set() : names, ""));
  const refusedDefaults: [string, string][] = [];
  let isWhole = others.some((name) => name.startsWith("virtual "));
  for (const { name, dataType, default: standard, generatedAs } of columns) {
    isWhole ||= await fails(requireWritableType(dataType));
    isWhole ||= generatedAs !== null && (await isRefused(generatedAs, "generated"));
    if (standard === null || codedDefaults[name] !== undefined) continue;
    if (await isRefused(standard, "default")) refusedDefaults.push([name, standard]);
  }
  const refusedChecks: string[] = [];
  for (const { name, expression } of checks) {
    if (await isRefused(expression, "check")) refusedChecks.push(name);
  }
  const plain: DocumentedTable["indexes"][number][] = [];
  for (const index of indexes) {
    const texts = [...index.terms.map(({ expression }) => expression), index.where];
    let { isPlain } = index;
    for (const text of texts) {
      isPlain &&= text === null || !(await isRefused(text, "index"));
    }
    plain.push({ ...index, isPlain });
  }
  const carried = table.uncarried === "ROW_SECURED" ? null : table.uncarried;
  return {
    ...table,
    uncarried: carried ?? (isWhole ? "UNWRITTEN" : null),
    unusualConstraints: [
      ...unusualConstraints.filter((name) => !markedConstraints.includes(name)),
      ...refusedChecks,
    ],
    codedDefaults: { ...codedDefaults, ...Object.fromEntries(refusedDefaults) },
    indexes: plain,
  };
}

/** Returns whether a document can create a view. */
export async function isWritableView({
  schema,
  name,
  definition,
  isForbidden,
}: DocumentedView): Promise<boolean> {
  return !isForbidden && !(await fails(guardView(schema, { name, definition })));
}

/** A type of PostgreSQL that no document may name, such as `"char"`, is parsed like one of the search path. */
async function requireWritableType(dataType: string): Promise<void> {
  const { references } = await parseColumnType(dataType, "");
  if (references.some(({ sql }) => !sql.includes("."))) throw new Error("An unknown type");
}

async function fails(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    () => true,
  );
}
