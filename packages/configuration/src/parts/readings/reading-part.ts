import { isDeepStrictEqual } from "node:util";
import type { Database, Snapshot } from "@rowhouse/db";
import { createError, type Fault, unescapePointer } from "@rowhouse/errors";
import {
  type DashboardInput,
  type DataViewInput,
  type ReadingRecords,
  readingName,
} from "@rowhouse/readings";
import { encodeName } from "@rowhouse/wire";
import type { z } from "zod";
import { throwAll } from "../../documents/document-faults.ts";
import { decodeName } from "../../documents/document-name.ts";
import type { Document } from "../../model/document.ts";
import { type Part, type PartChange, type Step, stepOrder, type World } from "../../model/part.ts";
import type { DocumentPath } from "../../yaml/yaml-text.ts";
import type { Meant } from "../meant.ts";
import { relationsAfter } from "../relations-after.ts";
import { meantIn, renamesIn, roleNames } from "../renames.ts";
import { idsIn, namesIn, type ReadingNames } from "./reading-names.ts";

type Columns = Parameters<
  ReadingRecords<DataViewInput, { readonly id: string; readonly name: string }>["create"]
>[2];

/** DataViews or dashboards. A document is an input with names in place of ids, and without its own name. */
interface ReadingKind<
  Input extends DataViewInput | DashboardInput,
  Stored extends { readonly id: string; readonly name: string },
> {
  readonly name: "data-views" | "dashboards";
  readonly kind: "data-view" | "dashboard";
  readonly noun: string;
  readonly schema: z.ZodType<Input>;
  /** Returns the members of a document, in their order. */
  readonly write: (document: Input) => Readonly<Record<string, unknown>>;
  /** The members of a document with nothing but defaults. */
  readonly plain: Readonly<Record<string, unknown>>;
  readonly records: ReadingRecords<Input, Stored>;
  readonly current: (
    stored: Stored,
    snapshot: Snapshot,
  ) => Input & { readonly lost: readonly unknown[] };
  /** Replaces ids by names, or names by ids. */
  readonly map: (input: Input, names: ReadingNames) => Input;
  readonly resources: (
    document: Input,
  ) => readonly { readonly key: string; readonly place: DocumentPath }[];
  readonly columns: (snapshot: Snapshot, input: Input) => Columns;
  readonly requireValid: (snapshot: Snapshot, input: Input) => void;
  /** Returns the faults of a change that the record does not allow. */
  readonly faultsOfChange: (document: Document<Input>, before: Input) => Fault[];
}

export function readingPart<
  Input extends DataViewInput | DashboardInput,
  Stored extends { readonly id: string; readonly name: string },
