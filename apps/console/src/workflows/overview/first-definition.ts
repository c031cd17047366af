import type { TriggerKind } from "../parts/kinds-query.ts";

/**
 * The definition of a new workflow: a trigger that the service accepts. Everything else is chosen in the editor.
 *
 * @param userId the user whose rights the runs have
 * @param timeZone that of the person, for schedules
 */
export function firstDefinition(
  kind: TriggerKind,
  userId: string,
  timeZone: string,
): Record<string, unknown> {
  const triggers: Readonly<Record<TriggerKind, object>> = {
    webhook: { access: "AUTHENTICATED" },
    schedule: { cron: "0 8 * * *", timeZone },
    // The name of the table is chosen in the editor; the service checks it when the draft is published.
    databaseEvent: { schema: "public", table: "table", on: ["insert"] },
    manual: {},
  };
  return {
    trigger: { kind, ...triggers[kind], executeAs: userId },
    steps: [],
  };
}

/** Proposes a slug for a name. */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 63);
}
