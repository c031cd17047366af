import * as schema from "../schema/index.ts";
import { defineKind } from "./kind.ts";

/** A provider for sign-in. */
export const authProviderKind = defineKind({
  name: "auth_provider",
  noun: "provider",
  schema: "AuthProvider",
  path: "/auth-providers",
  page: "/admin/people/providers",
  table: schema.authProviders,
  alias: "p",
  sortKey: "p.key",
  searched: "p.key || ' ' || p.name",
  title: "p.name",
  conflict: { path: "/data/key", message: "Another provider has this key" },
  fields: {
    id: { type: "id", set: "NEVER" },
    /** Its segment in the paths of the routes. */
    key: {
      type: "text",
      pattern: ["^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$", "Lower-case letters and digits"],
      set: "ONCE",
      required: true,
    },
    kind: {
      type: "choice",
      choices: ["google", "github", "oidc"],
      set: "ONCE",
      required: true,
      document: {},
    },
    name: {
      ...{ type: "text", min: 1, max: 100, trim: true, legible: true, required: true },
      document: {},
    },
    /** By default that of its kind, which documents do not name. */
    issuer: { type: "url", max: 500, document: { default: null } },
    clientId: { type: "text", min: 1, max: 500, required: true, document: {} },
    clientSecret: { type: "text", min: 1, max: 2000, required: true, secret: true },
    /** Domains of addresses that may sign in; empty allows all. */
    allowedDomains: {
      type: "texts",
      max: 100,
      pattern: ["^[A-Za-z0-9.-]{1,253}$", "Must be a domain"],
      document: { default: [] },
    },
    /** The role of accounts that a first sign-in creates; null allows no new accounts. */
    roleId: {
      type: "reference",
      to: "role",
      nullable: true,
      document: { name: "role", default: null },
    },
    enabled: { type: "flag", initial: true, document: { default: true } },
    createdAt: { type: "moment", set: "NEVER" },
  },
});
