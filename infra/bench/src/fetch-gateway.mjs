// The same gateway, except that it forwards by `fetch`, the obvious first choice. For `--gateway`.
import { createApp } from "@rowhouse/gateway";
import { createAssertionSigner, serve } from "@rowhouse/http";
import { createLogger } from "@rowhouse/service";

const target = process.env.DATA_API_URL;
const signAssertion = createAssertionSigner(process.env.ROWHOUSE_SECRET);

async function byFetch({ request, edge }) {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of ["host", "connection", "content-length"]) headers.delete(name);
  headers.set("x-request-id", edge.requestId);
  headers.set("x-rowhouse-assertion", await signAssertion(edge, "data-api"));
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answer = await fetch(target + pathname + search, {
    method: request.method,
    headers,
    ...(hasBody ? { body: await request.arrayBuffer() } : {}),
  });
  const kept = [...answer.headers].filter(
    ([name]) => !["connection", "keep-alive", "transfer-encoding", "content-length"].includes(name),
  );
  return new Response(await answer.arrayBuffer(), {
    status: answer.status,
    headers: Object.fromEntries(kept),
  });
}

const gateway = createApp({
  logger: createLogger("fetch-gateway", "error"),
  dataApi: byFetch,
  adminApi: byFetch,
  corsOrigins: () => [],
  refreshSettings: async () => {},
  trustedProxies: () => [],
  bodyBytesMax: () => 1_048_576,
  readiness: async () => ({}),
});
const server = await serve(gateway.fetch, {
  port: Number(process.env.PORT),
  hostname: "127.0.0.1",
});
process.on("SIGTERM", () => server.stop(0).then(() => process.exit(0)));
