import { isDeepStrictEqual } from "node:util";
import {
  type DocumentedTable,
  type EnumType,
  rolledBack,
  runCatalogueStatements,
  settleTable,
  type WrittenColumn,
  withEnumTypes,
} from "@rowhouse/ddl";
import { AppError, escapePointer, unescapePointer } from "@rowhouse/errors";
import { withMissing } from "../../documents/document-faults.ts";
import type { Document } from "../../model/document.ts";
import type { World } from "../../model/part.ts";

import { structureOf } from "./read-tables.ts";
import type { ColumnDocument, TableDocument } from "./table-document.ts";

/**
 * Returns a document whose types, defaults, generated columns, checks and indexes are written as PostgreSQL writes them, so that only a
 * change of meaning is a change. Texts that equal those of the present table are kept.
 *
 * @param types enum types that other steps give more values, which the document may use
 * @throws AppError with the place of a text that no table can have
 */
export async function settleDocument(
  world: Pick<World, "database" | "created">,
  types: readonly EnumType[],
  before: TableDocument,
  document: Document<TableDocument>,
): Promise<TableDocument> {
  const table = document.value;
  const columns = Object.entries(table.columns).map(([name, column]): WrittenColumn => {
    const former = before.columns[name];
    const { type, default: standard, generated } = column;
    const isStored =
      former?.type === type && former.default === standard && former.generated === generated;
    return {
      ...{ name, dataType: type, default: standard, generated, isStored },
      path: pointerOf("columns", name),
    };
  });
  const checks = Object.entries(table.checks)
    .filter(([name, { check }]) => before.checks[name]?.check !== check)
    .map(([name, { check }]) => ({ name, check, path: pointerOf("checks", name, "check") }));
  const indexes = Object.entries(table.indexes)
    .filter(([name, index]) => !isDeepStrictEqual(before.indexes[name], index))
    .map(([name, index]) => ({ name, ...index, path: pointerOf("indexes", name) }));
  if (columns.every(({ isStored }) => isStored) && checks.length + indexes.length === 0) {
    return table;
  }
  const settled = await settle(world, types, document, { columns, checks, indexes });
  const structure = structureOf(settled, () => undefined);
  const pick = <Value>(settledOnes: Readonly<Record<string, Value>>, name: string, own: Value) =>
    settledOnes[name] ?? own;
  return {
    ...table,
    columns: Object.fromEntries(
      Object.entries(table.columns).map(([name, column]): [string, ColumnDocument] => {
        const { type, default: standard, generated } = structure.columns[name] ?? column;
        return [name, { ...column, type, default: standard, generated }];
      }),
    ),
    checks: Object.fromEntries(
      Object.entries(table.checks).map(([name, check]) => [
        name,
        { ...check, check: pick(structure.checks, name, check).check },
      ]),
    ),
    indexes: Object.fromEntries(
      Object.entries(table.indexes).map(([name, index]) => {
        const { keys, where } = pick(structure.indexes, name, index);
        return [name, { ...index, where, keys: withOrder(keys, index.keys) }];
      }),
    ),
  };
}

type Keys = TableDocument["indexes"][string]["keys"];

/** The settled table has the terms of an index without their order. */
function withOrder(settled: Keys, written: Keys): Keys {
  return settled.map((key, position) => {
    const { descending = false, nulls } = written[position] ?? {};
    return { ...key, descending, ...(nulls === undefined ? {} : { nulls }) };
  });
}

async function settle(
  { database, created }: Pick<World, "database" | "created">,
  types: readonly EnumType[],
  document: Document<TableDocument>,
  written: Parameters<typeof settleTable>[1],
): Promise<DocumentedTable> {
  const attempt = (statements: readonly string[]) =>
    rolledBack(database, async (transaction) => {
      await runCatalogueStatements(transaction, statements);
      return withEnumTypes(transaction, types, () => settleTable(transaction, written));
    });
  try {
    // Files may create the type of a column.
    return await attempt([]).catch((error: unknown) => {
      if (created.length === 0 || !isAbsence(error)) throw error;
      return attempt(created);
    });
  } catch (error) {
    if (error instanceof AppError) {
      throw error.mapFaults((fault) => {
        const place = (fault.path ?? "").split("/").slice(1).map(unescapePointer);
        return withMissing(document.faultAt(place, fault.message, fault.code), fault);
      });
    }
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof AppError && error.faults.some(({ details }) => details?.missing === true);
}

function pointerOf(...path: readonly string[]): string {
  return path.map((part) => `/${escapePointer(part)}`).join("");
}
