import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  integer,
  json,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { oid, system } from "./core.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

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

export const workflowSecrets = system.table("workflow_secrets", {
  name: text("name").primaryKey(),
  sealed: text("sealed").notNull(),
  description: text("description").notNull().default(""),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const workflowInvokeGrants = system.table(
  "workflow_invoke_grants",
  {
    workflowId: uuid("workflow_id").notNull(),
    roleId: uuid("role_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.roleId] })],
);

export const workflowRuns = system.table("workflow_runs", {
  id: uuid("id").primaryKey().defaultRandom(),
  workflowId: uuid("workflow_id").notNull(),
  versionId: uuid("version_id").notNull(),
  status: text("status", { enum: ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] })
    .notNull()
    .default("QUEUED"),
  input: json("input").notNull(),
  callerUserId: uuid("caller_user_id"),
  executeAsUserId: uuid("execute_as_user_id").notNull(),
  replyChannel: text("reply_channel"),
  requestId: text("request_id"),
  result: json("result"),
  error: json("error"),
  cancelRequestedAt: moment("cancel_requested_at"),
  leaseOwner: text("lease_owner"),
  leaseUntil: moment("lease_until"),
  fence: bigint("fence", { mode: "bigint" }).notNull().default(sql`0`),
  acceptedAt: moment("accepted_at").notNull().default(sql`clock_timestamp()`),
  startedAt: moment("started_at"),
  finishedAt: moment("finished_at"),
  wakeAt: moment("wake_at"),
  signalled: boolean("signalled").notNull().default(false),
  claims: integer("claims").notNull().default(0),
  parentRunId: uuid("parent_run_id"),
  depth: integer("depth").notNull().default(0),
  origin: text("origin", {
    enum: ["WEBHOOK", "MANUAL", "SCHEDULE", "EVENT", "WORKFLOW", "TEST", "AGAIN"],
  })
    .notNull()
    .default("WEBHOOK"),
  eventId: bigint("event_id", { mode: "bigint" }),
  causedByRunId: uuid("caused_by_run_id"),
  traceParent: text("trace_parent"),
  scheduledAt: moment("scheduled_at"),
  tokenId: uuid("token_id"),
  tokenPlane: text("token_plane", { enum: ["api", "admin"] }),
  lostLeases: smallint("lost_leases").notNull().default(0),
  computing: boolean("computing").notNull().default(false),
});

/** Names of deleted users, which the history of runs still refers to. */
export const formerUsers = system.table("former_users", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  deletedAt: moment("deleted_at").notNull().default(sql`clock_timestamp()`),
});

export const workflowWatches = system.table("workflow_watches", {
  workflowId: uuid("workflow_id").primaryKey(),
  resourceId: uuid("resource_id"),
  schemaName: text("schema_name").notNull(),
  tableName: text("table_name").notNull(),
  relationOid: oid("relation_oid").notNull(),
  operations: text("operations").array().notNull(),
  columnNumbers: smallint("column_numbers").array(),
  columnNames: text("column_names").array(),
});

export const workflowEvents = system.table("workflow_events", {
  id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
  resourceId: uuid("resource_id").notNull(),
  schemaName: text("schema_name").notNull(),
  tableName: text("table_name").notNull(),
  operation: text("operation", { enum: ["INSERT", "UPDATE", "DELETE"] }).notNull(),
  oldRow: json("old_row"),
  newRow: json("new_row"),
  changed: text("changed").array().notNull(),
  omitted: text("omitted").array().notNull(),
  bytes: integer("bytes").notNull(),
  workflowIds: uuid("workflow_ids").array().notNull(),
  causedByRunId: uuid("caused_by_run_id"),
  depth: integer("depth").notNull(),
  occurredAt: moment("occurred_at").notNull().default(sql`clock_timestamp()`),
});

export const workflowSchedules = system.table("workflow_schedules", {
  workflowId: uuid("workflow_id").primaryKey(),
  cron: text("cron").notNull(),
  timeZone: text("time_zone").notNull(),
  nextAt: moment("next_at"),
  previousAt: moment("previous_at"),
});

export const workflowRunSteps = system.table(
  "workflow_run_steps",
  {
    runId: uuid("run_id").notNull(),
    path: text("path").notNull(),
    position: integer("position").notNull(),
    kind: text("kind").notNull(),
    status: text("status", { enum: ["STARTED", "WAITING", "SUCCEEDED", "FAILED"] }).notNull(),
    output: json("output"),
    error: json("error"),
    fence: bigint("fence", { mode: "bigint" }).notNull(),
    startedAt: moment("started_at").notNull(),
    finishedAt: moment("finished_at"),
    attempt: integer("attempt").notNull().default(1),
    resumeAt: moment("resume_at"),
    childRunId: uuid("child_run_id"),
  },
  (table) => [primaryKey({ columns: [table.runId, table.path] })],
);

export const workflowPlaces = system.table("workflow_places", {
  runId: uuid("run_id").primaryKey(),
  workflowId: uuid("workflow_id").notNull(),
  taken: boolean("taken").notNull(),
  acceptedAt: moment("accepted_at").notNull(),
});

export const rateLimits = system.table("rate_limits", {
  key: text("key").primaryKey(),
  points: integer("points").notNull().default(0),
  expire: bigint("expire", { mode: "bigint" }),
});

export const webhookCalls = system.table(
  "webhook_calls",
  {
    workflowId: uuid("workflow_id").notNull(),
    caller: text("caller").notNull(),
    key: text("key").notNull(),
    fingerprint: text("fingerprint").notNull(),
    runId: uuid("run_id").notNull(),
    createdAt: moment("created_at").notNull().default(sql`system.clock()`),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.caller, table.key] })],
);
