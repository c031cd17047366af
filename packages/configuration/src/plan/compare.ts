import { Faults } from "../documents/document-faults.ts";
import type { Documents, Part, Step, World } from "../model/part.ts";
import {
  digestOf,
  type Files,
  type Present,
  partsOf,
  readPresent,
  writeFiles,
} from "./read-configuration.ts";

/** What a folder of documents changes in one state of the database. */
export interface Comparison {
  /** In the order of their execution. */
  readonly steps: readonly Step[];
  /** The present documents, as files. */
  readonly files: Files;
  /** Of the present state and of every step: two plans with the same digest do the same. */
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
  const changes: Step[] = [];
  const faults = new Faults();
  for (const part of parts) {
    const own = await faults.of(() => part.compare(changeOf(world, documents, present, part)));
    changes.push(...(own ?? []));
  }
  faults.throwAll();
  const steps = withoutRepeated(changes).toSorted((a, b) => a.order - b.order);
  const files = writeFiles(present);
  const said = steps.map(({ kind, document, subject, detail }) => [
    kind,
    document,
    subject,
    detail,
  ]);
  return { steps, files, digest: digestOf([files, said]) };
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
