import { gather } from "../documents/document-faults.ts";
import { renameOf } from "../documents/former-names.ts";
import { rootFile } from "../documents/read-documents.ts";
import {
  type Documents,
  type Missing,
  type Part,
  type PartChange,
  type PlanNote,
  type State,
  type Step,
  stepOrder,
  type World,
} from "../model/part.ts";
import { relationMeant } from "../parts/meant.ts";
import { setAsideSteps } from "../parts/views/suspended-views.ts";
import { elsewhereAfter, loadAppliedPaths, loadElsewhere } from "./applied.ts";
import {
  digestOf,
  type Present,
  partsOf,
  readPresent,
  readsOf,
  statedIn,
} from "./read-configuration.ts";

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
  /** What the documents name and leave to other tools, and what there is not; in the order of their paths. */
  readonly missing: readonly Missing[];
  /** What the documents say without an effect; in the order of their paths. */
  readonly notes: readonly PlanNote[];
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
  const state = readsOf(await stateOf(world), parts);
  const elsewhere = elsewhereAfter(documents, state.elsewhere);
  const found = await readPresent(state, parts);
  const present = compared === "PARTS" ? found : within(found, documents);
  const missing: Missing[] = [];
  const notes: PlanNote[] = [];
  const applied = new Set(await loadAppliedPaths(world.database));
  const { renames } = state.elsewhere;
  const isStale = (path: string, former: string, column?: string) =>
    renames === undefined || renames[path]?.includes(renameOf(former, column)) === true;
  const change = { world, state, elsewhere, documents, missing, notes, applied, isStale };
  const changes = await gather(parts, (part) => part.compare(changeOf(change, present, part)));
  if (compared === "PARTS") changes.push(...elsewhereSteps(documents, state));
  changes.push(...(await setAsideSteps(world, changes, documents)));
  const all = withoutRepeated(changes).toSorted((a, b) => a.order - b.order);
  const ahead = all.filter((step) =>
    all.some((other) => other !== step && step.isNeededBy?.(other) === true),
  );
  const steps = all.filter((step) => !ahead.includes(step));
  const stated = [statedIn(after(present, ahead, documents)), state.elsewhere.patterns];
  const said = steps.map((step) => {
    const { kind, document, subject, detail, meant = null, isOptional = false } = step;
    const relation = relationMeant(state.snapshot, step);
    return [kind, document, subject, detail, meant, relation, isOptional];
  });
  const digest = digestOf([stated, said]);
  return { steps, ahead, digest, missing: byDocument(missing), notes: byDocument(notes) };
}

function byDocument(all: readonly Missing[]): Missing[] {
  return all.toSorted((a, b) => (a.document < b.document ? -1 : 1));
}

/** Returns the state that a transaction sees. */
export async function stateOf({
  database,
  snapshots,
}: Pick<World, "database" | "snapshots">): Promise<Omit<State, "hasSql">> {
  const snapshot = await snapshots.fresh();
  return { database, snapshot, elsewhere: await loadElsewhere(database) };
}

/** Returns the step that records other patterns of what belongs to other tools; the apply itself does what it says. */
function elsewhereSteps(documents: Documents, { elsewhere }: Pick<State, "elsewhere">): Step[] {
  const { patterns } = elsewhereAfter(documents, elsewhere);
  const added = patterns.filter((pattern) => !elsewhere.patterns.includes(pattern));
  const removed = elsewhere.patterns.filter((pattern) => !patterns.includes(pattern));
  if (added.length + removed.length === 0) return [];
  const signed = [...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)];
  const step: Step = {
    kind: "elsewhere.update",
    document: rootFile,
    subject: signed.join(", "),
    order: stepOrder.elsewhere,
    detail: { added, removed },
    values: { before: { elsewhere: elsewhere.patterns }, after: { elsewhere: patterns } },
    run: async () => {},
  };
  return [step];
}

/** The present documents once some steps are taken, each of which does all that its document asks for. */
function after(present: Present, steps: readonly Step[], documents: Documents): Present {
  const taken = new Map(
    steps.map(({ document, formerDocument: former = document }) => [former, document]),
  );
  return new Map(
    [...present].map(([part, found]) => {
      const wanted = documents.of(part);
      const changed = [...found].map(([path, value]): [string, unknown] => {
        const document = wanted.get(taken.get(path) ?? "")?.value ?? value;
        return [path, document === value ? value : { ...(document as object), renamedFrom: null }];
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

function changeOf(
  change: Omit<PartChange<unknown>, "present" | "wanted">,
  present: Present,
  part: Part<unknown>,
) {
  const before = present.get(part) ?? new Map();
  return { ...change, present: before, wanted: change.documents.of(part) } as never;
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
