import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { system } from "./core.ts";

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });

export const workflows = system.table("workflows", {
  id: uuid("id").primaryKey().defaultRandom(),
  slug: text("slug").notNull(),
  name: text("name").notNull(),
  enabled: boolean("enabled").notNull().default(false),
  draft: jsonb("draft").notNull(),
  publishedVersionId: uuid("published_version_id"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const workflowVersions = system.table("workflow_versions", {
  id: uuid("id").primaryKey().defaultRandom(),
  workflowId: uuid("workflow_id").notNull(),
  number: integer("number").notNull(),
  definition: jsonb("definition").notNull(),
  executeAsUserId: uuid("execute_as_user_id"),
  publishedAt: moment("published_at").notNull().defaultNow(),
  publishedBy: uuid("published_by"),
});

export const workflowInvokeGrants = system.table(
  "workflow_invoke_grants",
  { workflowId: uuid("workflow_id").notNull(), roleId: uuid("role_id").notNull() },
  (table) => [primaryKey({ columns: [table.workflowId, table.roleId] })],
);

export const workflowRuns = system.table("workflow_runs", {
  id: uuid("id").primaryKey().defaultRandom(),
  workflowId: uuid("workflow_id").notNull(),
  versionId: uuid("version_id").notNull(),
  status: text("status", { enum: ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] })
    .notNull()
    .default("QUEUED"),
  input: jsonb("input").notNull(),
  callerUserId: uuid("caller_user_id"),
  executeAsUserId: uuid("execute_as_user_id").notNull(),
  replyChannel: text("reply_channel"),
  requestId: text("request_id"),
  result: jsonb("result"),
  error: jsonb("error"),
  cancelRequestedAt: moment("cancel_requested_at"),
  leaseOwner: text("lease_owner"),
  leaseUntil: moment("lease_until"),
  fence: bigint("fence", { mode: "bigint" }).notNull().default(sql`0`),
  acceptedAt: moment("accepted_at").notNull().defaultNow(),
  startedAt: moment("started_at"),
  finishedAt: moment("finished_at"),
});

export const workflowRunSteps = system.table(
  "workflow_run_steps",
  {
    runId: uuid("run_id").notNull(),
    path: text("path").notNull(),
    status: text("status", { enum: ["STARTED", "SUCCEEDED", "FAILED"] }).notNull(),
    output: jsonb("output"),
    error: jsonb("error"),
    fence: bigint("fence", { mode: "bigint" }).notNull(),
    startedAt: moment("started_at").notNull().defaultNow(),
    finishedAt: moment("finished_at"),
  },
  (table) => [primaryKey({ columns: [table.runId, table.path] })],
);
