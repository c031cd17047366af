import { quoteIdentifier, quoteLiteral } from "@rowhouse/db";
import { schemaExists } from "../require-schema.ts";
import type { ChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import { isFreeByNow } from "./free-name.ts";
import { planRelationGrants } from "./plan-dependents.ts";
import { planStoredUses } from "./stored-uses.ts";

/** Sets or removes the comment of the table. */
export async function planChangeComment(
  draft: AlterationDraft,
  { comment }: ChangeOf<"changeComment">,
  path: string,
): Promise<void> {
  if (comment === draft.comment) return;
  draft.comment = comment;
  draft.changedFields.add("comment");
  draft.addStep({
    compile: (table) =>
      `comment on table ${table} is ${comment === null ? "null" : quoteLiteral(comment)}`,
    path,
    lock: "SHARE UPDATE EXCLUSIVE",
    refusal: null,
  });
}

/** Renames the table; exposure, grants and views follow. */
export async function planRename(
  draft: AlterationDraft,
  { name }: ChangeOf<"rename">,
  path: string,
): Promise<void> {
  if (name === draft.name) return;
  if (!(await isFreeByNow(draft, "TABLE", draft.schema, name))) {
    draft.refuse(
      `${path}/name`,
      "This schema already contains an object with this name",
      "CONFLICT",
    );
    return;
  }
  draft.changedFields.add("name");
  draft.addStep({
    compile: (table) => `alter table ${table} rename to ${quoteIdentifier(name)}`,
    path,
    refusal: null,
  });
  notePath(draft, draft.schema, name);
  draft.name = name;
  await planRelationGrants(draft, path);
  await planStoredUses(draft, { kind: "TABLE" }, "RENAME", path);
}

/** Moves the table to another schema, with its indexes and its identity's sequence. */
export async function planMove(
  draft: AlterationDraft,
  { schema }: ChangeOf<"move">,
  path: string,
): Promise<void> {
  if (schema === draft.schema) return;
  const at = `${path}/schema`;
  if (!(await schemaExists(draft.transaction, schema))) {
    draft.refuse(at, "This schema does not exist");
    return;
  }
  const indexes = [...draft.indexes, ...draft.keys].map((item) => item.name);
  const free = [
    await isFreeByNow(draft, "TABLE", schema, draft.name),
    ...(await Promise.all(indexes.map((name) => isFreeByNow(draft, "INDEX", schema, name)))),
  ];
  if (free.includes(false)) {
    const message =
      "That schema already contains an object with the name of this table or of one of its indexes";
    draft.refuse(at, message, "CONFLICT");
    return;
  }
  draft.changedFields.add("schema");
  draft.addStep({
    compile: (table) => `alter table ${table} set schema ${quoteIdentifier(schema)}`,
    path,
    refusal: null,
  });
  notePath(draft, schema, draft.name);
  draft.schema = schema;
  await planStoredUses(draft, { kind: "TABLE" }, "RENAME", path);
}

function notePath(draft: AlterationDraft, schema: string, name: string): void {
  const from = `/api/${draft.schema}/table/${draft.name}`;
  draft.notes.add(
    `The table keeps its exposure and grants; its path changes from ${from} to /api/${schema}/table/${name}.`,
  );
}
