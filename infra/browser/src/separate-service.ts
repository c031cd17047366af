import { hasNginx, startNginx, startTestEnvironment, type TestDatabase } from "@rowhouse/testing";
import { type BrowserService, mailVariables, prepareService, startMailServer } from "./service.ts";

/** The service as two gateways, two Data APIs, an Admin API and two workers, with Redis. */
export interface SeparateService extends BrowserService {
  readonly gateways: readonly [string, string];
  /** The https address of nginx in front of both gateways; null if it is not installed. */
  readonly secureUrl: string | null;
}

/** Starts the processes; mails name the first gateway. */
export async function startSeparateService(): Promise<SeparateService> {
  const mailServer = await startMailServer();
  const environment = await startTestEnvironment({
    ...{ kind: "seven", hasProxy: true },
    environment: mailVariables(mailServer),
  });
  // The address alternates.
  const gateways = [environment.url, environment.url] as const;
  const nginx = hasNginx() ? await startNginx(gateways) : null;
  const urls = [...gateways, ...(nginx === null ? [] : [nginx.url])] as const;
  await publish(environment.test, gateways[0]);
  const service = await prepareService(environment, mailServer, urls);
  return {
    ...service,
    ...{ gateways, secureUrl: nginx?.url ?? null },
    stop: async () => {
      await nginx?.stop();
      await service.stop();
    },
  };
}

/** Makes an address the base of the links in mails and of the way back from a provider. */
export async function publish(test: TestDatabase, url: string): Promise<void> {
  await test.database.query(
    `insert into system.settings (key, value) values ('system.public_url', $1::text::jsonb)
     on conflict (key) do update set value = excluded.value`,
    [JSON.stringify(url)],
  );
}
