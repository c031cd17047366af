import {
  type AuditActor,
  type Database,
  type Snapshot,
  type SnapshotStore,
  simpleKinds,
} from "@rowhouse/db";
import type { ChangePreview, DatabaseExtension, ViewsAside } from "@rowhouse/ddl";
import type { Vault } from "@rowhouse/vault";
import type { PartName } from "@rowhouse/wire";
import type { z } from "zod";
import type { DocumentPath, Position } from "../yaml/yaml-text.ts";
import type { Document } from "./document.ts";

/** What belongs to other tools: the service creates, alters and drops none of it. */
export interface Elsewhere {
  /** Patterns of tables, views and types, as the root file has them: `billing.*`, `*.flyway_schema_history`. */
  readonly patterns: readonly string[];
  /** What the last applied documents say, by path. */
  readonly documents: Readonly<Record<string, ElsewhereDocument>>;
  /** Undefined if the last apply has not recorded them. */
  readonly renames?: AppliedRenames | undefined;
}

/** What the last applied documents rename, by path, as `renameOf` writes it. */
export type AppliedRenames = Readonly<Record<string, readonly string[]>>;

export interface ElsewhereDocument {
  /** Whether the whole relation is managed elsewhere. */
  readonly managed: boolean;
  /** The objects of the relation that no document describes, by name. */
  readonly objects: readonly string[];
}

/** What the reader of a part sees: one state of the database. */
export interface State {
  readonly database: Database;
  readonly snapshot: Snapshot;
  /** What belongs to other tools, as the last apply says. */
  readonly elsewhere: Elsewhere;
  /** Whether files of `sql` say what documents of tables and views cannot; otherwise these leave it to other tools. */
  readonly hasSql: boolean;
}

/** What parts need besides the database. */
export interface Services {
  /** Opens stored secrets, and encrypts those of providers. */
  readonly vault: Vault;
}

/** What plans and applies a part: a transaction, and who asks for it. */
export interface World {
  /** Part of the transaction of the plan, or of that of the apply. */
  readonly database: Database;
  /** Of the state that the transaction sees. */
  readonly snapshots: Pick<SnapshotStore, "fresh">;
  readonly actor: AuditActor;
  /** Whether the administrator uses a session instead of a token. */
  readonly hasSession: boolean;
  readonly services: Services;
  /** OIDs of views that still exist, because the steps that drop them were only previewed. */
  readonly dropped: Set<string>;
  /** The views that are dropped and come back in this transaction. */
  readonly aside: ViewsAside;
  /** Whether the transaction is rolled back, so that nothing needs to be filled. */
  readonly isTrial?: boolean | undefined;
  /** Statements of files that create types and functions: a table may already name these when it is compared. */
  readonly created: string[];
}

/** A document of the present state. */
export interface Unwritten {
  /**
   * Whether the document has no file, because its record belongs to other tools and is shown as it is. Such records come
   * and go, so they are no part of the state that a plan is made for.
   */
  readonly hasNoFile?: boolean | undefined;
}

/** A folder of documents of one kind. */
export interface Part<Doc = never> {
  readonly name: PartName;
  /** Checks a document and completes it with the defaults. */
  readonly schema: z.ZodType<Doc>;
  /** Returns the names of a document by its path; undefined if the path is none of this part. */
  readonly namesOf: (path: string) => readonly string[] | undefined;
  /** Whether a document is a text of another language than YAML; its value is `{ text }`, and so is what `write` returns. */
  readonly isText?: boolean | undefined;
  /** The files beside a document, each with a text that people write; the schema decides which of them it needs. */
  readonly bodies?: readonly BodyFile[] | undefined;
  /** Reads the documents of the present state, by path. */
  read(state: State): Promise<ReadonlyMap<string, Doc & Unwritten>>;
  /** Leaves out what the schema completes. */
  write(doc: Doc): unknown;
  /**
   * Returns the steps from the present documents to the wanted ones.
   *
   * @throws AppError for documents that cannot be applied; faults have files and lines
   */
  compare(change: PartChange<Doc>): Promise<readonly Step[]>;
}

