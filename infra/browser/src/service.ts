import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  findFreePort,
  signIn,
  startTestEnvironment,
  type TestDatabase,
  type TestEnvironment,
} from "@rowhouse/testing";
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

/** Starts the service in one process, with the address that its mails name. */
export async function startBrowserService(): Promise<BrowserService> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-browser-"));
  const mailServer = await startMailServer();
  const environment = await startTestEnvironment({
    kind: "one",
    environment: {
      PORT: String(port),
      PUBLIC_URL: url,
      ...mailVariables(mailServer),
      ROWHOUSE_DATA_DIR: folder,
    },
  });
  const service = await prepareService(environment, mailServer, [url]);
  return {
    ...service,
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function startMailServer(): Promise<MailServer> {
  const mailServer = await prepareMailServer();
  await mailServer.start();
  return mailServer;
}

/** The variables of the processes that send mails. */
export function mailVariables({ url }: MailServer) {
  return { SMTP_URL: url, MAIL_FROM: "Rowhouse <rows@example.com>" };
}

/**
 * Starts the provider, and signs the first administrator in.
 *
 * @param urls addresses at which a browser reaches the service, first the usual one
 */
export async function prepareService(
  environment: TestEnvironment,
  mailServer: MailServer,
  urls: readonly [string, ...string[]],
): Promise<BrowserService> {
  const [url] = urls;
  const provider = await startRealProvider(
    urls.map((one) => `${one}/api/auth/oauth/real/callback`),
  );
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
      return /https?:\S+#token=[\w&=]+/.exec(mail.text ?? "")?.[0] ?? "";
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`No mail with a link to ${email}`);
}
