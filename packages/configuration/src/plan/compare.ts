import { gather } from "../documents/document-faults.ts";
import type { Documents, Part, Step, World } from "../model/part.ts";
import { relationMeant } from "../parts/meant.ts";
import { digestOf, type Present, partsOf, readPresent, writeFiles } from "./read-configuration.ts";

/** What a folder of documents changes in one state of the database. */
export interface Comparison {
  /** In the order of their execution. */
  readonly steps: readonly Step[];
  /** Steps that have to be committed before these. */
  readonly ahead: readonly Step[];
  /**
   * Of every step, and of the present state as it is once the steps ahead are taken: two plans with the same digest do the
   * same.
   */
  readonly digest: string;
}

/**
 * Compares documents with the state that a transaction sees.
 *
 * @param compared the present documents: all of the parts, or those that have the path of a wanted one
 * @throws AppError with the faults of documents that cannot be applied
 */
export async function compare(
  world: World,
  documents: Documents,
  compared: "PARTS" | "OWN_PATHS" = "PARTS",
): Promise<Comparison> {
  const parts = partsOf(documents.parts);
  const found = await readPresent(
    { database: world.database, snapshot: await world.snapshots.fresh() },
    parts,
  );
  const present = compared === "PARTS" ? found : within(found, documents);
  const changes = await gather(parts, (part) =>
    part.compare(changeOf(world, documents, present, part)),
  );
  const all = withoutRepeated(changes).toSorted((a, b) => a.order - b.order);
  const ahead = all.filter((step) =>
    all.some((other) => other !== step && step.isNeededBy?.(other) === true),
  );
  const steps = all.filter((step) => !ahead.includes(step));
  const files = writeFiles(after(present, ahead, documents));
  const snapshot = await world.snapshots.fresh();
  const said = steps.map((step) => {
    const { kind, document, subject, detail, meant = null } = step;
    return [kind, document, subject, detail, meant, relationMeant(snapshot, step)];
  });
  return { steps, ahead, digest: digestOf([files, said]) };
}

/** The present documents once some steps are taken, each of which does all that its document asks for. */
function after(present: Present, steps: readonly Step[], documents: Documents): Present {
  const taken = new Set(steps.map(({ document }) => document));
  return new Map(
    [...present].map(([part, found]) => {
      const wanted = documents.of(part);
      const changed = [...found].map(([path, value]): [string, unknown] => {
        return [path, taken.has(path) ? (wanted.get(path)?.value ?? value) : value];
      });
      return [part, new Map(changed)];
    }),
  );
}

function within(present: Present, documents: Documents): Present {
  return new Map(
    [...present].map(([part, found]) => {
      const wanted = documents.of(part);
      return [part, new Map([...found].filter(([path]) => wanted.has(path)))];
    }),
  );
}

function changeOf(world: World, documents: Documents, present: Present, part: Part<unknown>) {
  const before = present.get(part) ?? new Map();
  return { world, present: before, wanted: documents.of(part), documents } as never;
}

/** Several documents may ask for one schema. */
function withoutRepeated(steps: readonly Step[]): Step[] {
  const seen = new Set<string>();
  return steps.filter(({ kind, subject }) => {
    if (kind !== "schema.create") return true;
    const isNew = !seen.has(subject);
    seen.add(subject);
    return isNew;
  });
}
