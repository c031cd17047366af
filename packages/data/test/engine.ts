import assert from "node:assert/strict";
import { type BoundGrant, bindGrant, type GrantInput, parseSecret } from "@rowhouse/access";
import { createSnapshotStore, type Database, type SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import type { TestUser } from "@rowhouse/testing";
import {
  openDataPlane,
  type RequestLimits,
  type RequestOptions,
  type Target,
} from "../src/index.ts";
import { parseListRequest, parseReadRequest } from "../src/parse/parse-read.ts";
import { parseHistoryRequest } from "../src/parse/parse-request.ts";
import {
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
} from "../src/parse/parse-write.ts";

export const limits: RequestLimits = {
  limitDefault: 50,
  limitMax: 1000,
  filterNodesMax: 200,
  filterDepthMax: 8,
  listMax: 1000,
  rowsMax: 1000,
  affectedMax: 10_000,
};

export const noOptions: RequestOptions = {
  minimal: false,
  representation: false,
  ifMatch: null,
  etags: false,
};

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error that the response renders. */
  readonly error?: AppError;
}

export interface ClientOptions {
  /** How often each read is sent in one turn of the event loop; all of its answers must be equal. */
  readonly copies?: number;
}

/** Calls the engine as the HTTP routes do, with a query string and without HTTP. */
export function createClient(database: Database, { copies = 1 }: ClientOptions = {}) {
  const snapshots = createSnapshotStore(database.service);
  const { engine } = openDataPlane({ database, snapshots });
  const caller = (user: TestUser) => {
    const credential = parseSecret(user.secret);
    if (credential === undefined) throw new Error("not a secret");
    return { kind: "CREDENTIAL", credential } as const;
  };
  const target = (name: string): Target => {
    const [schema = "", relation = "", kind] = name.split("/");
    return { schema, name: relation, kind: kind === "view" ? "VIEW" : "TABLE" };
  };
  const answer = async (
    user: TestUser,
    request: () => Parameters<typeof engine.answer>[0],
  ): Promise<Answer> => {
    try {
      const { status, body, headers } = await engine.answer(request(), caller(user));
      const shown = { status, body: body === null ? null : JSON.parse(body) };
      // Omitted from comparisons of whole responses, but accessible.
      return Object.defineProperty(shown, "headers", { value: headers, enumerable: false });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "INTERNAL_ERROR") throw error.cause;
      const shown = { status: error.status, body: { errors: error.faults } };
      return Object.defineProperty(shown, "error", { value: error, enumerable: false });
    }
  };
  const answerTogether: typeof answer = async (user, request) => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: copies }, () => answer(user, request)),
    );
    if (first === undefined) throw new RangeError("No copies");
    for (const other of others) {
      assert.deepEqual([other, other.headers], [first, first.headers]);
    }
    return first;
  };
  return {
    snapshots,
    /** Returns the body of a list as text, byte for byte. */
    raw: async (user: TestUser, name: string, query: string) =>
      (await engine.answer(parseListRequest(target(name), query, limits), caller(user))).body,
    tagged: (user: TestUser, name: string, query = "") =>
      answer(user, () => parseListRequest(target(name), query, limits, { etags: true })),
    list: (user: TestUser, name: string, query = "", timeZone?: string) =>
      answerTogether(user, () => ({
        ...parseListRequest(target(name), query, limits),
        ...(timeZone === undefined ? {} : { timeZone }),
      })),
    read: (user: TestUser, name: string, id: string, query = "") =>
      answerTogether(user, () => parseReadRequest(target(name), id, query, limits)),
    history: (user: TestUser, name: string, id: string, query = "") =>
      answer(user, () => parseHistoryRequest(target(name), id, query, limits)),
    create: (
      user: TestUser,
      name: string,
      data: unknown,
      query = "",
      options: Partial<RequestOptions> = {},
    ) =>
      answer(user, () =>
        parseCreateRequest(target(name), query, data, limits, { ...noOptions, ...options }),
      ),
    update: (
      user: TestUser,
      name: string,
      id: string,
      data: unknown,
      options: Partial<RequestOptions> = {},
    ) =>
      answer(user, () =>
        parseUpdateRequest(target(name), id, "", data, { ...noOptions, ...options }),
      ),
    updateMany: (user: TestUser, name: string, query: string, data: unknown) =>
      answer(user, () => parseUpdateManyRequest(target(name), query, data, limits)),
    remove: (user: TestUser, name: string, id: string, options: Partial<RequestOptions> = {}) =>
      answer(user, () => parseDeleteRequest(target(name), id, "", { ...noOptions, ...options })),
    batch: async (user: TestUser, data: unknown): Promise<Answer> => {
      const options = { bodyBytes: 0, minimal: false, timeZone: null, key: null };
      const request = { ...options, data, isAbandoned: () => false };
      try {
        const { status, body } = await engine.batch(request, caller(user));
        return { status, body };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === "INTERNAL_ERROR") throw error.cause;
        return { status: error.status, body: { errors: error.faults } };
      }
    },
    removeMany: (
      user: TestUser,
      name: string,
      query: string,
      options: Partial<RequestOptions> = {},
    ) =>
      answer(user, () =>
        parseDeleteManyRequest(target(name), query, limits, { ...noOptions, ...options }),
      ),
  };
}

/** Creates a grant as the Admin API does: bound to the catalogue. */
export async function grant(
  database: Database,
  snapshots: SnapshotStore,
  roleId: string,
  relationName: string,
  input: Partial<GrantInput> & Pick<GrantInput, "action">,
): Promise<string> {
  const { catalogue } = await snapshots.fresh();
  const [schema = "", name = ""] = relationName.split("/");
  const relation = catalogue.relationByName(schema, name);
  if (relation === undefined) throw new Error(`${relationName} is not registered`);
  const bound = await bindGrant(database, catalogue, relation, {
    fields: null,
    rowFilter: null,
    check: null,
    presets: {},
    ...input,
  });
  return storeGrant(database, roleId, relation.resource.id, bound);
}

async function storeGrant(
  database: Database,
  roleId: string,
  resourceId: string,
  bound: BoundGrant,
): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    `insert into system.grants (role_id, resource_id, action, all_fields, row_filter, row_check, presets)
     values ($1::text::uuid, $2::text::uuid, $3::text, $4::text::boolean, $5::text::jsonb, $6::text::jsonb, $7::text::jsonb)
     returning id`,
    [
      roleId,
      resourceId,
      bound.action,
      String(bound.allFields),
      bound.rowFilter === null ? null : JSON.stringify(bound.rowFilter),
      bound.rowCheck === null ? null : JSON.stringify(bound.rowCheck),
      JSON.stringify(bound.presets),
    ],
  );
  if (row === undefined) throw new Error("no grant");
  for (const column of bound.columns) {
    await database.query(
      "insert into system.grant_columns (grant_id, usage, attribute_number, mention, column_name, path_resource_id, meaning, beside) values ($1::text::uuid, $2::text, $3::text::smallint, $4::text, $5::text, $6::text::uuid, $7::text, $8::text::jsonb)",
      [
        row.id,
        column.usage,
        String(column.attributeNumber),
        column.mention,
        column.columnName,
        column.pathResourceId,
        column.meaning,
        column.beside === null ? null : JSON.stringify(column.beside),
      ],
    );
  }
  return row.id;
}