>(reading: ReadingKind<Input, Stored>): Part<Input> {
  const { name, schema, records } = reading;
  const namesOf = (path: string) => {
    const [folder, file = "", ...rest] = path.split("/");
    const decoded = file.endsWith(".yaml") ? decodeName(file.slice(0, -".yaml".length)) : undefined;
    return folder !== name || rest.length > 0 || !decoded ? undefined : [decoded];
  };
  const write = (document: Input) =>
    Object.fromEntries(
      Object.entries(reading.write(document)).filter(
        ([key, value]) => !isDeepStrictEqual(value, reading.plain[key]),
      ),
    );
  return {
    name,
    schema,
    namesOf,
    write,
    read: async ({ database, snapshot }) => {
      const { items } = await records.list(database, everything);
      const found = new Map<string, Input>();
      for (const stored of items) {
        const current: Input = reading.current(stored, snapshot);
        const path = `${name}/${encodeName(current.name)}.yaml`;
        if (found.has(path)) throw sharedName(reading.noun, current.name);
        const document = reading.map(current, namesIn(snapshot));
        const sorted = { ...document, roleIds: document.roleIds.toSorted() };
        // The schema puts the keys into one order, whatever has stored the record.
        const parsed = schema.safeParse(write(sorted));
        found.set(path, parsed.success ? parsed.data : sorted);
      }
      return found;
    },
    compare: async (found) => {
      const { documents } = found;
      const snapshot = await found.world.snapshots.fresh();
      const wanted = withoutMissing(reading, found, snapshot);
      const renames = renamesIn(documents, snapshot);
      const meant = meantIn(documents, snapshot);
      const present = new Map(
        [...found.present].map(([path, one]) => [path, sortRoles(reading.map(one, renames))]),
      );
      const change = { ...found, present, wanted };
      const lost = await loadLost(reading, found.world, snapshot);
      const isLost = ({ names }: Document<Input>) => lost.has(names[0] ?? "");
      const changed = [...wanted.values()]
        .map((document) => ({ document, after: sortRoles(document.value) }))
        .filter(
          ({ document, after }) =>
            isLost(document) || !isDeepStrictEqual(write(after), before(document)),
        );
      const check = checkOf(reading, present);
      throwAll([
        ...unknownRoles(change, snapshot),
        ...unknownRelations(reading, change, snapshot),
        ...changed.flatMap(({ document }) => check(document)),
      ]);
      const dropped = [...present].filter(([path]) => !found.wanted.has(path));
      return [
        ...changed.map(({ document, after }) => {
          const former = present.get(document.path);
          const isWhole = isLost(document);
          const values = { before: before(document), after: write(after) };
          return {
            ...writeStep(reading, document, { before: former, after, isWhole, meant }),
            ...{ values, notes: isWhole ? [savedAgain] : [] },
          };
        }),
        ...dropped.map(([path, document]) => ({
          ...dropStep(reading, path, namesOf(path)?.[0] ?? ""),
          values: { before: write(document), after: null },
        })),
      ];

      function before({ path }: Document<Input>): unknown {
        const document = present.get(path);
        return document && write(document);
      }
    },
  };
}

/** Returns the names of the records whose filters mean something else than when they were saved: they are saved again. */
async function loadLost<
  Input extends DataViewInput | DashboardInput,
  Stored extends { readonly id: string; readonly name: string },
>(
  { records, current }: Pick<ReadingKind<Input, Stored>, "records" | "current">,
  { database }: Pick<World, "database">,
  snapshot: Snapshot,
): Promise<ReadonlySet<string>> {
  const { items } = await records.list(database, everything);
  const known = items.map((stored) => current(stored, snapshot));
  return new Set(known.flatMap(({ name, lost }) => (lost.length === 0 ? [] : [name])));
}

const everything = { search: null, cursor: null, limit: 1_000_000, roleIds: null };

function sharedName(noun: string, name: string) {
  const message = `Two records of the kind ${noun} have the name ${name}; rename one, since a document is known by its name`;
  return createError("CONFLICT", { message });
}

function sortRoles<Input extends DataViewInput | DashboardInput>(document: Input): Input {
  return { ...document, roleIds: document.roleIds.toSorted() };
}

/** Returns the faults of roles that do not exist once the documents have been applied. */
function unknownRoles<Input extends DataViewInput | DashboardInput>(
  { wanted, documents }: PartChange<Input>,
  snapshot: Snapshot,
): Fault[] {
  const known = roleNames(snapshot, documents);
  return [...wanted.values()].flatMap((document) =>
    document.value.roleIds.flatMap((role, index) =>
      known.has(role) ? [] : [document.faultAt(["roles", index], `There is no role ${role}`)],
    ),
  );
}

/** Returns the documents without those that read what other tools have not created yet. */
function withoutMissing<Input extends DataViewInput | DashboardInput>(
  { resources, noun }: Pick<ReadingKind<Input, never>, "resources" | "noun">,
  { wanted, documents, missing }: PartChange<Input>,
  snapshot: Snapshot,
): PartChange<Input>["wanted"] {
  const relationAfter = relationsAfter(documents, snapshot);
  return new Map(
    [...wanted].filter(([path, { value, names }]) => {
      const awaited = resources(value).find(({ key }) => relationAfter(key) === "MISSING");
      if (awaited === undefined) return true;
      const message = `The ${noun} waits for ${awaited.key}, which is managed elsewhere`;
      missing.push({ document: path, subject: names[0] ?? "", message });
      return false;
    }),
  );
}

