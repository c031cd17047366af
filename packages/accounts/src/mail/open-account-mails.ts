import { join } from "node:path";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import type { Vault } from "@rowhouse/vault";
import { type AccountMails, createAccountMails } from "./account-mails.ts";
import type { MailLog } from "./deliver-mails.ts";
import { createMailer } from "./mailer.ts";

/** Environment variables of an app that sends account mails. */
export interface MailConfig {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM: string;
  /** Fallback for `system.public_url`. */
  readonly PUBLIC_URL?: string | undefined;
  readonly ROWHOUSE_DATA_DIR: string;
}

export interface AccountMailsParts {
  readonly database: Database;
  readonly snapshots: Pick<SnapshotStore, "fresh">;
  readonly vault: Vault;
}

/** Opens the account mails of an app: by SMTP, or as files in the `mails` folder of the data directory. */
export function openAccountMails(
  { database, snapshots, vault }: AccountMailsParts,
  config: MailConfig,
  log: MailLog,
): AccountMails {
  return createAccountMails({
    database,
    vault,
    mailer: createMailer({
      smtpUrl: config.SMTP_URL,
      folder: join(config.ROWHOUSE_DATA_DIR, "mails"),
      from: config.MAIL_FROM,
      onFile: (path) => log.warn({ path }, "SMTP_URL is not set; a mail was written to a file"),
    }),
    publicUrl: async () =>
      settingsOf(await snapshots.fresh())["system.public_url"] ?? config.PUBLIC_URL ?? null,
    returnAddresses: async () => settingsOf(await snapshots.fresh())["auth.return_addresses"],
    log,
  });
}
