import { type AppName, findFreePort } from "@rowhouse/testing";
import { type Member, startMember } from "./member.ts";

/** One of each process of one build: its gateway leads to its own services alone. */
export interface Side {
  readonly name: string;
  readonly dataApi: Member;
  readonly adminApi: Member;
  readonly worker: Member;
  readonly gateway: Member;
}

/** What all processes of both builds share. */
export interface Shared {
  readonly environment: Readonly<Record<string, string>>;
  readonly administrator: { readonly email: string; readonly password: string };
  /** Has each process ended, when all is over. */
  readonly atEnd: (member: Member) => void;
}

/** Starts one of each. A process that is restarted comes back at the same address. */
export async function openSide(name: string, shared: Shared, build?: string): Promise<Side> {
  const begin = async (app: AppName, environment: Readonly<Record<string, string>>) => {
    const PORT = String(await findFreePort());
    const member = await startMember(`${name} ${app}`, app, { ...environment, PORT }, build);
    shared.atEnd(member);
    return member;
  };
  const { environment, administrator } = shared;
  const adminApi = await begin("admin-api", {
    ...environment,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
  });
  const dataApi = await begin("data-api", environment);
  const worker = await begin("workflow-worker", environment);
  const gateway = await openGateway(name, shared, { dataApi, adminApi }, build);
  return { name, adminApi, dataApi, worker, gateway };
}

/** A gateway of one build in front of services of any. */
export async function openGateway(
  name: string,
  shared: Shared,
  services: Pick<Side, "dataApi" | "adminApi">,
  build?: string,
): Promise<Member> {
  const environment = {
    ROWHOUSE_SECRET: shared.environment.ROWHOUSE_SECRET ?? "",
    DATA_API_URL: services.dataApi.url(),
    ADMIN_API_URL: services.adminApi.url(),
    PORT: String(await findFreePort()),
  };
  const member = await startMember(`${name} gateway`, "gateway", environment, build);
  shared.atEnd(member);
  return member;
}
