import type { AuthorizationOffer } from "@rowhouse/accounts";
import type { SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type Settings, settingsOf } from "@rowhouse/settings";

/**
 * Returns what OAuth clients may ask for, by the current settings.
 *
 * @throws AppError NOT_FOUND while the MCP server or OAuth is off
 */
export async function authorizationOffer(
  snapshots: SnapshotStore,
): Promise<{ readonly settings: Settings; readonly offer: AuthorizationOffer }> {
  const settings = settingsOf(await snapshots.fresh());
  if (!settings["mcp.enabled"] || !settings["mcp.oauth"]) throw createError("NOT_FOUND");
  const offer: AuthorizationOffer = {
    scopes: [
      "read",
      ...(settings["mcp.access"] === "READ_WRITE" ? (["write"] as const) : []),
      ...(settings["mcp.allow_workflows"] ? (["workflows"] as const) : []),
    ],
    registration: settings["mcp.dynamic_registration"],
  };
  return { settings, offer };
}
