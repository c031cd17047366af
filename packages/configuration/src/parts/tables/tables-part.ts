import type { z } from "zod";
import type { Part } from "../../model/part.ts";
import { readTables } from "./read-tables.ts";
import { namesOfTable, type PresentTable, tableSchema } from "./table-document.ts";
import { tableSteps } from "./table-steps.ts";
import { writeTable } from "./write-table.ts";

export const tablesPart: Part<PresentTable> = {
  name: "tables",
  schema: tableSchema as z.ZodType<PresentTable>,
  namesOf: namesOfTable,
  read: readTables,
  write: writeTable,
  compare: tableSteps,
};
