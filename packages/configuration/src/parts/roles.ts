import { isDeepStrictEqual } from "node:util";
import { type Action, isGone } from "@rowhouse/access";
import { roleKind, type Snapshot } from "@rowhouse/db";
import { type Fault, faultsMax } from "@rowhouse/errors";
import {
  type Grant,
  type GrantSetting,
  listGrants,
  roleRecords,
  setGrants,
} from "@rowhouse/permissions";
import { encodeName, keepDigits } from "@rowhouse/wire";
import { z } from "zod";
import { throwAll } from "../documents/document-faults.ts";
import { decodeName, readRelationKey, relationKey } from "../documents/document-name.ts";
import { formerPath } from "../documents/former-names.ts";
import { documentsOf } from "../documents/record-documents.ts";
import type { Document } from "../model/document.ts";
import { type Part, type PartChange, type Step, stepOrder, type World } from "../model/part.ts";
import { type Meant, meantBy } from "./meant.ts";
import { type RelationAfter, relationsAfter } from "./relations-after.ts";
import { roleIdOf } from "./role-id.ts";
import { tablesPart } from "./tables/tables-part.ts";
import { viewsPart } from "./views/views-part.ts";

const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const satisfies readonly Action[];

const grantSchema = z
  .strictObject({
    fields: z.array(z.string()).nullable().default(null),
    // Digits that a double would change are stored as texts.
    filter: z.unknown().default(null).transform(keepDigits),
    check: z.unknown().default(null).transform(keepDigits),
    presets: z
      .record(z.string(), z.unknown())
      .default({})
      .transform((presets) => keepDigits(presets) as Readonly<Record<string, unknown>>),
  })
  .nullable()
  .transform((grant) => grant ?? everything);

const everything = {
  fields: null,
  filter: null,
  check: null,
  presets: {} as Readonly<Record<string, unknown>>,
};

const fields = documentsOf(roleKind);

const schema = z.strictObject({
  ...fields.shape,
  /** The role that gets this name. */
  renamedFrom: z.string().nullable().default(null),
  /** By relation (`schema.table`), then by action. */
  grants: z
    .record(
      z.string().refine((key) => readRelationKey(key) !== undefined, {
        error: "A grant is for a table or a view: schema.table",
      }),
      z.partialRecord(z.enum(actions), grantSchema),
    )
    .default({}),
});

export type RoleDocument = z.output<typeof schema>;
type GrantDocument = z.output<typeof grantSchema>;

export const rolesPart: Part<RoleDocument> = {
  name: "roles",
  schema: schema as z.ZodType<RoleDocument>,
  namesOf: (path) => {
    const name = decodeName(/^roles\/([^/]+)\.yaml$/.exec(path)?.[1] ?? "");
    return name === undefined || name === "" ? undefined : [name];
  },
  read: async ({ database, snapshot }) => {
    const roles = await roleRecords.list(database, all, [
      { value: "false", sql: (value) => `r.is_administrators = ${value}::boolean` },
    ]);
    const grants = new Map<string, Grant[]>();
    const { items } = listGrants(snapshot, everyGrant);
    for (const grant of items)
      grants.set(grant.roleId, [...(grants.get(grant.roleId) ?? []), grant]);
    return new Map(
      roles.items.map((role): [string, RoleDocument] => [
        pathOf(role.name),
        {
          ...fields.read(role),
          renamedFrom: null,
          grants: groupGrants(snapshot, grants.get(role.id) ?? []),
        },
      ]),
    );
  },
  write: (document) => ({
    ...(document.renamedFrom === null ? {} : { renamedFrom: document.renamedFrom }),
    ...fields.write(document),
    ...(Object.keys(document.grants).length === 0 ? {} : { grants: sortGrants(document.grants) }),
  }),
  compare: async (change) => {
    const { present } = change;
    const snapshot = await change.world.snapshots.fresh();
    const wanted = checkNames(change, relationsAfter(change.documents, snapshot));
    const lost = lostGrants(snapshot);
    const meant = meantBy(
      {
        roles: wanted,
        tables: change.documents.of(tablesPart),
        views: change.documents.of(viewsPart),
      },
      snapshot,
    );
    const steps: Step[] = [];
    const renamed = new Set<string>();
    for (const [path, document] of wanted) {
      const isRenamed = formerPath(document, change, { noun: "role", pathOf }) !== undefined;
      const former = isRenamed ? document.value.renamedFrom : null;
      if (former === null) {
        steps.push(...roleSteps(document, present.get(path), meant, lost.get(path)));
        continue;
      }
      renamed.add(pathOf(former));
      const before = present.get(pathOf(former));
      steps.push(
        renameStep(document, former, meant),
        ...roleSteps(document, before, meant, lost.get(pathOf(former))),
      );
    }
    for (const [path, role] of present) {
      if (!wanted.has(path) && !renamed.has(path)) steps.push(dropStep(path, role, meant));
    }
    return steps;
  },
};

