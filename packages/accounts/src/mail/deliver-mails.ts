import { appendAuditEntry, type Database } from "@rowhouse/db";
import { type MailFailure, readMailFailure } from "./mail-failure.ts";
import { type ClaimedMail, claimMail, postponeMail, removeMail } from "./outbox.ts";

/** Sends what is in the outbox. */
export interface Delivery {
  /** Says that there is something to send. */
  wake(): void;
  /** Resolves once nothing that is due is left to send, and nothing is being sent. */
  idle(): Promise<void>;
  /** Ends; what is being sent has a few seconds, and what is not sent stays for another process. */
  close(): Promise<void>;
}

/** What is said of mails, to the log. */
export interface MailLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DeliveryOptions {
  readonly database: Database;
  /** Hands one mail over to a mail server, or throws. */
  readonly send: (mail: ClaimedMail) => Promise<void>;
  readonly log: MailLog;
}

const atOnceMax = 4;
const pollMs = 15_000;
const closeMs = 5000;
const firstPauseS = 15;
const pauseMaxS = 600;

/**
 * Sends the mails of the outbox, a few at a time, as soon as it is told of them and every quarter of a minute. A mail that
 * no server takes is tried again after 15 s, 30 s and so on up to ten minutes, for as long as its link is good. One that
 * a server refuses for good, and one whose link has ended, goes, and the audit log has it.
 */
export function startDelivery({ database, send, log }: DeliveryOptions): Delivery {
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
      log.error(details, "A mail of an account was not sent before its link ended");
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
      log.error({ ...details, failure }, "A mail of an account was refused");
    } else {
      const pauseS = Math.min(firstPauseS * 2 ** (mail.attempt - 1), pauseMaxS);
      await postponeMail(database, mail, pauseS);
      log.warn({ ...details, failure, pauseS }, "A mail of an account is tried again later");
    }
  };
  const runners = new Set<Promise<void>>();
  let asked = 0;
  // One mail at a time, so that a server that is slow with one keeps no other.
  const deliverAll = async (): Promise<void> => {
    while (!isClosed) {
      const answered = asked;
      const mail = await claimMail(database);
      if (mail !== undefined) {
        addRunner();
        await deliver(mail);
      } else if (answered === asked) return;
    }
  };
  const addRunner = (): void => {
    if (isClosed || runners.size >= atOnceMax) return;
    const runner: Promise<void> = deliverAll()
      .catch((error: unknown) => log.error({ err: error }, "The outbox of mails cannot be read"))
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
  // What an earlier process has left.
  wake();
  return {
    wake,
    idle,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      let cut: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        cut = setTimeout(resolve, closeMs);
      });
      await Promise.race([idle(), patience]);
      clearTimeout(cut);
    },
  };
}
