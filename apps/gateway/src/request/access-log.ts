import type { Logger } from "@rowhouse/service";
import { pathOfTarget } from "./check-path.ts";
import type { Answering, Connection } from "./upstream.ts";

const pathMax = 1000;

/**
 * Logs one line for each request once it is complete, at the level `info`: client, path, result, duration and bytes on
 * the connection. Never a query or a header: they contain codes, values and credentials. Health requests are not
 * logged.
 *
 * @param addressOf returns the client's address as services receive it
 */
export function logged(
  answering: Answering,
  logger: Logger,
  addressOf: (connection: Connection) => string,
): Answering {
  if (!logger.isLevelEnabled("info")) return answering;
  return (request, connection, requestId) => {
    const { incoming, outgoing } = connection;
    const path = pathOfTarget(incoming.url ?? "").slice(0, pathMax);
    if (path === "/livez" || path === "/readyz") return answering(request, connection, requestId);
    const begun = performance.now();
    const { socket } = incoming;
    const writtenBefore = socket.bytesWritten;
    const clientAddress = addressOf(connection);
    outgoing.once("close", () => {
      const line = {
        requestId,
        clientAddress,
        method: incoming.method,
        path,
        // The caller disconnected before a response.
        status: outgoing.headersSent ? outgoing.statusCode : null,
        isWhole: outgoing.writableFinished,
        durationMs: Math.round((performance.now() - begun) * 10) / 10,
        requestBytes: Number(incoming.headers["content-length"] ?? 0),
        responseBytes: socket.bytesWritten - writtenBefore,
      };
      logger.info(line, "A request was answered");
    });
    return answering(request, connection, requestId);
  };
}