const all = { search: null, cursor: null, limit: 1_000_000 };

const everyGrant = {
  ...all,
  ...{ roleId: null, resourceId: null, action: null },
};

/**
 * Returns the grants whose terms mean something else than when they were saved, by role and as they are in `changedGrants`:
 * they allow nothing until they are saved again.
 */
function lostGrants(snapshot: Snapshot): ReadonlyMap<string, ReadonlySet<string>> {
  const lost = new Map<string, Set<string>>();
  for (const grant of listGrants(snapshot, everyGrant).items) {
    const role = snapshot.roles.get(grant.roleId);
    const relation = snapshot.catalogue.relationByResource(grant.resourceId);
    if (role === undefined || relation === undefined || grant.lost.every(isGone)) continue;
    const path = pathOf(role.name);
    const key = `${grant.action} ${relationKey(relation.schema, relation.name)}`;
    lost.set(path, (lost.get(path) ?? new Set()).add(key));
  }
  return lost;
}

function pathOf(role: string): string {
  return `roles/${encodeName(role)}.yaml`;
}

function groupGrants(snapshot: Snapshot, grants: readonly Grant[]): RoleDocument["grants"] {
  const grouped: Record<string, Partial<Record<Action, GrantDocument>>> = {};
  for (const { resourceId, action, fields, rowFilter, check, presets } of grants) {
    const relation = snapshot.catalogue.relationByResource(resourceId);
    if (relation === undefined) continue;
    const key = relationKey(relation.schema, relation.name);
    // The order of columns differs between databases.
    const sorted = fields?.toSorted() ?? null;
    const grant = { fields: sorted, filter: rowFilter, check, presets };
    grouped[key] = { ...grouped[key], [action]: grant };
  }
  return grouped;
}

/** Leaves out what a grant has by default. */
function compact(grant: GrantDocument) {
  return {
    ...(grant.fields === null ? {} : { fields: grant.fields }),
    ...(grant.filter === null ? {} : { filter: grant.filter }),
    ...(grant.check === null ? {} : { check: grant.check }),
    ...(Object.keys(grant.presets).length === 0 ? {} : { presets: grant.presets }),
  };
}

/** Sorts by relation and action, and leaves out what a grant has by default. */
function sortGrants(grants: RoleDocument["grants"]): unknown {
  return Object.fromEntries(
    Object.keys(grants)
      .toSorted()
      .map((key) => [
        key,
        Object.fromEntries(
          actions.flatMap((action) => {
            const grant = grants[key]?.[action];
            return grant === undefined ? [] : [[action, compact(grant)]];
          }),
        ),
      ]),
  );
}

/**
 * Refuses grants of relations and of fields that do not exist once the documents have been applied.
 *
 * @returns the documents without the grants of relations that other tools have not created yet
 */
