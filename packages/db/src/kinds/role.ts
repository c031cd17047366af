import * as schema from "../schema/index.ts";
import { defineKind } from "./kind.ts";

/** A set of grants with members. */
export const roleKind = defineKind({
  name: "role",
  noun: "role",
  schema: "Role",
  path: "/roles",
  page: "/admin/people/roles/{id}",
  table: schema.roles,
  alias: "r",
  sortKey: "system.fold(r.name)",
  searched: "r.name",
  title: "r.name",
  conflict: { path: "/data/name", message: "Another role has this name" },
  fields: {
    id: { type: "id", set: "NEVER" },
    name: { type: "text", min: 1, max: 100, trim: true, legible: true, required: true },
    description: { type: "text", max: 1000, document: { default: "", isUnbounded: true } },
    /** Whether its members may sign in and use the API. */
    apiAccess: { type: "flag", initial: true, document: { default: false, always: true } },
    /** Whether its members may create tokens for themselves. */
    tokenCreation: { type: "flag", document: { default: false } },
    isAdministrators: { type: "flag", set: "NEVER" },
    memberCount: {
      type: "count",
      set: "NEVER",
      tag: "NEVER",
      sql: "(select pg_catalog.count(*) from system.role_members m where m.role_id = r.id)",
    },
    createdAt: { type: "moment", set: "NEVER" },
  },
});
