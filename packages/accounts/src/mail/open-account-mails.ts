import { join } from "node:path";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import type { Vault } from "@rowhouse/vault";
import { type AccountMails, createAccountMails } from "./account-mails.ts";
import type { MailLog } from "./deliver-mails.ts";
import { createMailer } from "./mailer.ts";

/** The variables of an app that sends mails of accounts. */
export interface MailConfig {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM: string;
  /** Stands for `system.public_url` while that is not set. */
  readonly PUBLIC_URL?: string | undefined;
  readonly ROWHOUSE_DATA_DIR: string;
}

export interface AccountMailsParts {
  readonly database: Database;
  readonly snapshots: Pick<SnapshotStore, "fresh">;
  readonly vault: Vault;
}

/** The mails of accounts as an app sends them: by SMTP, or as files in the `mails` folder of the data directory. */
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
      onFile: (path) => log.warn({ path }, "SMTP_URL is not set, so a mail was written to a file"),
    }),
    publicUrl: async () =>
      settingsOf(await snapshots.fresh())["system.public_url"] ?? config.PUBLIC_URL ?? null,
    log,
  });
}
