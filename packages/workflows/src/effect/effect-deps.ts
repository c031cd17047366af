import type { RowEngine, RunActor } from "@rowhouse/access";
import type { Database, Queryable } from "@rowhouse/db";
import type { Documents } from "@rowhouse/templates";
import type { Priority } from "../definition/definition.ts";
import type { HostRules } from "../outgoing/address-guard.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import type { RunFile, RunFiles } from "./run-files.ts";

export interface EffectDeps {
  readonly database: Database;
  readonly rows: RowEngine;
  /** The hosts that steps may reach. */
  readonly hostRules: () => HostRules | Promise<HostRules>;
  readonly mails: RunMails;
  readonly files: RunFiles;
  readonly documents: Documents;
  readonly secrets: SecretReader;
  /** Wakes a worker for a run that was just accepted. */
  readonly wakeRun: (runId: string, priority: Priority) => void;
}

export interface RunMails {
  /** Adds a mail to the outbox, in the given transaction. */
  put(transaction: Queryable, mail: RunMail): Promise<void>;
  /** Signals new mails in the outbox. Call it after the commit. */
  wake(): void;
}

export interface RunMail {
  readonly runId: string;
  /** Identifies the mail among those of the run. */
  readonly about: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** Files that the mail attaches, as they are now. */
  readonly attachments: readonly RunFile[];
  /** The identity whose right to read the attachments is checked again at the delivery. */
  readonly as: RunActor;
}
