import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";
import { type ResourceEntry, resourcesQuery } from "../../shell/resource-queries.ts";
import type { JsonObject } from "../model/definition.ts";
import { useForm } from "./form-context.ts";

/** A table or view with its columns. */
type TableDetail = AdminOperations["GET /resources/{id}"]["answer"]["data"];
/** A column of a table. */
export type TableColumn = AdminOperations["GET /resources/{id}/columns"]["answer"]["data"][number];

/** The table of a step: what the catalogue says of it, as far as it is loaded. */
interface StepTable {
  /** Every table and view; undefined while they load. */
  readonly all: readonly ResourceEntry[] | undefined;
  readonly entry: ResourceEntry | undefined;
  readonly detail: TableDetail | undefined;
  readonly columns: readonly TableColumn[];
}

/** Returns the schema and the table that a step names. */
export function tableOf({ schema, table }: JsonObject): {
  readonly schema: string;
  readonly table: string;
} {
  return {
    schema: typeof schema === "string" ? schema : "public",
    table: typeof table === "string" ? table : "",
  };
}

/** Loads the table of the step. */
export function useTable(): StepTable {
  const { schema, table } = tableOf(useForm().value);
  const { data: all } = useQuery(resourcesQuery);
  const entry = all?.find((one) => one.schema === schema && one.name === table);
  const id = entry?.id;
  const { data } = useQuery({
    queryKey: ["resources", "form", id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const path = { id: id ?? "" };
      const [detail, columns] = await Promise.all([
        client.admin.get("/resources/{id}", { path, signal }),
        client.admin.get("/resources/{id}/columns", { path, signal }),
      ]);
      return { detail: detail.data, columns: columns.data };
    },
  });
  return { all, entry, detail: data?.detail, columns: data?.columns ?? [] };
}

/** Whether a value of a new row is required. */
export function isRequiredColumn(column: TableColumn): boolean {
  return !column.nullable && !column.hasDefault && !column.generated && column.identity === null;
}

/** Whether a step can write a column. */
export function isWritable(column: TableColumn): boolean {
  return !column.generated && column.identity !== "ALWAYS";
}
