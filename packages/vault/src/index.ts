export type { SealedColumn } from "./sealed-column.ts";
export {
  resealValues,
  type SealedDeps,
  type SealedSummary,
  type SealedValue,
  surveySealedValues,
} from "./sealed-values.ts";
export { createVault, type Vault, type VaultSecrets } from "./vault.ts";
