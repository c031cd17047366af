import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openTracing, type Tracing } from "../src/index.ts";

type ExportedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number };
};

const stops: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A collector of OTLP over HTTP that stores the spans it receives. */
async function openCollector(): Promise<{ endpoint: string; spans: ExportedSpan[] }> {
  const spans: ExportedSpan[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as {
      resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
    };
    spans.push(...body.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, spans };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function exported(work: (tracing: Tracing) => void): Promise<ExportedSpan[]> {
  const { endpoint, spans } = await openCollector();
  const tracing = await openTracing({ service: "rowhouse-test", endpoint });
  work(tracing);
  await tracing.close();
  return spans;
}

describe("a span", () => {
  it("continues the trace of its parent, in another process too", async () => {
    const spans = await exported((tracing) => {
      const parent = tracing.begin("parent", { kind: "SERVER" });
      expect(parent.traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      tracing.begin("child", { kind: "INTERNAL", parent: parent.traceParent }).end();
      parent.end({ name: "renamed", failed: true });
    });
    const [child, parent] = spans;
    expect(parent).toMatchObject({ name: "renamed", status: { code: 2 } });
    expect(child).toMatchObject({ traceId: parent?.traceId, parentSpanId: parent?.spanId });
  });

  it("links to the trace that a caller names and does not continue it", async () => {
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const [span] = await exported((tracing) =>
      tracing.begin("request", { kind: "SERVER", link: `00-${traceId}-b7ad6b7169203331-01` }).end(),
    );
    expect(span?.traceId).not.toBe(traceId);
    expect(span?.links).toMatchObject([{ traceId, spanId: "b7ad6b7169203331" }]);
  });

  it.each([
    ["missing", null],
    ["malformed", "00-zz-01"],
    ["all zeros", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`],
  ])("starts a new trace if its parent is %s", async (_, parent) => {
    const [span] = await exported((tracing) =>
      tracing.begin("request", { kind: "SERVER", parent }).end(),
    );
    expect(span?.parentSpanId).toBeUndefined();
    expect(span?.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  });
});
