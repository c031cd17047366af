import type { ApiOperations } from "@rowhouse/client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "../shell/client.ts";

/** The account of the person. */
export type OwnAccount = ApiOperations["GET /auth/me"]["answer"]["data"];
/** A session of the account. */
export type OwnSession = ApiOperations["GET /auth/sessions"]["answer"]["data"][number];
/** A personal access token. */
export type OwnToken = ApiOperations["GET /auth/tokens"]["answer"]["data"][number];
/** An account at a provider that signs the person in. */
export type LinkedAccount = ApiOperations["GET /auth/linked-accounts"]["answer"]["data"][number];

/** `GET /api/auth/me`. */
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async ({ signal }) => (await client.api.get("/auth/me", { signal })).data,
});

/** `GET /api/auth/sessions`. */
export const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: async ({ signal }) => (await client.api.get("/auth/sessions", { signal })).data,
});

/** `GET /api/auth/tokens`. */
export const tokensQuery = queryOptions({
  queryKey: ["account", "tokens"],
  queryFn: async ({ signal }) => (await client.api.get("/auth/tokens", { signal })).data,
});

/** `GET /api/auth/linked-accounts`. */
export const linkedAccountsQuery = queryOptions({
  queryKey: ["account", "linked"],
  queryFn: async ({ signal }) => (await client.api.get("/auth/linked-accounts", { signal })).data,
});

/** `GET /api/auth/providers`. */
export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => client.api.get("/auth/providers", { signal }),
});
