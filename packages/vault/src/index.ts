export type { SealedColumn } from "./sealed-column.ts";
export { createVault, type Vault, type VaultSecrets } from "./vault.ts";
