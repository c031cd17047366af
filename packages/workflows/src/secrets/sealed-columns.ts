import type { SealedColumn } from "@rowhouse/vault";
import { contextOf } from "./secret-name.ts";

/** Everything of workflows that is sealed in the database. */
export const sealedColumnsOfWorkflows: readonly SealedColumn[] = [
  { table: "system.workflow_secrets", column: "sealed", key: "name", id: "name", contextOf },
];
