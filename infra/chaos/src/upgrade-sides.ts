import type { AppName } from "@rowhouse/testing";
import type { Member } from "./member.ts";
import { account } from "./soak-environment.ts";
import type { UpgradeEnvironment } from "./upgrade-environment.ts";

/** One process of each app of one build: its gateway forwards only to its own services. */
export interface Side {
  readonly name: string;
  readonly dataApi: Member;
  readonly adminApi: Member;
  readonly worker: Member;
  readonly gateway: Member;
}

const secret = { ROWHOUSE_SECRET: "a secret of the suite's own, long enough" };

/** Starts one process of each app, of this build or of the one whose root is given. */
export async function openSide(
  name: string,
  testEnvironment: UpgradeEnvironment,
  build?: string,
): Promise<Side> {
  const { redis } = testEnvironment;
  const environment = {
    ...secret,
    DATABASE_URL: testEnvironment.urlOf(),
    ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
  };
  const begin = (app: AppName, more: Readonly<Record<string, string>> = {}) =>
    startOne(testEnvironment, `${name} ${app}`, app, { ...environment, ...more }, build);
  const adminApi = await begin("admin-api", {
    ROWHOUSE_ADMIN_EMAIL: account.email,
    ROWHOUSE_ADMIN_PASSWORD: account.password,
  });
  const dataApi = await begin("data-api");
  const worker = await begin("workflow-worker");
  const gateway = await openGateway(name, testEnvironment, { dataApi, adminApi }, build);
  return { name, adminApi, dataApi, worker, gateway };
}

/** Starts a gateway of one build in front of services of any build. */
export function openGateway(
  name: string,
  testEnvironment: UpgradeEnvironment,
  services: Pick<Side, "dataApi" | "adminApi">,
  build?: string,
): Promise<Member> {
  const environment = {
    ...secret,
    DATA_API_URL: services.dataApi.url(),
    ADMIN_API_URL: services.adminApi.url(),
  };
  return startOne(testEnvironment, `${name} gateway`, "gateway", environment, build);
}

async function startOne(
  testEnvironment: UpgradeEnvironment,
  name: string,
  app: AppName,
  environment: Readonly<Record<string, string>>,
  build: string | undefined,
): Promise<Member> {
  const [member] = await testEnvironment.start(app, [name], () => environment, build);
  if (member === undefined) throw new Error("nothing was started");
  return member;
}
