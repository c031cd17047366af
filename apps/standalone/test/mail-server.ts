import { findFreePort } from "@rowhouse/testing";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as it came in. */
export interface ReceivedMail extends Email {
  /** The address of the envelope, which alone decides where a mail goes. */
  readonly recipients: readonly string[];
}

/** How the server treats what comes. */
export interface Manners {
  /** Told to whoever names a recipient. */
  recipient?: { readonly code: number; readonly says: string } | undefined;
  /** Told after the whole mail. */
  content?: ((text: string) => { readonly code: number; readonly says: string }) | undefined;
  /** Before a connection is greeted. */
  greeting?: Promise<void> | undefined;
}

/** A real mail server of a test's own. */
export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  readonly manners: Manners;
  /** Connections that were opened so far. */
  connections(): number;
  /** Accepts connections from now on, at the address that it always had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A server that is not started yet: whoever calls it finds nobody. */
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