/** Returns the faults of relations that do not exist once the documents have been applied. */
function unknownRelations<Input extends DataViewInput | DashboardInput>(
  { resources }: Pick<ReadingKind<Input, never>, "resources">,
  { wanted, documents }: PartChange<Input>,
  snapshot: Snapshot,
): Fault[] {
  const relationAfter = relationsAfter(documents, snapshot);
  return [...wanted.values()].flatMap((document) =>
    resources(document.value).flatMap(({ key, place }) =>
      relationAfter(key) === undefined
        ? [document.faultAt(place, `There is no table or view ${key}`)]
        : [],
    ),
  );
}

/** Returns the check of a changed document. */
function checkOf<Input extends DataViewInput | DashboardInput>(
  { faultsOfChange }: Pick<ReadingKind<Input, never>, "faultsOfChange">,
  present: ReadonlyMap<string, Input>,
): (document: Document<Input>) => Fault[] {
  return (document) => {
    const { path, names } = document;
    const before = present.get(path);
    const name = readingName.safeParse(names[0]);
    return [
      ...(name.error?.issues ?? []).map(({ message }) =>
        document.faultAt([], `The name of the file: ${message}`),
      ),
      ...(before === undefined ? [] : faultsOfChange(document, before)),
    ];
  };
}

function writeStep<
  Input extends DataViewInput | DashboardInput,
  Stored extends { readonly id: string; readonly name: string },
>(
  reading: ReadingKind<Input, Stored>,
  { path, names }: Document<Input>,
  {
    before,
    after,
    isWhole,
    meant,
  }: {
    readonly before: Input | undefined;
    readonly after: Input;
    /** Whether members that do not change are sent as well. */
    readonly isWhole: boolean;
    readonly meant: Meant;
  },
): Step {
  const { name: part, kind, records } = reading;
  const [name = ""] = names;
  return {
    kind: before === undefined ? `${kind}.create` : `${kind}.update`,
    document: path,
    subject: name,
    order: stepOrder[part].write,
    detail: reading.write(after),
    meant: {
      roles: after.roleIds.map(meant.role),
      resources: reading.resources(after).map(({ key }) => meant.resource(key)),
    },
    locate: (pointer) => pointer.split("/").slice(2).map(unescapePointer).map(keyOf),
    run: async ({ database, snapshots, actor }) => {
      const snapshot = await snapshots.fresh();
      const ids = idsIn(snapshot);
      const input = { ...reading.map(after, ids), name };
      reading.requireValid(snapshot, input);
      const columns = reading.columns(snapshot, input);
      if (before === undefined) {
        await records.create(database, input, columns, actor);
        return;
      }
      const former = new Map<string, unknown>(
        Object.entries({ ...reading.map(before, ids), name }),
      );
      const changes = Object.fromEntries(
        Object.entries(input).filter(
          ([key, value]) => isWhole || !isDeepStrictEqual(value, former.get(key)),
        ),
      ) as Partial<Input>;
      const id = await idOf(database, reading, name);
      await records.update(database, id, changes, () => ({ input, columns }), actor);
    },
  };
}

const savedAgain =
  "Columns that it names mean something else than when it was saved, so it is saved again.";

const keys: Readonly<Record<string, string>> = { resourceId: "resource", roleIds: "roles" };

function keyOf(key: string): string {
  return keys[key] ?? key;
}

function dropStep<
  Input extends DataViewInput | DashboardInput,
  Stored extends { readonly id: string; readonly name: string },
>(reading: ReadingKind<Input, Stored>, path: string, name: string): Step {
  return {
    kind: `${reading.kind}.delete`,
    document: path,
    subject: name,
    order: stepOrder[reading.name].drop,
    detail: null,
    consent: `drop:${reading.kind}:${encodeName(name)}`,
    run: async ({ database, actor }) => {
      await reading.records.remove(database, await idOf(database, reading, name), actor);
    },
  };
}

async function idOf(
  database: Database,
  { kind }: { readonly kind: "data-view" | "dashboard" },
  name: string,
): Promise<string> {
  const table = kind === "dashboard" ? "dashboards" : "data_views";
  const [row] = await database.query<{ id: string }>(
    `select id from system.${table} where name = $1::text`,
    [name],
  );
  return row?.id ?? "";
}
