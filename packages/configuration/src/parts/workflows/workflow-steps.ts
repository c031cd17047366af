import { isDeepStrictEqual } from "node:util";
import {
  addInvokeGrant,
  createWorkflow,
  deleteWorkflow,
  parseDefinition,
  publishWorkflow,
  removeInvokeGrant,
  requireDraft,
  requirePublishable,
  setWorkflowEnabled,
  updateWorkflow,
  type WorkflowInput,
} from "@rowhouse/workflows";
import type { Document } from "../../model/document.ts";
import { noEffects, type Step, stepOrder, type World } from "../../model/part.ts";
import type { Meant } from "../meant.ts";
import { roleIdOf } from "../role-id.ts";
import { fileSteps, type Names, userOf, withIds } from "./definition-names.ts";
import { placeOf, publishedKey, shownFields, type WorkflowDocument } from "./workflow-document.ts";

const { workflows: order } = stepOrder;

/**
 * Returns the steps of a workflow. A published definition that differs from the draft is the draft for a moment, since a
 * publish takes the draft.
 */
export function workflowSteps(
  { path, names }: Document<WorkflowDocument>,
  before: WorkflowDocument | undefined,
  after: WorkflowDocument,
  ids: Names,
  role: Meant["role"],
): Step[] {
  const [slug = ""] = names;
  const { definition, published } = after;
  const isPublished = published !== null && !isDeepStrictEqual(published, before?.published);
  const first = isPublished ? published : definition;
  const firstKey = isPublished ? publishedKey(after) : "definition";
  const common = { document: path, subject: slug, isUsedBy: () => false };
  const draft = (at: number, fields: WorkflowInput, key: string): Step => {
    const input = {
      ...fields,
      ...("definition" in fields ? { definition: withIds(fields.definition, ids) } : {}),
    };
    const isNew = before === undefined && at === order.draft;
    return {
      ...common,
      kind: isNew ? "workflow.create" : "workflow.update",
      order: at,
      detail: fields,
      values: { before: former(fields), after: shownFields({ ...fields }) },
      meant: peopleAndFolders(fields.definition, ids),
      locate: (pointer) => {
        const [, field = "", ...rest] = placeOf(pointer);
        return [field === "definition" ? key : field, ...rest];
      },
      preview: async ({ database }) => {
        if ("definition" in input) {
          await requireDraft(database, parseDefinition(input.definition, "/data/definition"));
        }
        return noEffects;
      },
      run: async (world) => {
        const { database, actor } = world;
        if (isNew) await createWorkflow(database, { slug, ...input }, actor);
        else await updateWorkflow(database, await idOf(world, slug), input, actor);
      },
    };
  };
  const steps: Step[] = [];
  const fields = {
    ...(after.name === before?.name ? {} : { name: after.name }),
    ...(isDeepStrictEqual(first, before?.definition) ? {} : { definition: first }),
  };
  if (Object.keys(fields).length > 0) steps.push(draft(order.draft, fields, firstKey));
  if (isPublished) {
    steps.push({
      ...common,
      kind: "workflow.publish",
      order: order.publish,
      detail: published,
      values: {
        before: shownFields({ published: before?.published }),
        after: shownFields({ published }),
      },
      meant: peopleAndFolders(published, ids),
      locate: (pointer) => [firstKey, ...placeOf(pointer)],
      preview: async ({ database, services: { vault } }) => {
        const input = withIds(published, ids);
        await database.transaction((transaction) => requirePublishable(transaction, input, vault));
        return noEffects;
      },
      run: async (world) => {
        const { database, services } = world;
        const deps = { database, vault: services.vault };
        await publishWorkflow(deps, await idOf(world, slug), world.actor);
      },
    });
  }
  if (!isDeepStrictEqual(first, definition)) {
    steps.push(draft(order.draftAgain, { definition }, "definition"));
  }
  return [...steps, ...invokeSteps(common, before?.invoke ?? [], after.invoke, role), ...enabled()];

  function former(fields: WorkflowInput): unknown {
    const stored: Readonly<Record<string, unknown>> = { ...before };
    return shownFields(Object.fromEntries(Object.keys(fields).map((key) => [key, stored[key]])));
  }

  function enabled(): Step[] {
    if (after.enabled === (before?.enabled ?? false)) return [];
    return [
      {
        ...common,
        kind: after.enabled ? "workflow.enable" : "workflow.disable",
        order: order.enable,
        detail: after.enabled,
        values: { before: { enabled: before?.enabled }, after: { enabled: after.enabled } },
        locate: () => ["enabled"],
        preview: async () => noEffects,
        run: async (world) => {
          const id = await idOf(world, slug);
          await setWorkflowEnabled(world.database, id, after.enabled, world.actor);
        },
      },
    ];
  }
}

function invokeSteps(
  common: Pick<Step, "document" | "subject" | "isUsedBy">,
  before: readonly string[],
  after: readonly string[],
  role: Meant["role"],
): Step[] {
  const revoked = before.filter((role) => !after.includes(role));
  const granted = after.filter((role) => !before.includes(role));
  if (revoked.length === 0 && granted.length === 0) return [];
  const { subject: slug } = common;
  return [
    {
      ...common,
      kind: "workflow.grant",
      subject: `${slug}: ${[...revoked, ...granted].join(", ")}`,
      order: order.invoke,
      detail: { revoked, granted },
      values: { before: { invoke: before }, after: { invoke: after } },
      meant: [...revoked, ...granted].map(role),
      locate: () => ["invoke"],
      preview: async () => noEffects,
      run: async (world) => {
        const { database, snapshots, actor } = world;
        const id = await idOf(world, slug);
        const snapshot = await snapshots.fresh();
        const idsOf = (names: readonly string[]) => names.map((name) => roleIdOf(snapshot, name));
        for (const role of idsOf(revoked)) {
          await removeInvokeGrant(database, id, role ?? "", actor);
        }
        for (const role of idsOf(granted)) await addInvokeGrant(database, id, role ?? "", actor);
      },
    },
  ];
}

/** The user of the runs, and the folders of new files, each by its id. */
function peopleAndFolders(definition: unknown, ids: Names): unknown {
  const user = userOf(definition);
  const folders = [...fileSteps(definition)].flatMap(({ step: { folder } }) =>
    typeof folder === "string" ? [ids.folder(folder) ?? null] : [],
  );
  return { user: (user === undefined ? undefined : ids.user(user)) ?? null, folders };
}

export function dropStep(path: string, slug: string): Step {
  return {
    kind: "workflow.delete",
    document: path,
    subject: slug,
    isUsedBy: () => false,
    order: order.drop,
    detail: null,
    consent: `drop:workflow:${slug}`,
    // It would lock the workflow, and with it the acceptance of its runs, until the plan ends.
    preview: async () => noEffects,
    run: async (world) => deleteWorkflow(world.database, await idOf(world, slug), world.actor),
  };
}

async function idOf({ database }: World, slug: string): Promise<string> {
  const [row] = await database.query<{ id: string }>(
    "select id from system.workflows where slug = $1::text",
    [slug],
  );
  return row?.id ?? "";
}
