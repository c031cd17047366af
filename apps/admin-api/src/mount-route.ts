import { entityTagsOf } from "@rowhouse/data";
import type { AuditActor } from "@rowhouse/db";
import { routeMounter } from "@rowhouse/http";
import { actorOf } from "./administrator.ts";

/** What a route of the Admin API and of the App API knows of its caller. */
export interface RouteCaller {
  /** For the audit log. */
  readonly actor: AuditActor;
}

/** Mounts a route of the Admin API or of the App API. */
export const mountRoute = routeMounter<RouteCaller>({
  body: "DATA",
  callerOf: (c) => ({ actor: actorOf(c) }),
  readTags: entityTagsOf,
});
