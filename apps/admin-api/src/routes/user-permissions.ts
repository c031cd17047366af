import { createRoute, z } from "@hono/zod-openapi";
import { standingOf } from "@rowhouse/access";
import { reportAccess } from "@rowhouse/data";
import {
  type Database,
  matchesSearch,
  type Page,
  type Relation,
  readCursor,
  type Snapshot,
  type SnapshotStore,
  toPage,
} from "@rowhouse/db";
import { type ApiRouter, errorAnswers, idParams, pageQuery, pageRequest } from "@rowhouse/http";
import { type Grant, listGrants } from "@rowhouse/permissions";
import { isStorableText } from "@rowhouse/wire";
import { type ExplainedUser, readExplainedUser } from "../explained-user.ts";
import { grantAnswer } from "./grants.ts";

/** The grants that allow a field, and whether the field is allowed in every row that the action reaches. */
export const fieldReport = z
  .object({ name: z.string(), grantIds: z.array(z.string()), everyRow: z.boolean() })
  .openapi("FieldPermission");

const actionReport = z
  .object({
    action: z.enum(["READ", "CREATE", "UPDATE", "DELETE"]),
    isGranted: z.boolean(),
    isExposed: z.boolean().openapi({ description: "Whether the resource exposes its method" }),
    grantIds: z.array(z.string()).openapi({ description: "Empty for an administrator" }),
    everyRow: z.boolean().openapi({
      description:
        "If false, the rows that the row filter (for CREATE, the check) of one of the grants allows",
    }),
    fields: z.array(fieldReport),
  })
  .openapi("ActionPermission");

const resource = z
  .object({
    resourceId: z.string(),
    schema: z.string(),
    name: z.string(),
    kind: z.enum(["TABLE", "VIEW"]),
    exposedMethods: z.array(z.enum(["GET", "POST", "PATCH", "DELETE"])),
    actions: z.array(actionReport),
    grants: z.array(grantAnswer.extend({ roleName: z.string() })).openapi({
      description: "The grants of the user's roles, including those that are no longer effective",
    }),
  })
  .openapi("ResourcePermissions");

const permissions = z
  .object({
    userId: z.string(),
    active: z.boolean(),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    isAdministrator: z
      .boolean()
      .openapi({ description: "Whether the user may do everything that is exposed" }),
    hasApiAccess: z.boolean(),
    mayCreateTokens: z.boolean(),
    resources: z.array(resource),
  })
  .openapi("UserPermissions");

const read = createRoute({
  method: "get",
  path: "/admin/api/users/{id}/permissions",
  summary: "List the actions that a user may perform, and the grants that allow them",
  request: {
    params: idParams,
    query: pageQuery.extend({ schema: z.string().max(63).optional() }),
  },
  responses: {
    200: {
      description:
        "The resources on which the user has a grant, by schema and name; all resources for an administrator",
      content: {
        "application/json": {
          schema: z.object({
            data: permissions,
            meta: z.object({ nextCursor: z.string().nullable() }),
          }),
        },
      },
    },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND"),
  },
});

/** Serves the combined permissions of a user's roles, computed by the engine that authorizes requests. */
export function mountUserPermissionRoutes(
  router: ApiRouter,
  { database, snapshots }: { readonly database: Database; readonly snapshots: SnapshotStore },
): void {
  router.openapi(read, async (c) => {
    const { schema = null, ...query } = c.req.valid("query");
    const explained = await readExplainedUser(database, c.req.valid("param").id);
    const snapshot = await snapshots.fresh();
    const request = { ...pageRequest(query), schema };
    const { items, nextCursor } = listPermissions(snapshot, explained, request);
    const { user, principal } = explained;
    return c.json(
      {
        data: {
          userId: user.id,
          active: user.active,
          roles: user.roles,
          ...standingOf(principal, snapshot),
          resources: items,
        },
        meta: { nextCursor },
      },
      200,
    );
  });
}

type ResourcePermissions = z.output<typeof resource>;

function listPermissions(
  snapshot: Snapshot,
  { principal }: ExplainedUser,
  request: ReturnType<typeof pageRequest> & { readonly schema: string | null },
): Page<ResourcePermissions> {
  const [afterSchema, afterName] = readCursor(request.cursor, [isStorableText, isStorableText]);
  const isAfter = ({ schema, name }: Relation): boolean =>
    afterSchema === null ||
    afterName === null ||
    compare(schema, afterSchema) > 0 ||
    (schema === afterSchema && compare(name, afterName) > 0);
  const { isAdministrator } = standingOf(principal, snapshot);
  const granted = new Set(
    snapshot.grants
      .filter((grant) => principal.roleIds.includes(grant.roleId))
      .map((grant) => grant.resourceId),
  );
  const wanted = snapshot.catalogue.relations
    .filter(
      (relation) =>
        (isAdministrator || granted.has(relation.resource.id)) &&
        (request.schema === null || request.schema === relation.schema) &&
        matchesSearch(`${relation.schema}.${relation.name}`, request.search) &&
        isAfter(relation),
    )
    .sort((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name));
  const page = toPage(wanted, request.limit, (relation) => [relation.schema, relation.name]);
  return {
    items: page.items.map((relation) => ({
      resourceId: relation.resource.id,
      schema: relation.schema,
      name: relation.name,
      kind: relation.resource.kind,
      exposedMethods: [...relation.resource.exposedMethods],
      actions: reportAccess(snapshot, principal, relation),
      grants: grantsOf(snapshot, principal.roleIds, relation),
    })),
    nextCursor: page.nextCursor,
  };
}

/** A grant with the name of its role. */
export interface GrantOfRole extends Grant {
  readonly roleName: string;
}

/** Returns the grants of roles on a relation, with the names of the roles. */
export function grantsOf(
  snapshot: Snapshot,
  roleIds: readonly string[],
  relation: Relation,
): GrantOfRole[] {
  const everything = { limit: Number.MAX_SAFE_INTEGER, cursor: null, search: null };
  const filter = { roleId: null, resourceId: relation.resource.id, action: null };
  return listGrants(snapshot, { ...everything, ...filter })
    .items.filter((grant) => roleIds.includes(grant.roleId))
    .map((grant) => nameRole(snapshot, grant));
}

function nameRole(snapshot: Snapshot, grant: Grant): GrantOfRole {
  return { ...grant, roleName: snapshot.roles.get(grant.roleId)?.name ?? "" };
}

/** Compares by code units, as the list of resources does. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
