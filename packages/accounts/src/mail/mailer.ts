import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Sends mails. */
export interface Mailer {
  /** Resolves once the mail was handed over. */
  send(mail: Mail): Promise<void>;
}

export interface MailerOptions {
  /** Where mails go; without it they become files. */
  readonly smtpUrl: string | undefined;
  /** The folder for the files. */
  readonly folder: string;
  /** The sender's address. */
  readonly from: string;
  /** Hears of a mail that became a file. */
  readonly onFile: (path: string) => void;
}

/** A server that says nothing for this long is not there. */
const timeoutMs = 20_000;
/** And one that has not taken a mail within this, however much it says. */
const sendMs = 90_000;

/** A mailer by SMTP, or one that writes an `.eml` file for each mail, for its owner's eyes only. */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, folder, from } = options;
  const fields = (mail: Mail) => ({
    from,
    // An address as an object is never parsed, so a comma or a line end in it cannot add another recipient.
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    // Templates are data: what they hold is text, never a path or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (smtpUrl !== undefined) {
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    return {
      send: async (mail) => {
        await transport.sendMail({ ...fields(mail), signal: AbortSignal.timeout(sendMs) });
      },
    };
  }
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(fields(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const moment = new Date().toISOString().replaceAll(":", "-");
      const path = join(folder, `${moment}-${randomBytes(4).toString("hex")}.eml`);
      // A mail that is written in part, on a full disk for instance, is written again under another name.
      const partial = `${path}.partial`;
      try {
        await writeFile(partial, message as Buffer, { mode: 0o600 });
        await rename(partial, path);
      } finally {
        await rm(partial, { force: true });
      }
      options.onFile(path);
    },
  };
}
