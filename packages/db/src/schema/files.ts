import { sql } from "drizzle-orm";
import { bigint, boolean, integer, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { json, moment } from "./columns.ts";
import { system } from "./core.ts";

const size = (name: string) => bigint(name, { mode: "number" });

export const folders = system.table("folders", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  parentId: uuid("parent_id"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const files = system.table("files", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  title: text("title"),
  description: text("description"),
  folderId: uuid("folder_id"),
  visibility: text("visibility", { enum: ["PRIVATE", "PUBLIC"] })
    .notNull()
    .default("PRIVATE"),
  state: text("state", { enum: ["PENDING", "READY", "QUARANTINED"] })
    .notNull()
    .default("PENDING"),
  content: text("content"),
  mediaType: text("media_type"),
  claimedType: text("claimed_type"),
  bytes: size("bytes"),
  sha256: text("sha256"),
  width: integer("width"),
  height: integer("height"),
  storageKey: text("storage_key"),
  uploadedBy: uuid("uploaded_by"),
  createdAt: moment("created_at").notNull().defaultNow(),
  updatedAt: moment("updated_at").notNull().defaultNow(),
});

export const uploads = system.table("uploads", {
  id: uuid("id").primaryKey().defaultRandom(),
  userId: uuid("user_id").notNull(),
  storageKey: text("storage_key").notNull(),
  state: text("state", { enum: ["RECEIVING", "COMPLETE", "ATTACHED"] })
    .notNull()
    .default("RECEIVING"),
  isResumable: boolean("is_resumable").notNull().default(false),
  fileId: uuid("file_id"),
  name: text("name").notNull(),
  claimedType: text("claimed_type"),
  length: size("length"),
  received: size("received").notNull().default(0),
  mediaType: text("media_type"),
  sha256: text("sha256"),
  width: integer("width"),
  height: integer("height"),
  isScanned: boolean("is_scanned").notNull().default(false),
  metadata: json("metadata").notNull().default({}),
  createdAt: moment("created_at").notNull().defaultNow(),
  expiresAt: moment("expires_at").notNull(),
});

export const uploadSegments = system.table(
  "upload_segments",
  {
    uploadId: uuid("upload_id").notNull(),
    start: size("start").notNull(),
    bytes: size("bytes").notNull(),
    storageKey: text("storage_key").notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.start] })],
);

export const fileVariants = system.table(
  "file_variants",
  {
    fileId: uuid("file_id").notNull(),
    preset: text("preset").notNull(),
    sha256: text("sha256").notNull(),
    storageKey: text("storage_key").notNull(),
    mediaType: text("media_type").notNull(),
    bytes: size("bytes").notNull(),
    width: integer("width").notNull(),
    height: integer("height").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.preset, table.sha256] })],
);

export const fileScans = system.table("file_scans", {
  fileId: uuid("file_id").primaryKey(),
  sha256: text("sha256").notNull(),
  attempts: integer("attempts").notNull().default(0),
  nextAt: moment("next_at").notNull().defaultNow(),
  finding: text("finding"),
  finishedAt: moment("finished_at"),
});

export const objectSweeps = system.table("object_sweeps", {
  prefix: text("prefix").primaryKey(),
  position: text("position").notNull().default(""),
  dueAt: moment("due_at").notNull().defaultNow(),
});

export const objectRemovals = system.table("object_removals", {
  storageKey: text("storage_key").primaryKey(),
  dueAt: moment("due_at").notNull().default(sql`(now() + 'PT10M'::interval)`),
  attempts: integer("attempts").notNull().default(0),
});
