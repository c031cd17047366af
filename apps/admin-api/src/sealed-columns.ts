import { sealedColumnsOfAccounts } from "@rowhouse/accounts";
import type { SealedColumn } from "@rowhouse/vault";
import { sealedColumnsOfWorkflows } from "@rowhouse/workflows";

/** Everything that is sealed in the database. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedColumnsOfAccounts,
  ...sealedColumnsOfWorkflows,
];
