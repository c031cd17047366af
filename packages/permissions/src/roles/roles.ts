import { Records, roleKind, type StoredOf } from "@rowhouse/db";
import { requireRegistrationAccess } from "@rowhouse/settings";

export type Role = StoredOf<typeof roleKind>;

/**
 * The stored roles. A new one has no members and no grants; a deleted one loses them. The name of a role is unique without
 * case. Administrators keeps its API access and stays, and so does the access of the role that registration gives.
 */
export const roleRecords: Records<typeof roleKind> = new Records(roleKind, {
  check: async (transaction, { apiAccess }, present) => {
    if (apiAccess === false && present !== undefined) {
      await requireRegistrationAccess(transaction, present.id);
    }
  },
});