/** A file with the path of its document, but for the extension. Its content is the value of a field. */
export interface BodyFile {
  readonly extension: string;
  readonly field: string;
}

/** The documents of a folder, by part and path. */
export interface Documents {
  readonly parts: ReadonlySet<PartName>;
  /** Patterns of tables, views and types that belong to other tools. */
  readonly elsewhere: readonly string[];
  /** Whether a table, a view or a type belongs to other tools, by a pattern or by its schema. */
  readonly isOthers: (schema: string, name: string) => boolean;
  /** The extensions of PostgreSQL that the database must have. */
  readonly extensions: readonly DatabaseExtension[];
  /** What users' schemas have and no file says: `operator fleet.=== (text, text)`. */
  readonly uncarried: readonly string[];
  of<Doc>(part: Part<Doc>): ReadonlyMap<string, Document<Doc>>;
  /** Whether there is a document, of any part. */
  has(path: string): boolean;
  /** Returns the file of a document, as it was given; for a document that was not, the one it would have. */
  fileOf(path: string): string;
}

/** The present and the wanted state of a part. */
export interface PartChange<Doc> {
  readonly world: World;
  /** What the present documents were read from. */
  readonly state: State;
  /** What belongs to other tools once the documents are applied. */
  readonly elsewhere: Elsewhere;
  readonly present: ReadonlyMap<string, Doc & Unwritten>;
  readonly wanted: ReadonlyMap<string, Document<Doc>>;
  /** All wanted documents, for checks across parts. */
  readonly documents: Documents;
  /** The paths of the documents that have been applied. A present document that is none of them was made beside the files. */
  readonly applied: ReadonlySet<string>;
  /** Receives what the documents name and leave to other tools, and what there is not. */
  readonly missing: Missing[];
  /** Receives what the documents say without an effect. */
  readonly notes: PlanNote[];
  /** Whether an apply before this one may have done what a `renamedFrom` says, so that it says nothing new. */
  readonly isStale: (path: string, former: string, column?: string) => boolean;
}

/** Something that documents name and leave to other tools, and that the database does not have. */
export interface Missing {
  /** The path of the document that names it. */
  readonly document: string;
  /** The record of the document: `fleet.trips`. */
  readonly subject: string;
  readonly message: string;
}

/** Something that a document says and that has no effect; like `Missing`. */
export type PlanNote = Missing;

/** Effects of a step that do not depend on its execution. */
export type StepPreview = Pick<
  ChangePreview,
  "sql" | "locks" | "losses" | "failingRows" | "confirmations" | "notes"
>;

export const noEffects: StepPreview = {
  ...{ sql: [], locks: [], losses: [], failingRows: [], confirmations: [], notes: [] },
};

/**
 * One change of a plan. Steps run in the order of `order`. A plan runs those without `preview` in a transaction that is
 * rolled back; those with one would lock what others use.
 */
