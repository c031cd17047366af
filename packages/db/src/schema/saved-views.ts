import { bigint, integer, primaryKey, smallint, text, uuid } from "drizzle-orm/pg-core";
import { json, moment } from "./columns.ts";
import { system } from "./core.ts";

export const dataViews = system.table("data_views", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  resourceId: uuid("resource_id").notNull(),
  definition: json("definition").notNull(),
  presentation: json("presentation").notNull().default({}),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  icon: text("icon"),
  position: integer("position").notNull().default(0),
});

export const dataViewRoles = system.table(
  "data_view_roles",
  { recordId: uuid("data_view_id").notNull(), roleId: uuid("role_id").notNull() },
  (table) => [primaryKey({ columns: [table.recordId, table.roleId] })],
);

export const dashboards = system.table("dashboards", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
  icon: text("icon"),
  position: integer("position").notNull().default(0),
  refreshSeconds: integer("refresh_seconds"),
  parameters: json("parameters").notNull().default([]),
});

export const dashboardRoles = system.table(
  "dashboard_roles",
  { recordId: uuid("dashboard_id").notNull(), roleId: uuid("role_id").notNull() },
  (table) => [primaryKey({ columns: [table.recordId, table.roleId] })],
);

export const dashboardPanels = system.table(
  "dashboard_panels",
  {
    dashboardId: uuid("dashboard_id").notNull(),
    id: text("id").notNull(),
    position: smallint("position").notNull(),
    title: text("title").notNull().default(""),
    kind: text("kind", { enum: ["LIST", "FIGURE", "CHART", "PIVOT", "TEXT"] }).notNull(),
    resourceId: uuid("resource_id"),
    definition: json("definition").notNull(),
    presentation: json("presentation").notNull().default({}),
    layout: json("layout"),
    bindings: json("bindings").notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.dashboardId, table.id] })],
);

/** The columns that DataViews and dashboards name. */
export const readingColumns = system.table("reading_columns", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  dataViewId: uuid("data_view_id"),
  dashboardId: uuid("dashboard_id"),
  resourceId: uuid("resource_id").notNull(),
  pathResourceId: uuid("path_resource_id").notNull(),
  mention: text("mention").notNull(),
  relationPath: text("relation_path").notNull(),
  attributeNumber: smallint("attribute_number").notNull(),
  columnName: text("column_name").notNull(),
  meaning: text("meaning"),
});

/** A view that one person saved. */
export const savedViews = system.table("saved_views", {
  id: uuid("id").primaryKey().defaultRandom(),
  userId: uuid("user_id").notNull(),
  resourceId: uuid("resource_id").notNull(),
  name: text("name").notNull(),
  position: integer("position").notNull(),
  definition: json("definition").notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const preferences = system.table("preferences", {
  userId: uuid("user_id").primaryKey(),
  content: json("content").notNull().default({}),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});
