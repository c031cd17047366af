import { appendAuditEntry, type Database } from "@rowhouse/db";
import { settleWithin } from "@rowhouse/limits";
import { type MailFailure, readMailFailure } from "./mail-failure.ts";
import { type ClaimedMail, claimMail, postponeMail, removeMail } from "./outbox.ts";

export interface Delivery {
  /** Notifies the delivery of a new mail. */
  wake(): void;
  /** Resolves once no due mail is left and no mail is being sent. */
  idle(): Promise<void>;
  /** Stops. Mails in delivery have a few seconds to finish; the rest stays in the outbox for another process. */
  close(): Promise<void>;
}

export interface MailLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DeliveryOptions {
  readonly database: Database;
  /** Sends one mail to the mail server; throws on failure. */
  readonly send: (mail: ClaimedMail) => Promise<void>;
  /** Whether this process can read the files that mails attach. */
  readonly readsFiles: () => boolean;
  readonly log: MailLog;
}

const atOnceMax = 4;
const pollMs = 15_000;
const closeMs = 5000;
const firstPauseS = 15;
const pauseMaxS = 600;

/**
 * Sends the mails of the outbox, a few at a time: on `wake` and every 15 s. A failed mail is retried after 15 s, 30 s
 * and so on up to 10 minutes, for the lifetime of its link. A mail that the server permanently rejects, one whose
 * link has expired, and one whose attachment is unavailable are removed and recorded in the audit log.
 */
export function startDelivery({ database, send, readsFiles, log }: DeliveryOptions): Delivery {
  let isClosed = false;

  const drop = (mail: ClaimedMail): Promise<void> =>
    database.transaction(async (transaction) => {
      await removeMail(transaction, mail.id);
      await appendAuditEntry(
        transaction,
        { userId: null, tokenId: null, address: null, requestId: null },
        {
          action: "mail.send",
          targetKind: mail.target.kind,
          targetId: mail.target.id,
          outcome: "FAILED",
        },
      );
    });
  const deliver = async (mail: ClaimedMail): Promise<void> => {
    const details = { about: mail.about, attempt: mail.attempt };
    if (mail.isTooLate) {
      await drop(mail);
      log.error(details, "An account mail was dropped because its link expired before delivery");
      return;
    }
    const failure: MailFailure | undefined = await send(mail).then(
      () => undefined,
      readMailFailure,
    );
    if (failure === undefined) {
      await removeMail(database, mail.id);
    } else if (failure.isFinal) {
      await drop(mail);
      log.error({ ...details, failure }, "An account mail was permanently rejected");
    } else {
      const pauseS = Math.min(firstPauseS * 2 ** (mail.attempt - 1), pauseMaxS);
      await postponeMail(database, mail, pauseS);
      log.warn(
        { ...details, failure, pauseS },
        "An account mail was not accepted; delivery will be retried",
      );
    }
  };
  const runners = new Set<Promise<void>>();
  let asked = 0;
  // Each runner claims one mail at a time, so a mail that the server accepts slowly delays no other.
  const deliverAll = async (): Promise<void> => {
    while (!isClosed) {
      const answered = asked;
      const mail = await claimMail(database, readsFiles());
      if (mail !== undefined) {
        addRunner();
        await deliver(mail);
      } else if (answered === asked) return;
    }
  };
  const addRunner = (): void => {
    if (isClosed || runners.size >= atOnceMax) return;
    const runner: Promise<void> = deliverAll()
      .catch((error: unknown) => log.error({ err: error }, "The mail outbox cannot be read"))
      .finally(() => runners.delete(runner));
    runners.add(runner);
  };
  const wake = (): void => {
    asked += 1;
    addRunner();
  };
  const idle = async (): Promise<void> => {
    while (runners.size > 0) await Promise.all(runners);
  };
  const timer = setInterval(wake, pollMs).unref();
  // Sends mails that an earlier process left.
  wake();
  return {
    wake,
    idle,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await settleWithin(closeMs, idle());
    },
  };
}
