import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endWithin } from "@rowhouse/limits";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments?: readonly MailAttachment[];
}

export interface MailAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

export interface Mailer {
  /** Resolves once the mail was handed to the server or written to a file. */
  send(mail: Mail): Promise<void>;
  /** Sends a mail whose sender waits, and returns the mail server's response; null if mails are written to files. */
  readonly sendNow: ((mail: Mail) => Promise<string>) | null;
}

export interface MailerOptions {
  /** The mail server; if undefined, mails are written to files. */
  readonly smtpUrl: string | undefined;
  /** The folder of the files. */
  readonly folder: string;
  /** The sender's address. */
  readonly from: string;
  /** Called with the path of each mail that was written to a file. */
  readonly onFile: (path: string) => void;
  /** Time for a whole delivery, in milliseconds; 90,000 by default. */
  readonly sendMs?: number;
}

/** A server that is silent for this long counts as unreachable. */
const timeoutMs = 20_000;
/** Limit of a whole delivery, even if the server keeps sending data, or none of the transport's timeouts ends it. */
const sendMsDefault = 90_000;
const sendNowMs = 30_000;

/** Creates a mailer: by SMTP, or one that writes each mail to an `.eml` file that only its owner can read. */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, folder, from } = options;
  const fields = (mail: Mail) => ({
    from,
    // nodemailer does not parse an address that is an object, so a comma or a line break in it cannot add a recipient.
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: (mail.attachments ?? []).map(({ name, mediaType, content }) => ({
      filename: name,
      contentType: mediaType,
      content: Buffer.from(content),
    })),
    // Templates are data: their content is text, never a path or a URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (smtpUrl !== undefined) {
    const open = async () =>
      (await import("nodemailer")).createTransport({
        url: smtpUrl,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      });
    let opening: ReturnType<typeof open> | undefined;
    const sendWithin = async (mail: Mail, ms: number): Promise<string> => {
      opening ??= open();
      const transport = await opening;
      const late = () => new Error(`The mail server did not accept the mail within ${ms} ms`);
      const { response } = await endWithin({ timeoutMs: ms, late }, (signal) =>
        transport.sendMail({ ...fields(mail), signal }),
      );
      return response;
    };
    return {
      send: async (mail) => {
        await sendWithin(mail, options.sendMs ?? sendMsDefault);
      },
      sendNow: (mail) => sendWithin(mail, sendNowMs),
    };
  }
  return {
    sendNow: null,
    send: async (mail) => {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        streamTransport: true,
        buffer: true,
        newline: "windows",
      });
      const { message } = await transport.sendMail(fields(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const moment = new Date().toISOString().replaceAll(":", "-");
      const path = join(folder, `${moment}-${randomBytes(4).toString("hex")}.eml`);
      // If writing fails, on a full disk for instance, the caller retries under another name; the partial file is
      // removed.
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
