import { boolean, integer, json, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { system } from "./core.ts";

export const tokens = system.table("tokens", {
  id: uuid("id").primaryKey().defaultRandom(),
  userId: uuid("user_id").notNull(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  plane: text("plane", { enum: ["api", "admin"] }).notNull(),
  lifetimeDays: integer("lifetime_days").notNull(),
  active: boolean("active").notNull().default(true),
  expiresAt: moment("expires_at").notNull(),
  revokedAt: moment("revoked_at"),
  lastUsedAt: moment("last_used_at"),
  createdBy: uuid("created_by"),
  createdAt: moment("created_at").notNull().defaultNow(),
  /** The OAuth client of a consent; null for a token that a person made. */
  client: json("client"),
  scopes: text("scopes").array(),
});

export const tokenSecrets = system.table("token_secrets", {
  digest: bytea("digest").primaryKey(),
  tokenId: uuid("token_id").notNull(),
  /** Null for an access token of an OAuth client. */
  isCurrent: boolean("is_current"),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  userId: uuid("user_id").notNull(),
  usable: boolean("usable").notNull(),
  /** `mcp` for an access token of an OAuth client, which is valid at the MCP server only. */
  audience: text("audience"),
});

export const invitations = system.table("invitations", {
  id: uuid("id").primaryKey().defaultRandom(),
  email: text("email").notNull(),
  name: text("name").notNull().default(""),
  digest: bytea("digest"),
  invitedBy: uuid("invited_by"),
  userId: uuid("user_id"),
  createdAt: moment("created_at").notNull().defaultNow(),
  expiresAt: moment("expires_at").notNull(),
  acceptedAt: moment("accepted_at"),
  revokedAt: moment("revoked_at"),
  language: text("language"),
  tokenId: uuid("token_id"),
});

export const invitationRoles = system.table(
  "invitation_roles",
  { invitationId: uuid("invitation_id").notNull(), roleId: uuid("role_id").notNull() },
  (table) => [primaryKey({ columns: [table.invitationId, table.roleId] })],
);

export const templates = system.table("templates", {
  id: uuid("id").primaryKey().defaultRandom(),
  key: text("key").notNull(),
  language: text("language").notNull().default("en"),
  subject: text("subject").notNull(),
  text: text("text").notNull(),
  html: text("html"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  kind: text("kind", { enum: ["MAIL", "DOCUMENT"] })
    .notNull()
    .default("MAIL"),
  format: text("format", { enum: ["HTML", "TEXT", "CSV"] }),
  sample: json("sample"),
});

export const authProviders = system.table("auth_providers", {
  id: uuid("id").primaryKey().defaultRandom(),
  key: text("key").notNull(),
  kind: text("kind", { enum: ["google", "github", "oidc"] }).notNull(),
  name: text("name").notNull(),
  issuer: text("issuer").notNull(),
  clientId: text("client_id").notNull(),
  clientSecretSealed: text("client_secret_sealed").notNull(),
  allowedDomains: text("allowed_domains").array().notNull().default([]),
  roleId: uuid("role_id"),
  enabled: boolean("enabled").notNull().default(true),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});
