import { createRoute, z } from "@hono/zod-openapi";
import type { Database } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type ApiRouter,
  errorAnswers,
  listAnswer,
  pageEnvelope,
  pageQuery,
  pageRequest,
  type SentEvent,
} from "@rowhouse/http";
import {
  isCallId,
  listMcpCalls,
  type McpCallChange,
  type McpCallFilter,
  watchMcpCalls,
} from "@rowhouse/mcp";
import { accepts } from "hono/accepts";
import type { EventStreams } from "../event-streams.ts";
import { moment } from "../route-parts.ts";

const outcome = z.enum(["SUCCEEDED", "REFUSED", "FAILED"]);

const call = z
  .object({
    id: z.string(),
    at: moment,
    userId: z.string(),
    userName: z.string().nullable().openapi({ description: "Null for a deleted user" }),
    tokenId: z.string(),
    tokenName: z.string().nullable().openapi({ description: "Null for a deleted token" }),
    clientName: z
      .string()
      .nullable()
      .openapi({ description: "The name that the client gives itself" }),
    method: z.string().openapi({ description: "The method of the protocol, such as `tools/call`" }),
    tool: z.string().nullable(),
    outcome,
    code: z.string().nullable().openapi({ description: "The code of the error" }),
    durationMs: z.int(),
    rows: z.int().nullable().openapi({ description: "Rows that were returned or changed" }),
    bytes: z.int().nullable().openapi({ description: "Size of the result" }),
    resource: z
      .string()
      .nullable()
      .openapi({ description: "The table, view or workflow that the arguments name" }),
  })
  .openapi("McpCall");

const callEvent = z
  .object({
    event: z.literal("calls"),
    id: z.string(),
    data: z.array(call).openapi({ description: "Oldest first; the first event may have none" }),
  })
  .openapi("McpCallEvent");

const eventStream = "text/event-stream";
const accepted: Parameters<typeof accepts>[1] = {
  header: "Accept",
  supports: ["application/json", eventStream],
  default: "application/json",
};

const list = createRoute({
  method: "get",
  path: "/admin/api/mcp/calls",
  summary: "List the calls of the MCP server, or the events of new calls",
  request: {
    query: pageQuery.extend({
      tool: z.string().max(200).optional(),
      outcome: outcome.optional(),
      userId: z.guid().optional(),
      tokenId: z.guid().optional(),
    }),
    headers: z.object({
      "last-event-id": z.string().optional().openapi({
        description: "The `id` of a call or of an event; the stream begins after it",
      }),
    }),
  },
  responses: {
    200: {
      description:
        "Newest first. With `Accept: text/event-stream` server-sent events `calls` that report calls as they are" +
        " recorded; a stream has no `limit`, `cursor` and `search`",
      content: {
        ...listAnswer(call, "").content,
        [eventStream]: { schema: callEvent },
      },
    },
    ...errorAnswers("QUERY_INVALID", "RATE_LIMIT_EXCEEDED"),
  },
});

/** Serves the calls of the MCP server. */
export function mountMcpCallRoutes(
  router: ApiRouter,
  { database, streams }: { readonly database: Database; readonly streams: EventStreams },
): void {
  router.openapi(list, async (c) => {
    const query = c.req.valid("query");
    const filter: McpCallFilter = {
      tool: query.tool ?? null,
      outcome: query.outcome ?? null,
      userId: query.userId ?? null,
      tokenId: query.tokenId ?? null,
    };
    const answer = async () =>
      c.json(pageEnvelope(await listMcpCalls(database, { ...pageRequest(query), ...filter })), 200);
    // A HEAD has the response of a plain read: a stream would never be read.
    if (c.req.raw.method === "HEAD" || accepts(c, accepted) !== eventStream) return answer();
    for (const path of ["limit", "cursor", "search"] as const) {
      if (query[path] === undefined) continue;
      throw createError("QUERY_INVALID", { path, message: "A stream of events does not take it" });
    }
    const from = readEventId(c.req.header("last-event-id"));
    const stream = await streams.open(c, "calls", (signal) =>
      eventsOf(watchMcpCalls(database, filter, { from, signal })),
    );
    return stream as Awaited<ReturnType<typeof answer>>;
  });
}

async function* eventsOf(
  changes: AsyncGenerator<McpCallChange, void, undefined>,
): AsyncGenerator<SentEvent | "IDLE", void, undefined> {
  for await (const change of changes) {
    if (change.kind === "IDLE") yield "IDLE";
    else yield { event: "calls", id: change.cursor, data: JSON.stringify(change.calls) };
  }
}

function readEventId(text: string | undefined): string | undefined {
  if (text === undefined || isCallId(text)) return text;
  throw createError("QUERY_INVALID", {
    message: "Must be the id of a call",
    path: "Last-Event-ID",
  });
}