export interface Step {
  readonly kind: StepKind;
  /** The path of its document. */
  readonly document: string;
  /** What it changes: `fleet.trips`. */
  readonly subject: string;
  readonly order: number;
  /** The present path of its document, if another step of the plan renames the record. */
  readonly formerDocument?: string | undefined;
  /** What it does, as JSON: a plan is the same only if this is. */
  readonly detail: unknown;
  /**
   * What the reader of a plan compares, member by member: as in the document, null or undefined for a record that does not
   * exist. By default `detail` with nothing before it, unless the step has SQL.
   */
  readonly values?: { readonly before: unknown; readonly after: unknown } | undefined;
  /** What its values do not say. */
  readonly notes?: readonly string[] | undefined;
  /**
   * The ids of the records that the step finds by names, null for one that is yet to be created: a plan is the same only if
   * the names still stand for these.
   */
  readonly meant?: unknown;
  /** A consent that this step needs, whatever its preview says. */
  readonly consent?: string | undefined;
  /** Whether the apply leaves it out without this consent. Other steps with a consent are refused without theirs. */
  readonly isOptional?: boolean | undefined;
  /** Whether it runs in one transaction of its own, so that it leaves nothing behind if it fails. */
  readonly isAtomic?: boolean | undefined;
  /** Whether a token may not take it. */
  readonly sessionOnly?: boolean | undefined;
  /** Where it stands in the text of its document; a fault of its execution stands there too. */
  readonly position?: Position | undefined;
  /** Where a fault of its execution stands in its document, by the JSON pointer of the fault. */
  readonly locate?: ((pointer: string) => DocumentPath) | undefined;
  /**
   * Whether another step uses what this one adds, and PostgreSQL admits that only once it is committed. Both in one plan
   * take this step ahead, in a transaction of its own that can be repeated.
   */
  readonly isNeededBy?: ((other: Step) => boolean) | undefined;
  /**
   * Whether another step can depend on this one, so that a plan that only previews this one may be unable to try the other.
   * By default every later one can.
   */
  readonly isUsedBy?: ((other: Step) => boolean) | undefined;
  /**
   * What it cuts off from views: they are dropped before and created again after it. Names are those before the plan.
   */
  readonly breaks?: readonly BrokenPart[] | undefined;
  /** The statements that rename columns, for the definitions of these views. */
  readonly renamesColumns?: readonly string[] | undefined;
  /** @param isTried whether no step before it, which was only previewed, can be the reason of a fault */
  preview?(world: World, isTried: boolean): Promise<StepPreview>;
  /** @param isConsented whether the administrator gave a consent */
  run(world: World, isConsented: (consent: string) => boolean): Promise<void>;
}

/** A column, or a whole table, that views cannot read as before. */
export interface BrokenPart {
  readonly schema: string;
  readonly table: string;
  /** Null for the whole table. */
  readonly column: string | null;
  /** Whether it is dropped; otherwise it gets another type. */
  readonly isGone: boolean;
}

export const stepKinds = [
  "elsewhere.update",
  "schema.create",
  "extension.create",
  "type.create",
  "type.update",
  "type.drop",
  "sql.create",
  "sql.replace",
  "sql.drop",
  "table.create",
  "table.alter",
  "table.drop",
  "view.create",
  "view.rename",
  "view.replace",
  "view.drop",
  "view.suspend",
  "view.restore",
  "resource.update",
  "role.create",
  "role.update",
  "role.delete",
  "grants.set",
  "template.create",
  "template.update",
  "template.delete",
  "provider.create",
  "provider.update",
  "provider.delete",
  "workflow.create",
  "workflow.update",
  "workflow.publish",
  "workflow.grant",
  "workflow.enable",
  "workflow.disable",
  "workflow.delete",
  "data-view.create",
  "data-view.update",
  "data-view.delete",
  "dashboard.create",
  "dashboard.update",
  "dashboard.delete",
  "settings.update",
  ...simpleKinds.flatMap(({ name }) =>
    (["create", "update", "delete"] as const).map((verb) => `${name}.${verb}` as const),
  ),
] as const;
export type StepKind = (typeof stepKinds)[number];

/** The order of steps. What others refer to is created before them and dropped after them. */
export const stepOrder = {
  elsewhere: 0,
  views: { drop: 100, rename: 207, setAside: 208, create: 400, restore: 401 },
  grants: { revoke: 110, set: 600 },
  schemas: 200,
  extensions: 201,
  types: { rename: 204, write: 205, drop: 310 },
  /** By the stage of a statement: objects without rows, tables, what belongs to them, their partitions, views, guards, comments. */
  sql: {
    ...{ guardDrop: 98, viewDrop: 100, object: 207, table: 211, part: 222, partition: 224 },
    ...{ partDrop: 292, tableDrop: 300, objectDrop: 305, view: 402, guard: 410, comment: 420 },
  },
  tables: { rename: 206, create: 210, alter: 220, foreignKeys: 230, letGo: 290, drop: 300 },
  resources: 500,
  roles: { rename: 105, create: 550, delete: 700 },
  templates: 610,
  providers: 620,
  workflows: { drop: 90, draft: 650, publish: 651, draftAgain: 652, invoke: 653, enable: 654 },
  "data-views": { drop: 95, write: 660 },
  dashboards: { drop: 96, write: 670 },
  records: 680,
  settings: 800,
} as const;
