import { exportHeadersOf } from "@rowhouse/data";
import { type ServiceEnvironment, standardHeaders } from "@rowhouse/http";
import { openViewFile } from "@rowhouse/readings";
import type { Logger } from "@rowhouse/service";
import type { Context } from "hono";

type Opened = Parameters<typeof openViewFile>;

/** Responds with the rows of a DataView as a file. */
export async function viewFile(
  c: Context<ServiceEnvironment>,
  view: Opened[0],
  query: Opened[1],
  reader: Opened[2],
  format: Opened[3]["format"],
  logger: Logger,
): Promise<Response> {
  const { requestId } = c.env.edge;
  const { body } = await openViewFile(view, query, reader, {
    format,
    signal: c.req.raw.signal,
    onBroken: (error) => logger.error({ err: error, requestId }, "An export was aborted"),
  });
  return new Response(body, {
    headers: standardHeaders(requestId, exportHeadersOf(format, view.name)),
  });
}
