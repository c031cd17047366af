import { authenticationRequired, parseAuthorization } from "@rowhouse/access";
import { type Address, type DataEngine, parseRequest, requestLimitsOf } from "@rowhouse/data";
import { type Database, isUuid, type SnapshotStore } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { Locate } from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { addressOf, upperAddressOf } from "./row-address.ts";

interface LocateDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engine: DataEngine;
}

type Look = (id: string, c: Parameters<Locate>[1]) => Promise<unknown>;

/**
 * Returns the object that a path of the Data API or of the authentication routes names, as far as the caller may see
 * it.
 */
export function createLocate({ database, snapshots, engine }: LocateDependencies): Locate {
  const exists = async (sql: string, parameters: readonly string[]): Promise<void> => {
    const rows = parameters.some((text) => text.includes("\0"))
      ? []
      : await database.query(sql, parameters);
    if (rows.length === 0) throw createError("NOT_FOUND");
  };
  const owned = (table: string, more = ""): Look => {
    const sql = `select from system.${table} where id = $1::text::uuid and user_id = $2::text::uuid${more}`;
    return async (id, c) => {
      if (!isUuid(id)) throw createError("NOT_FOUND");
      await exists(sql, [id, c.get("principal").userId]);
    };
  };
  /** If the caller may not read, another right still reveals the relation, but none of its rows. */
  const unlessDenied = async (read: Promise<unknown>): Promise<void> => {
    await read.catch((error: unknown) => {
      if (!(error instanceof AppError) || ![403, 405].includes(error.status)) throw error;
    });
  };
  const lookAtRows = async ({ target, id }: Address, c: Parameters<Locate>[1]): Promise<void> => {
    const credential = parseAuthorization(c.req.header("authorization"));
    if (credential === undefined) throw authenticationRequired();
    const caller = { kind: "CREDENTIAL", credential } as const;
    const limits = requestLimitsOf(settingsOf(await snapshots.current()));
    const list = parseRequest({ target, id: null, method: "GET", query: "" }, limits);
    await unlessDenied(engine.authorize(list, caller));
    if (id === null) return;
    const row = parseRequest({ target, id, method: "GET", query: "" }, limits);
    await unlessDenied(engine.answer(row, caller));
  };
  const lookAtTarget: Look = (_, c) => lookAtRows(addressOf(c.req.raw), c);
  const lookAbove: Look = (_, c) => lookAtRows(upperAddressOf(c.req.raw), c);
  const looks: Readonly<Record<string, Look>> = {
    "/api/:schema/table/:table": lookAtTarget,
    "/api/:schema/table/:table/:id": lookAtTarget,
    "/api/:schema/table/:table/:id/history": lookAbove,
    "/api/:schema/table/:table/query": lookAbove,
    "/api/:schema/view/:name": lookAtTarget,
    "/api/:schema/view/:name/query": lookAbove,
    "/api/auth/tokens/:id": owned("tokens"),
    "/api/auth/sessions/:id": owned("sessions", " and expires_at > system.clock()"),
    "/api/auth/linked-accounts/:id": owned("provider_accounts"),
    "/api/auth/oauth/:provider": (key) =>
      exists("select from system.auth_providers where key = $1::text and enabled", [key]),
  };
  return async ({ template, params }, c) => {
    // The actions of a token and the link to a provider are below the object's own path.
    const path = template.replace(
      /^(\/api\/auth\/(?:tokens\/:id|oauth\/:provider))\/(?!callback$).*/,
      "$1",
    );
    await looks[path]?.(params.id ?? params.provider ?? "", c);
  };
}
