/** Whose rights a preview has: those of a person, or of somebody with roles. Undefined for one's own. */
export type SeenAs = { readonly userId: string } | { readonly roleIds: readonly string[] };

/** Reads the caller of a preview from an address; undefined for oneself. */
export function readSeenAs(text: string | undefined): SeenAs | undefined {
  const [kind, ids = ""] = (text ?? "").split(":");
  if (ids === "") return undefined;
  if (kind === "user") return { userId: ids };
  return kind === "roles" ? { roleIds: ids.split(",").filter((id) => id !== "") } : undefined;
}

/** Writes the caller of a preview for an address: `user:<id>`, or `roles:<id>,<id>`. */
export function writeSeenAs(as: SeenAs | undefined): string | undefined {
  if (as === undefined) return undefined;
  return "userId" in as ? `user:${as.userId}` : `roles:${as.roleIds.join()}`;
}
