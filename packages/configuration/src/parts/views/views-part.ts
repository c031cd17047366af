import type { z } from "zod";
import { gather, throwAll } from "../../documents/document-faults.ts";
import { namesOfRelation, pathOfKey, relationKey } from "../../documents/document-name.ts";
import { formerNameMessage, formerPath, movedRelations } from "../../documents/former-names.ts";
import type { Document } from "../../model/document.ts";
import type { Part, PartChange } from "../../model/part.ts";
import { withoutNull } from "../presentation.ts";
import { tablesPart } from "../tables/tables-part.ts";
import { readViews, type ViewDocument, viewSchema } from "./view-document.ts";
import { relationsIn, viewsInOrder } from "./view-order.ts";
import { dropSteps, renameSteps, viewSteps } from "./view-steps.ts";

export const viewsPart: Part<ViewDocument> = {
  name: "views",
  schema: viewSchema as z.ZodType<ViewDocument>,
  bodies: [{ extension: ".sql", field: "query" }],
  namesOf: (path) => namesOfRelation("views", path),
  read: readViews,
  write: ({
    query,
    actual,
    hasNoFile,
    materialized,
    comment,
    indexes,
    columns,
    exposed,
    ...rest
  }) => {
    const { managed, renamedFrom, elsewhere, ...looks } = rest;
    return withoutNull({
      ...{ managed, renamedFrom },
      materialized: materialized || null,
      comment,
      ...looks,
      exposed: exposed.length > 0 ? exposed : null,
      indexes:
        indexes.length === 0
          ? null
          : indexes.map(({ columns: of, unique }) => ({
              columns: of,
              ...(unique ? { unique } : {}),
            })),
      columns:
        Object.keys(columns).length === 0
          ? null
          : Object.fromEntries(
              Object.entries(columns).map(([name, look]) => [name, withoutNull(look)]),
            ),
      elsewhere: elsewhere.length === 0 ? null : elsewhere,
    });
  },
  compare: async (change) => {
    const { present, wanted } = change;
    const ordered = await viewsInOrder(
      [...wanted.values()].map((document) => ({ ...document, query: document.value.query ?? "" })),
    );
    const awaited = new Set<string>();
    const renamed = new Set<string>();
    const pathOf = (former: string) => pathOfKey("views", former);
    const moved = await movedIn(change);
    const steps = await gather(ordered, async (document) => {
      if (moved.size > 0) await requireNewNames(document, moved);
      const from = formerPath(document, change, { noun: "view", pathOf });
      const own = viewSteps(change, document, present.get(from ?? document.path), from, awaited);
      if (from === undefined) return own;
      renamed.add(from);
      return [...(await renameSteps(change.world, document, from)), ...(await own)];
    });
    return [...steps, ...(await dropSteps(change, renamed))];
  },
};

async function movedIn({ world, wanted, documents }: PartChange<ViewDocument>) {
  const { catalogue } = await world.snapshots.fresh();
  return movedRelations(catalogue, [...documents.of(tablesPart).values(), ...wanted.values()]);
}

/** @throws AppError with the places at which a SELECT reads what the same files give another name */
async function requireNewNames(
  { names, value: { query }, faultAt }: Document<ViewDocument>,
  moved: ReadonlyMap<string, string>,
): Promise<void> {
  const read = await relationsIn({ names, query: query ?? "" });
  throwAll(
    read.flatMap(({ schema, name, place }) => {
      const former = relationKey(schema, name);
      const now = moved.get(former);
      if (now === undefined) return [];
      return [faultAt(["query"], formerNameMessage(former, now), undefined, place)];
    }),
  );
}
