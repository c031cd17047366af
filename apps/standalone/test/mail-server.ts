import { findFreePort } from "@rowhouse/testing";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A received mail. */
export interface ReceivedMail extends Email {
  /** The recipient in the envelope, which alone decides about the delivery. */
  readonly recipients: readonly string[];
}

/** The server's reactions. */
export interface Manners {
  /** The response to a recipient. */
  recipient?: { readonly code: number; readonly says: string } | undefined;
  /** The response to a complete mail. */
  content?: ((text: string) => { readonly code: number; readonly says: string }) | undefined;
  /** The delay before the greeting of a connection. */
  greeting?: Promise<void> | undefined;
}

/** A real mail server for one test. */
export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  readonly manners: Manners;
  /** Number of connections so far. */
  connections(): number;
  /** Starts to accept connections, always at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates a server that is not started yet: connections to it are refused. */
export async function prepareMailServer(): Promise<MailServer> {
  const port = await findFreePort();
  const received: ReceivedMail[] = [];
  const manners: Manners = {};
  let server: SMTPServer | undefined;
  let connections = 0;
  const refusal = ({ code, says }: { readonly code: number; readonly says: string }) =>
    Object.assign(new Error(says), { responseCode: code });
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onConnect: (_session, done) => {
      connections += 1;
      void (manners.greeting ?? Promise.resolve()).then(() => done());
    },
    onRcptTo: (_address, _session, done) => {
      done(manners.recipient === undefined ? undefined : refusal(manners.recipient));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks);
        void PostalMime.parse(raw).then((mail) => {
          if (manners.content !== undefined) {
            done(refusal(manners.content(mail.text ?? "")));
            return;
          }
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          received.push({ ...mail, recipients });
          done();
        });
      });
    },
  };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    manners,
    connections: () => connections,
    start: async () => {
      const started = new SMTPServer(options);
      server = started;
      await new Promise<void>((resolve) => started.listen(port, "127.0.0.1", () => resolve()));
    },
    stop: async () => {
      const stopping = server;
      server = undefined;
      await new Promise<void>((resolve) =>
        stopping === undefined ? resolve() : stopping.close(() => resolve()),
      );
    },
  };
}
