import * as schema from "../schema/index.ts";
import { defineKind } from "./kind.ts";

/** Whether one of a user's roles has API access. */
export const hasAccessSql = `exists (select from system.role_members m join system.roles r on r.id = m.role_id
  where m.user_id = u.id and r.api_access)`;

/** An account of a person or of the system. */
export const userKind = defineKind({
  name: "user",
  noun: "user",
  schema: "User",
  path: "/users",
  page: "/admin/people/users/{id}",
  table: schema.users,
  alias: "u",
  sortKey: "system.fold(u.email)",
  searched: "u.email || ' ' || u.name",
  title: "coalesce(nullif(u.name, ''), u.email)",
  conflict: { path: "/data/email", message: "Another user has this address" },
  fields: {
    id: { type: "id", set: "NEVER" },
    /**
     * Unverified unless `emailVerified` is true. Links sent to the old address become invalid, and the old address
     * receives a notice.
     */
    email: {
      type: "email",
      max: 320,
      required: true,
      onChange:
        "Unverified unless `emailVerified` is true: the new address receives a link. The old address receives a notice, and links sent to it become invalid",
    },
    name: { type: "text", max: 200, legible: true },
    /** Without a password the user cannot use password sign-in. */
    password: { type: "text", max: 1024, set: "ONCE", secret: true },
    active: { type: "flag", initial: true, set: "LATER" },
    isSystem: { type: "flag", set: "NEVER" },
    /** Whether the administrator vouches for the address; recorded in the audit log. */
    emailVerified: {
      type: "flag",
      set: "LATER",
      sql: "u.email_verified_at is not null",
      onChange: "Whether the administrator vouches for the address",
    },
    /** An IANA name, or null for the time zone of the installation. */
    timeZone: { type: "text", max: 100, nullable: true },
    /** The language tag of the mail templates for this user, if templates in this language exist. */
    language: { type: "text", max: 35, nullable: true },
    lastSignInAt: { type: "moment", set: "NEVER", nullable: true, tag: "NEVER" },
    createdAt: { type: "moment", set: "NEVER" },
    roles: {
      type: "named",
      set: "NEVER",
      tag: "NEVER",
      sql: `(select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'name', r.name) order by lower(r.name)), '[]')
              from system.role_members m join system.roles r on r.id = m.role_id where m.user_id = u.id)`,
    },
    /** Whether one of the roles has API access; without it the user cannot sign in. */
    apiAccess: {
      type: "flag",
      set: "NEVER",
      tag: "NEVER",
      sql: hasAccessSql,
      description: "Whether one of the roles has API access; without it the user cannot sign in",
    },
  },
});
