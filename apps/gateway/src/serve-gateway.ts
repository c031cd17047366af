import { type Logger, type RunningServer, type ServeOptions, serve } from "@rowhouse/http";
import type { Gateway } from "./app.ts";

// Less than what services take: the gateway's own headers come to those of the caller.
const headerBytesMax = 32_768;

/**
 * Serves a gateway on the public port, within its limits; what is no request is logged like one.
 *
 * @throws StartError when the port is taken or may not be used
 */
export function serveGateway(
  gateway: Gateway,
  logger: Logger,
  options: Pick<ServeOptions, "port" | "hostname" | "idleGraceMs">,
): Promise<RunningServer> {
  return serve(gateway.fetch, {
    ...options,
    headerBytesMax,
    onRefused: (refusal) => logger.info(refusal, "A request was refused unread"),
  });
}
