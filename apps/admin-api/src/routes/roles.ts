import type { Database } from "@rowhouse/db";
import type { ApiRouter } from "@rowhouse/http";
import { roleRecords } from "@rowhouse/permissions";
import { mountKind } from "../kind-routes.ts";

/** Serves roles, the sets of grants. */
export function mountRoleRoutes(
  router: ApiRouter,
  { database }: { readonly database: Database },
): void {
  mountKind(router, roleRecords, {
    database,
    order: "By name",
    create: { answer: "The role, without members and grants", codes: ["CONFLICT"] },
    update: { codes: ["CONFLICT"] },
    remove: { summary: "Delete a role with its memberships and grants", codes: ["CONFLICT"] },
  });
}
