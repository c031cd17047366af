import type { Authenticator } from "@rowhouse/access";
import type { SnapshotStore } from "@rowhouse/db";
import { type ReadJsonBodyOptions, readJsonBody, requireData } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";

interface BodyDependencies {
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

/** The body's member `data`, and the settings under which it was read. */
export interface RowBody {
  readonly data: unknown;
  readonly settings: Settings;
}

/**
 * Reads the body of a write.
 *
 * @param limits.incoming the request as Node parsed it
 * @param limits.depthMax maximum nesting of the body; by default that of every body
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, BODY_INVALID
 */
export async function readRowBody(
  request: Request,
  { snapshots, authenticator }: BodyDependencies,
  known: Settings,
  limits: Pick<ReadJsonBodyOptions, "incoming" | "depthMax">,
): Promise<RowBody> {
  let settings = known;
  if (lengthOf(request.headers) > settings["limits.body_bytes"]) {
    // The limit may have just been raised; the current value is read only for callers with a valid credential.
    await authenticator.authenticate(request.headers.get("authorization"));
    settings = settingsOf(await snapshots.fresh());
  }
  const bytesMax = settings["limits.body_bytes"];
  return { data: requireData(await readJsonBody(request, { bytesMax, ...limits })), settings };
}

/** Returns the declared length of the body in bytes; the gateway sets it for chunked bodies. */
export function lengthOf(headers: Headers): number {
  return Number(headers.get("content-length") ?? 0);
}
