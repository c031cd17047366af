import { sealedColumnsOfAccounts } from "@rowhouse/accounts";
import type { SealedColumn } from "@rowhouse/vault";
import { sealedColumnsOfWorkflows } from "@rowhouse/workflows";

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedColumnsOfAccounts,
  ...sealedColumnsOfWorkflows,
];
