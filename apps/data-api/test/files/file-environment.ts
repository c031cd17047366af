import { createHash } from "node:crypto";
import {
  createRole,
  createUser,
  expose,
  startTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
  type TestUser,
} from "@rowhouse/testing";

/** A service with files, an administrator, and members of roles with grants on files. */
export interface FileEnvironment {
  readonly environment: TestEnvironment;
  readonly admin: TestUser;
  /** Has the grants that a test gives to the role Members. */
  readonly member: TestUser;
  /** Has API access and no grant. */
  readonly stranger: TestUser;
  ask(path: string, options?: AskOptions): Promise<FileAnswer>;
  /** Uploads bytes in one request; returns the row. */
  upload(bytes: Uint8Array | string, query: string, as?: string): Promise<FileRow>;
  /** Replaces all grants on files by those of Members. */
  grantFiles(...grants: readonly FileGrant[]): Promise<void>;
  /** Adds a grant of Others, another role of the member. */
  grantFilesTo(role: "Others", grant: FileGrant): Promise<void>;
  sql<Row extends object = Record<string, string | null>>(text: string): Promise<Row[]>;
  set(key: string, value: unknown): Promise<void>;
  stop(): Promise<void>;
}

export interface FileGrant {
  readonly action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  readonly fields?: readonly string[];
  readonly rowFilter?: unknown;
  readonly check?: unknown;
  readonly presets?: unknown;
}

export interface AskOptions {
  readonly method?: string;
  readonly as?: string | undefined;
  readonly body?: RequestInit["body"];
  /** A body of JSON. */
  readonly data?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

export interface FileRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly content: string | null;
  readonly media_type: string;
  readonly bytes: string;
  readonly sha256: string;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export async function openFileEnvironment(
  options: TestEnvironmentOptions = {},
): Promise<FileEnvironment> {
  const environment = await startTestEnvironment(options);
  const { database } = environment.test;
  await createRole(database, "Members");
  await createRole(database, "Others");
  await createRole(database, "Strangers");
  const admin = await createUser(database, "files-admin@example.com", "Administrators");
  const member = await createUser(database, "files-member@example.com", "Members", "Others");
  const stranger = await createUser(database, "files-stranger@example.com", "Strangers");
  await expose(database, "system", "files", "GET", "POST", "PATCH", "DELETE");
  await expose(database, "system", "folders", "GET", "POST", "PATCH", "DELETE");

  const ask: FileEnvironment["ask"] = async (path, options = {}) => {
    const { method = "GET", as, body, data, headers } = options;
    const sent = data === undefined ? body : JSON.stringify({ data });
    const answer = await fetch(`${environment.url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
        ...(data === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent, duplex: "half" }),
    } as RequestInit);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get("content-type") === "application/json";
    const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
    return { status: answer.status, headers: answer.headers, bytes, json };
  };

  const addGrant = async (role: string, grant: FileGrant) => {
    const [ids] = await database.query<{ roleId: string; resourceId: string }>(
      `select (select id from system.roles where name = $1::text) as "roleId", id as "resourceId"
       from system.resources where schema_name = 'system' and relation_name = 'files'`,
      [role],
    );
    const data = { ...ids, ...grant };
    const made = await ask("/admin/api/grants", { method: "POST", as: admin.secret, data });
    if (made.status !== 201) throw new Error(made.bytes.toString());
  };

  return {
    ...{ environment, admin, member, stranger, ask },
    upload: async (bytes, query, as = admin.secret) => {
      const headers = { "Content-Type": "application/octet-stream" };
      const answer = await ask(`/api/files?${query}`, { method: "POST", as, body: bytes, headers });
      if (answer.status !== 201) throw new Error(answer.bytes.toString());
      return answer.json.data;
    },
    grantFiles: async (...grants) => {
      await database.query(
        `delete from system.grants g using system.resources r
         where r.id = g.resource_id and r.schema_name = 'system' and r.relation_name = 'files'`,
      );
      for (const grant of grants) await addGrant("Members", grant);
    },
    grantFilesTo: (role, grant) => addGrant(role, grant),
    sql: (text) => database.query(text),
    set: async (key, value) => {
      await database.query(
        `insert into system.settings (key, value) values ($1::text, $2::text::jsonb)
         on conflict (key) do update set value = excluded.value`,
        [key, JSON.stringify(value)],
      );
    },
    stop: () => environment.stop(),
  };
}
