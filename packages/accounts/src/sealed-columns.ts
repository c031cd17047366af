import type { SealedColumn } from "@rowhouse/vault";
import { mailContextOf as contextOfMail } from "./mail/account-mails.ts";
import { providerContextOf as contextOfProvider } from "./providers/provider.ts";

/** The columns of this package that are encrypted in the database. */
export const sealedColumnsOfAccounts: readonly SealedColumn[] = [
  {
    table: "system.auth_providers",
    column: "client_secret_sealed",
    key: "key",
    id: "id::text",
    contextOf: contextOfProvider,
  },
  {
    table: "system.provider_flows",
    column: "sealed",
    key: "'\\x' || encode(state_digest, 'hex')",
    // The browser's secret identifies a flow, so the audit shows its provider instead.
    id: "provider_id::text",
    contextOf: (stateDigest) => stateDigest,
  },
  {
    table: "system.mails",
    column: "sealed",
    key: "about",
    id: "id::text",
    contextOf: contextOfMail,
  },
];
