// Tiers: long, topologies. Starts processes.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

// Spans as a collector receives them (OTLP over HTTP, JSON), from the request at the gateway to the step in the worker.
describe.each(topologyNames("one", "four"))("the traces of %s", (kind) => {
  let collector: Collector;
  let testEnvironment: TestEnvironment;
  let client: Client;
  let admin: string;

  beforeAll(async () => {
    collector = await startCollector();
    testEnvironment = await startTestEnvironment({
      kind,
      ownProcess: true,
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: "50",
      },
    });
    client = createClient(testEnvironment);
    admin = await client.signIn(signIn);
    const created = await client.ask("POST", "/admin/api/workflows", {
      as: admin,
      body: {
        data: {
          slug: "traced",
          name: "Traced",
          definition: {
            trigger: { kind: "webhook", access: "AUTHENTICATED" },
            steps: [
              { id: "inner", kind: "runWorkflow", workflow: "traced-inner", onError: "continue" },
              { id: "end", kind: "finish", result: 1 },
            ],
          },
        },
      },
    });
    const { id } = created.body.data;
    for (const action of ["publish", "enable"]) {
      await client.ask("POST", `/admin/api/workflows/${id}/${action}`, { as: admin });
    }
    const roles = await client.ask("GET", "/admin/api/roles?search=Administrators", { as: admin });
    await client.ask("POST", `/admin/api/workflows/${id}/invoke-grants`, {
      as: admin,
      body: { data: { roleId: roles.body.data[0].id } },
    });
  });
  afterAll(async () => {
    await testEnvironment.stop();
    await collector.stop();
  });

  const trace = async (requestId: string, isWhole: (spans: Span[]) => boolean): Promise<Span[]> => {
    await expect.poll(() => isWhole(collector.traceOf(requestId))).toBe(true);
    return collector.traceOf(requestId);
  };
  const named = (spans: Span[], name: string): Span => {
    const found = spans.filter((span) => span.name === name);
    expect(found, name).toHaveLength(1);
    return found[0] as Span;
  };

  test("lead from the gateway over the Data API and the run to its step for a webhook", async () => {
    const answer = await client.ask("POST", "/api/workflows/traced/webhook", {
      as: admin,
      body: { canary: "traced-body-canary" },
      headers: { "X-Request-Id": "a-traced-webhook" },
    });
    expect(answer.status).toBe(200);
    const spans = await trace("a-traced-webhook", (found) => found.length >= 4);
    const edge = named(spans, "POST /api/*");
    const service = named(spans, "POST /api/workflows/:slug/webhook");
    const run = named(spans, "run");
    const step = named(spans, "step runWorkflow");
    expect(edge.parentSpanId ?? "").toBe("");
    expect(service.parentSpanId).toBe(edge.spanId);
    expect(run.parentSpanId).toBe(service.spanId);
    expect(step.parentSpanId).toBe(run.spanId);
    expect(run.attributes).toMatchObject({
      "rowhouse.run.id": answer.body.data.id,
      "rowhouse.run.status": "SUCCEEDED",
    });
    // The called workflow does not exist: the step failed, and the run continued.
    expect([step.failed, run.failed, service.failed]).toEqual([true, false, false]);
    const services = [edge, service, run].map((span) => span.service);
    expect(services).toEqual(
      kind === "one"
        ? ["rowhouse", "rowhouse", "rowhouse"]
        : ["rowhouse-gateway", "rowhouse-data-api", "rowhouse-workflow-worker"],
    );
  });

  test("lead from an administrator's request for a test to its run", async () => {
    const listed = await client.ask("GET", "/admin/api/workflows", { as: admin });
    const { id } = listed.body.data.find(({ slug }: { slug: string }) => slug === "traced");
    const answer = await client.ask("POST", `/admin/api/workflows/${id}/test`, {
      as: admin,
      body: { data: {} },
      headers: { "X-Request-Id": "a-traced-test" },
    });
    expect(answer.status).toBe(201);
    const spans = await trace("a-traced-test", (found) => found.length >= 4);
    const service = named(spans, "POST /admin/api/workflows/:id/test");
    const run = named(spans, "run");
    expect(run.parentSpanId).toBe(service.spanId);
    expect(run.attributes).toMatchObject({ "rowhouse.run.id": answer.body.data.run });
  });

  test("refer to a caller's trace without continuing it", async () => {
    const theirs = "4bf92f3577b34da6a3ce929d0e0e4736";
    await client.ask("GET", "/api/auth/me", {
      as: admin,
      headers: {
        "X-Request-Id": "a-trace-of-the-caller",
        traceparent: `00-${theirs}-00f067aa0ba902b7-00`,
      },
    });
    const spans = await trace("a-trace-of-the-caller", (found) => found.length >= 2);
    expect(named(spans, "GET /api/*").links).toEqual([theirs]);
    expect(spans.some((span) => span.traceId === theirs)).toBe(false);
  });

  test("contain a response of the Admin API with the pattern of its route", async () => {
    await client.ask("GET", "/admin/api/users/00000000-0000-4000-8000-000000000000", {
      as: admin,
      headers: { "X-Request-Id": "a-traced-refusal" },
    });
    const spans = await trace("a-traced-refusal", (found) => found.length >= 2);
    const service = spans.find((span) => span.name.startsWith("GET /admin/api/users/"));
    expect(service?.attributes).toMatchObject({
      "http.response.status_code": "404",
      "http.request.method": "GET",
    });
    expect(service?.name).not.toContain("00000000");
  });

  test("contain no credential, body or path of a caller", () => {
    const all = JSON.stringify(collector.spans());
    expect(all.length).toBeGreaterThan(1000);
    for (const secret of [admin, signIn.password, signIn.email, "traced-body-canary"]) {
      expect(all).not.toContain(secret);
    }
  });
});

describe("without a collector", () => {
  test("a process starts, responds and stops as usual", async () => {
    const testEnvironment = await startTestEnvironment({
      ownProcess: true,
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
        OTEL_BSP_SCHEDULE_DELAY: "50",
      },
    });
    try {
      const client = createClient(testEnvironment);
      expect(await client.signIn(signIn)).toMatch(/^\S+$/);
    } finally {
      await testEnvironment.stop();
    }
  });
});

interface Span {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  /** The traces that it refers to. */
  readonly links: readonly string[];
  readonly failed: boolean;
}

interface Collector {
  readonly url: string;
  spans(): readonly Span[];
  /** Returns all spans of the trace that contains a request with this id. */
  traceOf(requestId: string): Span[];
  stop(): Promise<void>;
}

/** The receiving end of OTLP over HTTP. */
async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url === "/v1/traces") spans.push(...readSpans(Buffer.concat(chunks).toString()));
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    traceOf: (requestId) => {
      const known = spans.find((span) => span.attributes["rowhouse.request.id"] === requestId);
      return spans.filter((span) => span.traceId === known?.traceId);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes?: readonly Attribute[];
        readonly links?: readonly { readonly traceId: string }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

function readSpans(text: string): Span[] {
  const { resourceSpans } = JSON.parse(text) as Export;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: attributesOf(resource.attributes)["service.name"] ?? "",
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        attributes: attributesOf(span.attributes ?? []),
        links: (span.links ?? []).map((link) => link.traceId),
        failed: span.status?.code === 2,
      })),
    ),
  );
}

function attributesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]),
  );
}
