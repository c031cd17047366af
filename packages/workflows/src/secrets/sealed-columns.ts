import type { SealedColumn } from "@rowhouse/vault";
import { secretContextOf } from "./secret-name.ts";

export const sealedColumnsOfWorkflows: readonly SealedColumn[] = [
  "system.workflow_secrets",
  "system.provider_secrets",
].map((table) => ({
  table,
  column: "sealed",
  key: "name",
  id: "name",
  contextOf: secretContextOf,
}));
