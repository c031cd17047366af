import { connectDatabase, type DatabaseWait } from "../connect-database.ts";
import { sharesOf } from "../connection-budget.ts";
import type { Database, DatabaseHealth, LoginsOptions } from "../queryable.ts";

/**
 * Opens the pool of the service's login, or two that share its connections: one of the login that keeps the schema `system`,
 * with the service's as its `service`.
 *
 * @throws StartError as `connectDatabase` does
 */
export async function connectLogins(
  options: LoginsOptions,
  wait: DatabaseWait = {},
): Promise<Database> {
  const { systemUrl, systemDirectUrl, ...own } = options;
  if (systemUrl === undefined) return connectDatabase(own, wait);
  const [serviceMax, connectionsMax] = sharesOf(options.connectionsMax);
  const { announcedName, ...others } = own;
  const system = await connectDatabase(
    {
      ...own,
      ...{ url: systemUrl, directUrl: systemDirectUrl, connectionsMax },
      keepsSystem: true,
    },
    wait,
  );
  try {
    const service = await connectDatabase({ ...others, connectionsMax: serviceMax }, wait);
    return togetherWith(system, service);
  } catch (error) {
    await system.close();
    throw error;
  }
}

/** Returns the pool of the login that keeps the schema `system`, with the service's pool beside it. */
export function togetherWith(system: Database, service: Database): Database {
  return {
    ...system,
    asService: service,
    service,
    searchPath: service.searchPath,
    health: async () => {
      const [ofSystem, ofService] = await Promise.all([system.health(), service.health()]);
      return {
        ...worse(ofSystem, ofService),
        ...(isUsable(ofSystem) ? {} : { systemLogin: false }),
        ...(isUsable(ofService) ? {} : { serviceLogin: false }),
      };
    },
    setStatementTimeout: (timeoutMs) => {
      system.setStatementTimeout(timeoutMs);
      service.setStatementTimeout(timeoutMs);
    },
    close: async () => {
      await Promise.all([system.close(), service.close()]);
    },
  };
}

const isUsable = (health: DatabaseHealth) => Object.values(health).every(Boolean);

/** A part is available if it is for both pools. */
function worse(one: DatabaseHealth, other: DatabaseHealth): DatabaseHealth {
  const both: { -readonly [Part in keyof DatabaseHealth]: DatabaseHealth[Part] } = {
    ...one,
    ...other,
  };
  for (const part of ["database", "pooler", "writes", "disk"] as const) {
    if (one[part] === false) both[part] = false;
  }
  return both;
}

/**
 * Returns the pool of a statement that writes rows of a schema: of the service's login, which runs code of the database's
 * users, or for the schema `system` of the login that keeps it.
 */
export function poolOf(database: Database, schema: string): Database {
  return schema === "system" ? database : database.service;
}
