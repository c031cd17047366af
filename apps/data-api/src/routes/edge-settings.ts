import type { SnapshotStore } from "@rowhouse/db";
import { edgeSettingsPath, envelope, jsonValue, type Service } from "@rowhouse/http";
import { fileBodyBytes, settingsOf } from "@rowhouse/settings";

/**
 * The settings that the gateway uses, because it does not access the database. The gateway does not forward this path,
 * and like every path it requires the gateway's assertion.
 */
export function mountEdgeSettingsRoute(
  service: Service,
  { snapshots }: { readonly snapshots: SnapshotStore },
): void {
  service.get(edgeSettingsPath, async (c) => {
    const settings = settingsOf(await snapshots.fresh());
    const body = envelope({
      corsOrigins: settings["security.cors_origins"],
      trustedProxies: settings["security.trusted_proxies"],
      bodyBytesMax: settings["limits.body_bytes"],
      importBytesMax: settings["limits.import_bytes"],
      fileBytesMax: fileBodyBytes(settings),
      requestsPerMinute: settings["security.requests_per_minute"],
    });
    return jsonValue(200, body, c.env.edge.requestId);
  });
}
