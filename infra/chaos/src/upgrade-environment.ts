import { type Database, openDatabase } from "@rowhouse/db";
import { type AppName, findFreePort } from "@rowhouse/testing";
import { type Member, startMember } from "./member.ts";
import {
  type CrashingRedis,
  type CrashingServer,
  startCrashingRedis,
  startPostgres,
} from "./servers.ts";

/** The base of the processes: the suite's own servers and an empty database. */
export interface UpgradeEnvironment {
  readonly postgres: CrashingServer;
  /** Present if the suite uses Redis. */
  readonly redis: CrashingRedis | undefined;
  /** The observer's own pool. */
  readonly database: Database;
  /** Returns the database's address, with a given login of the server if named. */
  urlOf(login?: string): string;
  /** Registers a cleanup that runs before the earlier ones. */
  beforeClose(end: () => Promise<unknown>): void;
  /**
   * Starts one process of an app for each name, of another build if its root is given; a restarted process keeps its
   * address.
   */
  start(
    app: AppName,
    names: readonly string[],
    environmentOf: (name: string) => Readonly<Record<string, string>>,
    build?: string,
  ): Promise<Member[]>;
  close(): Promise<void>;
}

/** The observer's login in the database. */
export const observer = "observer";

/** The password of the logins in `urlOf`. */
export const loginPassword = "chaos";

const statementTimeoutMs = 120_000;

export async function openUpgradeEnvironment(options: {
  readonly hasRedis: boolean;
}): Promise<UpgradeEnvironment> {
  const ends: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const postgres = await startPostgres();
    ends.push(() => postgres.stop());
    const redis = options.hasRedis ? await startCrashingRedis() : undefined;
    if (redis !== undefined) ends.push(() => redis.stop());
    const maintenance = openDatabase({ url: postgres.url, applicationName: observer });
    await maintenance.query("create database installation");
    await maintenance.close();
    const urlOf = (login?: string): string => {
      const url = new URL(postgres.url);
      url.pathname = "/installation";
      if (login !== undefined) [url.username, url.password] = [login, loginPassword];
      return url.href;
    };
    const database = openDatabase({ url: urlOf(), applicationName: observer, statementTimeoutMs });
    ends.push(() => database.close());
    const start: UpgradeEnvironment["start"] = async (app, names, environmentOf, build) => {
      const ports: string[] = [];
      for (const _ of names) ports.push(String(await findFreePort()));
      return Promise.all(
        names.map(async (name, at) => {
          const PORT = ports[at] ?? "";
          const member = await startMember(name, app, { ...environmentOf(name), PORT }, build);
          ends.push(() => member.end());
          return member;
        }),
      );
    };
    const beforeClose = (end: () => Promise<unknown>) => void ends.push(end);
    return { postgres, redis, database, urlOf, beforeClose, start, close };
  } catch (error) {
    await close();
    throw error;
  }
}
