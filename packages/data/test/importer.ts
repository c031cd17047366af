import { parseSecret } from "@rowhouse/access";
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { titleFor } from "@rowhouse/permissions";
import type { TestUser } from "@rowhouse/testing";
import { type ImportFormat, openDataPlane, parseImportRequest } from "../src/index.ts";

export interface ImportOptions {
  readonly query?: string;
  readonly key?: string;
}

export interface Imported {
  readonly status: number;
  readonly body: unknown;
}

/** Calls the import engine as the route does, without HTTP. */
export function createImporter(database: Database) {
  const snapshots = createSnapshotStore(database);
  const { imports: engine } = openDataPlane({ database, snapshots, titleFor });

  const run = async (
    user: TestUser,
    name: string,
    format: ImportFormat,
    file: string | Uint8Array | ReadableStream<Uint8Array>,
    { query = "", key }: ImportOptions = {},
  ): Promise<Imported> => {
    const credential = parseSecret(user.secret);
    if (credential === undefined) throw new Error("not a secret");
    const [schema = "", relation = ""] = name.split("/");
    try {
      const request = parseImportRequest({
        target: { schema, name: relation, kind: "TABLE" },
        ...{ format, query, minimal: false, timeZone: null, key: key ?? null },
      });
      const body = file instanceof ReadableStream ? file : new Response(file as string).body;
      const answer = await engine.run(request, { kind: "CREDENTIAL", credential }, body);
      return { status: answer.status, body: JSON.parse(answer.body ?? "null") };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "INTERNAL_ERROR") throw error.cause;
      return { status: error.status, body: { errors: error.faults, meta: error.meta } };
    }
  };
  return {
    snapshots,
    engine,
    csv: (user: TestUser, name: string, file: string | Uint8Array, options?: ImportOptions) =>
      run(user, name, "CSV", file, options),
    ndjson: (user: TestUser, name: string, file: string | Uint8Array, options?: ImportOptions) =>
      run(user, name, "NDJSON", file, options),
    stream: (
      user: TestUser,
      name: string,
      file: ReadableStream<Uint8Array>,
      options?: ImportOptions,
    ) => run(user, name, "CSV", file, options),
  };
}