function checkNames(
  { wanted, missing }: PartChange<RoleDocument>,
  relationAfter: ReturnType<typeof relationsAfter>,
): PartChange<RoleDocument>["wanted"] {
  const faults: Fault[] = [];
  const possible = new Map(wanted);
  for (const [path, document] of wanted) {
    const { value, names } = document;
    const grants = { ...value.grants };
    for (const [key, granted] of Object.entries(grants)) {
      if (faults.length >= faultsMax) break;
      const relation = relationAfter(key);
      if (relation === undefined) {
        faults.push(document.faultAtKey(["grants", key], `There is no table or view ${key}`));
      } else if (relation === "MISSING") {
        const message = `Its grants of ${key} wait for the table, which is managed elsewhere`;
        missing.push({ document: path, subject: names[0] ?? "", message });
        delete grants[key];
      } else faults.push(...unknownFields(document, key, granted, relation));
    }
    possible.set(path, { ...document, value: { ...value, grants } });
  }
  throwAll(faults);
  return possible;
}

function* unknownFields(
  document: Document<RoleDocument>,
  key: string,
  grants: RoleDocument["grants"][string],
  relation: RelationAfter,
): Generator<Fault> {
  for (const action of actions) {
    for (const [index, field] of (grants[action]?.fields ?? []).entries()) {
      if (relation.hasColumn(field)) continue;
      const place = ["grants", key, action, "fields", index];
      yield document.faultAt(place, `${key} has no column ${field}`);
    }
  }
}

function renameStep({ path, names }: Document<RoleDocument>, former: string, meant: Meant): Step {
  const [name = ""] = names;
  return {
    kind: "role.update",
    document: path,
    subject: name,
    order: stepOrder.roles.rename,
    detail: { former },
    values: { before: { name: former }, after: { name } },
    meant: meant.role(former),
    locate: () => ["renamedFrom"],
    run: async (world) => {
      await roleRecords.update(world.database, await idOf(world, former), { name }, world.actor);
    },
  };
}

function roleSteps(
  { path, names, value }: Document<RoleDocument>,
  present: RoleDocument | undefined,
  meant: Meant,
  lost: ReadonlySet<string> = new Set(),
): Step[] {
  const [name = ""] = names;
  const { grants, renamedFrom: _, ...role } = value;
  const { grants: formerGrants = {}, renamedFrom: _former, ...former } = present ?? {};
  const steps: Step[] = [];
  const common = {
    ...{ document: path, subject: name, order: stepOrder.roles.create, detail: role },
    values: { before: present && former, after: role },
    meant: meant.role(name),
  };
  const locate = (pointer: string) => [pointer.replace(/^\/data\//, "")];
  if (present === undefined) {
    steps.push({
      ...common,
      kind: "role.create",
      run: async ({ database, actor }) => {
        await roleRecords.create(database, { name, ...role }, actor);
      },
      locate,
    });
  } else if (!isDeepStrictEqual(role, former)) {
    steps.push({
      ...common,
      kind: "role.update",
      run: async (world) => {
        await roleRecords.update(world.database, await idOf(world, name), role, world.actor);
      },
      locate,
    });
  }
  const { revoked, set } = changedGrants(formerGrants, grants, lost);
  const grantsOf = (changes: readonly GrantChange[], order: number): Step[] =>
    changes.length === 0
      ? []
      : [
          {
            kind: "grants.set",
            document: path,
            subject: `${name}: ${changes.map(({ key, action }) => `${action} ${key}`).join(", ")}`,
            order,
            detail: changes,
            values: {
              before: shownGrants(changes, ({ key, action }) => formerGrants[key]?.[action]),
              after: shownGrants(changes, ({ grant }) => grant),
            },
            notes: changes.flatMap(({ key, action }) =>
              lost.has(`${action} ${key}`) ? [savedAgain(`${action} ${key}`)] : [],
            ),
            meant: [meant.role(name), ...changes.map(({ key }) => meant.resource(key))],
            run: (world) => writeGrants(world, name, changes),
            locate: (pointer) => locateGrant(changes, pointer),
          },
        ];
  steps.push(...grantsOf(revoked, stepOrder.grants.revoke), ...grantsOf(set, stepOrder.grants.set));
  return steps;
}

interface GrantChange {
  readonly key: string;
  readonly action: Action;
  /** Null to revoke it. */
  readonly grant: GrantDocument | null;
}

function changedGrants(
  before: RoleDocument["grants"],
  after: RoleDocument["grants"],
  lost: ReadonlySet<string>,
): { revoked: GrantChange[]; set: GrantChange[] } {
  const revoked: GrantChange[] = [];
  const set: GrantChange[] = [];
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()) {
    for (const action of actions) {
      const [former, grant] = [before[key]?.[action], after[key]?.[action]];
      if (grant !== undefined) {
        const isLost = lost.has(`${action} ${key}`);
        if (isLost || !isSameGrant(former, grant)) set.push({ key, action, grant });
      } else if (former !== undefined) revoked.push({ key, action, grant: null });
    }
  }
  return { revoked, set };
}

/** Returns the terms of grants, each by action, relation and term. */
function shownGrants(
  changes: readonly GrantChange[],
  grantOf: (change: GrantChange) => GrantDocument | null | undefined,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    changes.flatMap((change) => {
      const grant = grantOf(change);
      if (grant == null) return [];
      const terms = { ...defaultTerms[change.action], ...compact(grant) };
      return Object.entries(terms).map(([term, value]) => [
        `${change.action} ${change.key}.${term}`,
        value,
      ]);
    }),
  );
}

