import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createToken,
  createUser,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";

/** A service with a token of an administrator, and a folder for the files of the configuration. */
export interface AdministeredService {
  readonly environment: TestEnvironment;
  readonly token: string;
  readonly folder: string;
  /** Stops the service and removes the folder. */
  stop(): Promise<void>;
}

export async function startAdministeredService(): Promise<AdministeredService> {
  const environment = await startTestEnvironment();
  const { database } = environment.test;
  const administrator = await createUser(database, "ada@example.com", "Administrators");
  const { secret } = await createToken(database, administrator.id, "admin");
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-configuration-"));
  return {
    ...{ environment, token: secret, folder },
    stop: async () => {
      await environment.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
