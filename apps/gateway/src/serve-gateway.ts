import { type RunningServer, type ServeOptions, serve } from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import type { Gateway } from "./app.ts";

// Less than the limit of the services, because the gateway adds headers.
const headerBytesMax = 32_768;

/**
 * Serves a gateway on the public port, within its limits. Malformed requests are logged like others.
 *
 * @throws StartError if the port is taken or not permitted
 */
export function serveGateway(
  gateway: Gateway,
  logger: Logger,
  options: Pick<ServeOptions, "port" | "hostname" | "idleGraceMs">,
): Promise<RunningServer> {
  return serve(gateway.fetch, {
    ...options,
    headerBytesMax,
    onRefused: (refusal) =>
      logger.info(refusal, "A request was rejected before it reached a handler"),
  });
}
