import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, signIn, startTestEnvironment, type TestDatabase } from "@rowhouse/testing";
import {
  type MailServer,
  prepareMailServer,
  type ReceivedMail,
} from "../../../apps/standalone/test/mail-server.ts";
import {
  clientId,
  clientSecret,
  type RealProvider,
  startRealProvider,
} from "../../../apps/standalone/test/real-provider.ts";

/** The service in one process, with a mail server and an OpenID provider. */
export interface BrowserService {
  /** The address that a browser opens, also the base of the links in mails. */
  readonly url: string;
  readonly test: TestDatabase;
  readonly provider: RealProvider;
  /** The link that the start has printed. */
  readonly firstLink: string;
  /** Sends a request as the first administrator. */
  administer(method: string, path: string, data?: unknown): Promise<unknown>;
  /** Waits for the next mail to an address, and returns the link in it. */
  linkTo(email: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service with the address that its mails name. */
export async function startBrowserService(): Promise<BrowserService> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const mailServer = await prepareMailServer();
  await mailServer.start();
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-browser-"));
  const environment = await startTestEnvironment({
    kind: "one",
    environment: {
      PORT: String(port),
      PUBLIC_URL: url,
      SMTP_URL: mailServer.url,
      MAIL_FROM: "Rowhouse <rows@example.com>",
      ROWHOUSE_DATA_DIR: folder,
    },
  });
  const provider = await startRealProvider([`${url}/api/auth/oauth/real/callback`]);
  const token = await signInByPassword(url);
  const administer = async (method: string, path: string, data?: unknown) => {
    const answer = await fetch(`${url}/admin/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as { data: unknown }).data;
  };
  const read = new Set<ReceivedMail>();
  await allowProvider(environment.test, provider);
  return {
    url,
    test: environment.test,
    provider,
    firstLink: /http\S+#code=\w+/.exec(environment.output())?.[0] ?? "",
    administer,
    linkTo: (email) => nextLink(mailServer, email, read),
    stop: async () => {
      await provider.stop();
      await environment.stop();
      await mailServer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function signInByPassword(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(signIn),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return data.token;
}

/** The provider is on this machine. */
async function allowProvider(test: TestDatabase, provider: RealProvider): Promise<void> {
  await test.database.query(
    "insert into system.settings (key, value) values ('auth.provider_hosts', $1::text::jsonb), ('auth.attempts_per_minute', '100000'), ('auth.mails_per_minute', '100000')",
    [JSON.stringify([new URL(provider.issuer).host])],
  );
}

/** The provider of `startRealProvider`, as an administrator adds it. */
export function providerRecord(provider: RealProvider, roleId: string) {
  const { issuer } = provider;
  return { key: "real", kind: "oidc", name: "Example ID", issuer, clientId, clientSecret, roleId };
}

async function nextLink(
  server: MailServer,
  email: string,
  read: Set<ReceivedMail>,
): Promise<string> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const mail = server.received.find(
      (one) => !read.has(one) && one.recipients.includes(email) && /https?:/.test(one.text ?? ""),
    );
    if (mail !== undefined) {
      read.add(mail);
      return /https?:\S+#token=\w+/.exec(mail.text ?? "")?.[0] ?? "";
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail with a link to ${email}`);
}
