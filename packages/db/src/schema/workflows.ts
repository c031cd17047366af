import { boolean, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { json, moment } from "./columns.ts";
import { system } from "./core.ts";

export const workflows = system.table("workflows", {
  id: uuid("id").primaryKey().defaultRandom(),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  enabled: boolean("enabled").notNull().default(false),
  draft: json("draft").notNull(),
  publishedVersionId: uuid("published_version_id"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  concurrency: integer("concurrency"),
  priority: text("priority", { enum: ["HIGH", "NORMAL", "LOW"] })
    .notNull()
    .default("NORMAL"),
});

export const workflowVersions = system.table("workflow_versions", {
  id: uuid("id").primaryKey().defaultRandom(),
  workflowId: uuid("workflow_id").notNull(),
  number: integer("number"),
  definition: json("definition").notNull(),
  publishedAt: moment("published_at").notNull().defaultNow(),
  publishedBy: uuid("published_by"),
});

const secretColumns = {
  name: text("name").primaryKey(),
  sealed: text("sealed").notNull(),
  description: text("description").notNull().default(""),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
};

export const workflowSecrets = system.table("workflow_secrets", secretColumns);

export const providerSecrets = system.table("provider_secrets", {
  ...secretColumns,
  takenFor: text("taken_for"),
});

export const workflowWatchers = system.table(
  "workflow_watchers",
  {
    workflowId: uuid("workflow_id").notNull(),
    userId: uuid("user_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.userId] })],
);

export const workflowInvokeGrants = system.table(
  "workflow_invoke_grants",
  {
    workflowId: uuid("workflow_id").notNull(),
    roleId: uuid("role_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.roleId] })],
);
