import { sealedColumnsOfAccounts } from "@rowhouse/accounts";
import type { SealedColumn } from "@rowhouse/vault";
import { sealedColumnsOfWorkflows } from "@rowhouse/workflows";

/** All sealed columns of the database. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedColumnsOfAccounts,
  ...sealedColumnsOfWorkflows,
];
