import { sql } from "drizzle-orm";
import { bigint, boolean, pgSchema, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { jsonb, moment, oid } from "./columns.ts";

export const system = pgSchema("system");

export const users = system.table("users", {
  id: uuid("id").primaryKey().defaultRandom(),
  email: text("email").notNull(),
  name: text("name").notNull().default(""),
  active: boolean("active").notNull().default(true),
  isSystem: boolean("is_system").notNull().default(false),
  emailVerifiedAt: moment("email_verified_at"),
  passwordHash: text("password_hash"),
  timeZone: text("time_zone"),
  language: text("language"),
  lastSignInAt: moment("last_sign_in_at"),
  version: bigint("version", { mode: "bigint" }).notNull().default(sql`1`),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  region: text("region"),
});

export const roles = system.table("roles", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  apiAccess: boolean("api_access").notNull().default(true),
  tokenCreation: boolean("token_creation").notNull().default(false),
  isAdministrators: boolean("is_administrators").notNull().default(false),
  createdAt: moment("created_at").notNull().defaultNow(),
});

export const roleMembers = system.table(
  "role_members",
  {
    roleId: uuid("role_id").notNull(),
    userId: uuid("user_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.roleId, table.userId] })],
);

export const resources = system.table("resources", {
  id: uuid("id").primaryKey().defaultRandom(),
  relationOid: oid("relation_oid").notNull(),
  schemaName: text("schema_name").notNull(),
  relationName: text("relation_name").notNull(),
  kind: text("kind", { enum: ["TABLE", "VIEW"] }).notNull(),
  exposedMethods: text("exposed_methods", { enum: ["GET", "POST", "PATCH", "DELETE"] })
    .array()
    .notNull()
    .default([]),
  createdAt: moment("created_at").notNull().defaultNow(),
  label: text("label"),
  description: text("description"),
  history: boolean("history").notNull().default(false),
  junction: boolean("junction").notNull().default(false),
});

export const resourceColumns = system.table(
  "resource_columns",
  {
    resourceId: uuid("resource_id").notNull(),
    attributeNumber: smallint("attribute_number").notNull(),
    columnName: text("column_name").notNull(),
    label: text("label"),
    format: jsonb("format"),
    colors: jsonb("colors"),
    relationName: text("relation_name"),
    titlePart: jsonb("title_part"),
  },
  (table) => [primaryKey({ columns: [table.resourceId, table.attributeNumber] })],
);

export const grants = system.table("grants", {
  id: uuid("id").primaryKey().defaultRandom(),
  roleId: uuid("role_id").notNull(),
  resourceId: uuid("resource_id").notNull(),
  action: text("action", { enum: ["READ", "CREATE", "UPDATE", "DELETE"] }).notNull(),
  allFields: boolean("all_fields").notNull(),
  rowFilter: jsonb("row_filter"),
  rowCheck: jsonb("row_check"),
  presets: jsonb("presets").notNull().default({}),
  createdAt: moment("created_at").notNull().defaultNow(),
});

export const grantColumns = system.table(
  "grant_columns",
  {
    grantId: uuid("grant_id").notNull(),
    usage: text("usage", { enum: ["FIELD", "FILTER", "CHECK", "PRESET"] }).notNull(),
    attributeNumber: smallint("attribute_number").notNull(),
    mention: text("mention").notNull(),
    columnName: text("column_name").notNull(),
    pathResourceId: uuid("path_resource_id"),
    meaning: text("meaning"),
    beside: jsonb("beside"),
  },
  (table) => [primaryKey({ columns: [table.grantId, table.usage, table.mention] })],
);

export const settings = system.table("settings", {
  key: text("key").primaryKey(),
  value: jsonb("value").notNull(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  updatedBy: uuid("updated_by"),
});
