import type { AuditActor, Database, Page, PageRequest, SnapshotStore } from "@rowhouse/db";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { z } from "zod";
import {
  activateToken,
  deactivateToken,
  regenerateToken,
  revokeToken,
  type TokenChanges,
  updateToken,
} from "./change-token.ts";
import { createToken, type NewToken } from "./create-token.ts";
import { listTokens, readToken, type TokenFilter } from "./read-tokens.ts";
import {
  type GracePeriod,
  type Token,
  type TokenOwner,
  type TokenWithSecret,
  tokenFields,
} from "./token.ts";

const { name, description, plane, lifetime, gracePeriod } = tokenFields;

/** The fields of requests that create and change a token. */
export const tokenBodies = {
  create: { name, description: description.optional(), plane, lifetime },
  update: { name: name.optional(), description: description.optional() },
  regenerate: { gracePeriod },
};

const flag = z.enum(["true", "false"]).optional();
/** Filters of a list of tokens, as parameters of a query. */
export const tokenFilters = { expiresSoon: flag, client: flag };

const moves = { deactivate: deactivateToken, activate: activateToken, revoke: revokeToken };
type Move = keyof typeof moves;

/** The moves of a token by the last segment of their paths, with what they do. */
export const tokenMoves: readonly (readonly [Move, string])[] = [
  ["deactivate", "Deactivate a token"],
  ["activate", "Activate a deactivated token"],
  ["revoke", "Revoke a token permanently"],
];

/** A token and the author of its change. */
interface OneToken {
  readonly id: string;
  readonly owner: TokenOwner;
  readonly actor: AuditActor;
}

/** The work on tokens by the settings of the moment, for the APIs of administrators and of owners. Errors are those of each function. */
export interface TokenWork {
  list(
    request: PageRequest & Pick<TokenFilter, "owner" | "state">,
    filters: z.output<z.ZodObject<typeof tokenFilters>>,
  ): Promise<Page<Token>>;
  read(id: string, owner: TokenOwner): Promise<Token>;
  /** `at` is the JSON pointer of the fields in the body: "" or "/data". */
  create(
    input: Pick<NewToken, "userId" | "name" | "plane"> & {
      readonly description?: string | undefined;
      readonly lifetime?: number | undefined;
    },
    actor: AuditActor,
    at: "" | "/data",
  ): Promise<TokenWithSecret>;
  update(
    token: OneToken,
    changes: TokenChanges,
    at: "" | "/data",
    ifMatch: readonly string[] | undefined,
  ): Promise<Token>;
  regenerate(token: OneToken, gracePeriod: GracePeriod): Promise<TokenWithSecret>;
  move(token: OneToken, move: Move): Promise<Token>;
}

export function tokenWork(
  database: Database,
  snapshots: Pick<SnapshotStore, "current">,
): TokenWork {
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.current());
  const warningDays = async () => (await settings())["api_keys.rotation_warning_days"];
  const requestFor = async (token: OneToken) => ({ ...token, warningDays: await warningDays() });
  const isTrue = (text: string | undefined) => (text === undefined ? null : text === "true");
  return {
    list: async (request, { expiresSoon, client }) => {
      const filters = { expiresSoon: isTrue(expiresSoon), client: isTrue(client) };
      return listTokens(database, { ...request, ...filters }, await warningDays());
    },
    read: async (id, owner) => readToken(database, id, owner, await warningDays()),
    create: async (input, actor, at) => {
      const known = await settings();
      const { description = "", lifetime = known["api_keys.default_ttl_days"] } = input;
      const token = { ...input, description, lifetime };
      return createToken(database, token, known["api_keys.rotation_warning_days"], actor, at);
    },
    update: async (token, changes, at, ifMatch) =>
      updateToken(database, await requestFor(token), changes, at, ifMatch),
    regenerate: async (token, gracePeriod) =>
      regenerateToken(database, await requestFor(token), gracePeriod),
    move: async (token, move) => moves[move](database, await requestFor(token)),
  };
}