/** What a grant without terms allows, in words: a reader of an empty value would take it for nothing. */
const defaultTerms: Readonly<Record<Action, object>> = {
  READ: { fields: "all fields", filter: "all rows" },
  CREATE: { fields: "all fields" },
  UPDATE: { fields: "all fields", filter: "all rows" },
  DELETE: { filter: "all rows" },
};

function savedAgain(grant: string): string {
  return `Columns of ${grant} mean something else than when it was saved: it allows nothing until it is saved again.`;
}

/** The order of fields has no meaning. */
function isSameGrant(a: GrantDocument | undefined, b: GrantDocument): boolean {
  const sorted = (grant: GrantDocument) => ({
    ...grant,
    fields: grant.fields === null ? null : [...new Set(grant.fields)].toSorted(),
  });
  return a !== undefined && isDeepStrictEqual(sorted(a), sorted(b));
}

async function writeGrants(
  { database, snapshots, actor }: World,
  role: string,
  changes: readonly GrantChange[],
): Promise<void> {
  const snapshot = await snapshots.fresh();
  const roleId = roleIdOf(snapshot, role) ?? "";
  const settings = changes.map(({ key, action, grant }): GrantSetting => {
    const { schema = "", name = "" } = readRelationKey(key) ?? {};
    const relation = snapshot.catalogue.relationByName(schema, name);
    const target = { roleId, resourceId: relation?.resource.id ?? "", action };
    if (grant === null) return { ...target, revoked: true };
    const { fields, filter, check, presets } = grant;
    return { ...target, fields, rowFilter: filter, check, presets };
  });
  await setGrants(database, snapshots, settings, actor);
}

/** The names of the terms in a document, by those of the Admin API. */
const termNames: Readonly<Record<string, string>> = { rowFilter: "filter" };

function locateGrant(changes: readonly GrantChange[], pointer: string) {
  const [, , index = "", term, ...rest] = pointer.split("/");
  const change = changes[Number(index)];
  if (change === undefined) return [];
  const place = ["grants", change.key, change.action];
  if (term === undefined || term === "resourceId") return place;
  return [...place, termNames[term] ?? term, ...rest];
}

function dropStep(path: string, { grants, ...role }: RoleDocument, meant: Meant): Step {
  const [name = ""] = rolesPart.namesOf(path) ?? [];
  const given = changedGrants({}, grants, new Set()).set;
  return {
    kind: "role.delete",
    document: path,
    subject: name,
    order: stepOrder.roles.delete,
    detail: null,
    values: {
      before: { ...role, ...shownGrants(given, ({ grant }) => grant) },
      after: null,
    },
    meant: meant.role(name),
    consent: `drop:role:${encodeName(name)}`,
    run: async (world) => roleRecords.remove(world.database, await idOf(world, name), world.actor),
  };
}

async function idOf({ snapshots }: World, name: string): Promise<string> {
  return roleIdOf(await snapshots.fresh(), name) ?? "";
}
