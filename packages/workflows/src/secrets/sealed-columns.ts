import type { SealedColumn } from "@rowhouse/vault";
import { secretContextOf } from "./secret-name.ts";

export const sealedColumnsOfWorkflows: readonly SealedColumn[] = [
  {
    table: "system.workflow_secrets",
    column: "sealed",
    key: "name",
    id: "name",
    contextOf: secretContextOf,
  },
];
