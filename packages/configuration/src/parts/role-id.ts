import type { Snapshot } from "@rowhouse/db";

/** Returns the id of the role with a name. */
export function roleIdOf({ roles }: Snapshot, name: string): string | undefined {
  return [...roles.values()].find((role) => role.name === name)?.id;
}
