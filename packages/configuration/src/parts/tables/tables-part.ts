import type { z } from "zod";
import type { Part } from "../../model/part.ts";
import { readTables } from "./read-tables.ts";
import { namesOfTable, type TableDocument, tableSchema } from "./table-document.ts";
import { tableSteps } from "./table-steps.ts";
import { writeTable } from "./write-table.ts";

export const tablesPart: Part<TableDocument> = {
  name: "tables",
  schema: tableSchema as z.ZodType<TableDocument>,
  namesOf: namesOfTable,
  read: ({ database, snapshot }) => readTables(database, snapshot),
  write: writeTable,
  compare: tableSteps,
};
