import { AppError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  compileDefinition,
  type DefinitionInput,
  listTools,
  parseDefinition,
  publishWorkflow,
  removeInvokeGrant,
  runTool,
  setWorkflowEnabled,
  updateWorkflow,
  type WorkflowToolCall,
} from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ maxSyncWaitMs: 20_000 });
});
afterAll(() => environment.close());

const steps = [{ id: "end", kind: "finish", result: "{{start.data}}" }] as const;
const inputSchema = {
  type: "object",
  properties: {
    plate: { type: "string", minLength: 2, maxLength: 4, description: "The plate" },
    distance: { type: "number", minimum: 0 },
    count: { type: ["integer", "null"], maximum: 9 },
    color: { type: "string", enum: ["red", "blue"] },
    stops: {
      type: "array",
      maxItems: 2,
      items: {
        type: "object",
        properties: { city: { type: "string" }, "a/b": { type: "boolean" } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  },
  required: ["plate"],
  additionalProperties: false,
};
const mark = (input?: Readonly<Record<string, unknown>>) => ({
  access: "AUTHENTICATED" as const,
  tool: { description: "Books a trip.", ...(input === undefined ? {} : { input }) },
});

const publish = async (
  trigger: Partial<DefinitionInput["trigger"]> = mark(inputSchema),
  more: DefinitionInput["steps"] = steps.map((step) => ({ ...step })),
) => {
  const workflow = await environment.publish(more, trigger);
  await environment.allow(workflow);
  return workflow;
};

const run = (slug: string, more: Partial<WorkflowToolCall> = {}) =>
  runTool(environment.webhookDeps, {
    slug,
    input: undefined,
    idempotencyKey: crypto.randomUUID(),
    caller: environment.caller,
    ip: "203.0.113.7",
    requestId: null,
    ...more,
  });

const dataOf = async (answer: ReturnType<typeof run>) => JSON.parse((await answer).body).data;

async function faultsOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw error ?? new Error("the call succeeded");
  return error.faults.map(({ code, path, message }) => [code, path, message]);
}

const faultsOfTool = (trigger: object) =>
  compileDefinition(
    parseDefinition({ trigger: { kind: "webhook", ...trigger }, steps }, ""),
  ).faults.map(({ path, message }) => [path, message]);

describe("the mark of a tool", () => {
  it("is published with a closed schema of its input, or without input", () => {
    expect(faultsOfTool(mark(inputSchema))).toEqual([]);
    expect(faultsOfTool(mark())).toEqual([]);
  });

  it("requires an authenticated POST without a signature", () => {
    expect(
      faultsOfTool({
        ...mark(),
        access: "PUBLIC",
        executeAs: "00000000-0000-4000-8000-000000000000",
      }),
    ).toEqual([["/trigger/tool", "A tool requires access AUTHENTICATED"]]);
    expect(faultsOfTool({ ...mark(), method: "GET" })).toEqual([
      ["/trigger/tool", "A tool requires method POST"],
    ]);
    expect(faultsOfTool({ ...mark(), signature: { kind: "GITHUB", secrets: ["A"] } })).toEqual([
      ["/trigger/tool", "A tool must have no signature"],
    ]);
  });

  const object = (properties: object, more: object = {}) => ({
    ...{ type: "object", properties, additionalProperties: false, ...more },
  });
  let deep: object = { type: "string" };
  for (let depth = 0; depth < 10; depth += 1) deep = { type: "array", items: deep };
  const many = Object.fromEntries(
    Array.from({ length: 101 }, (_, at) => [`p${at}`, { type: "null" }]),
  );
  it.each([
    [{ type: "string" }, ""],
    [{ type: "object", properties: {} }, "/additionalProperties"],
    [object({}, { additionalProperties: true }), "/additionalProperties"],
    [object({}, { additionalProperties: false, properties: [] }), "/properties"],
    [object({}, { required: ["b"] }), "/required"],
    [object({}, { required: "b" }), "/required"],
    [object({}, { $ref: "#" }), "/$ref"],
    [object({ a: { type: "string", pattern: "(a+)+$" } }), "/properties/a/pattern"],
    [object({ a: { type: "text" } }), "/properties/a/type"],
    [object({ a: { type: ["string", "string"] } }), "/properties/a/type"],
    [object({ a: 1 }), "/properties/a"],
    [object({ a: { type: "string", maxLength: -1 } }), "/properties/a/maxLength"],
    [object({ a: { type: "integer", minimum: "1" } }), "/properties/a/minimum"],
    [object({ a: { type: "string", enum: [] } }), "/properties/a/enum"],
    [object({ a: { type: "string", enum: [{}] } }), "/properties/a/enum"],
    [object({ a: { type: "string", title: 1 } }), "/properties/a/title"],
    [object({ a: { type: "array" } }), "/properties/a/items"],
    [object({ "a/b": { type: "object" } }), "/properties/a~1b/additionalProperties"],
    [object({ a: deep }), `/properties/a${"/items".repeat(7)}`],
    [object(many), ""],
    [object({ a: { type: "string", description: "x".repeat(20_000) } }), ""],
  ])("is not published with an unsupported or open schema (%#)", (input, path) => {
    const [first, ...rest] = faultsOfTool(mark(input));
    expect(first?.[0]).toBe(`/trigger/tool/input${path}`);
    expect(rest.every(([at]) => at?.startsWith("/trigger/tool/input"))).toBe(true);
  });
});

describe("a workflow that is a tool", () => {
  it("runs with its input as the body, with every digit", async () => {
    const { slug } = await publish();
    const input = parseExactJson(
      '{"plate":"B-1","distance":0.10000000000000000000001,"count":null,"stops":[{"city":"Köln","a/b":true}]}',
    );
    const answer = await run(slug, { input });
    expect(answer).toMatchObject({ status: 200, isRepeated: false });
    expect(answer.body).toContain('"distance":0.10000000000000000000001');
    expect(JSON.parse(answer.body).data).toMatchObject({
      status: "SUCCEEDED",
      result: { query: {}, body: { plate: "B-1" }, meta: { ip: "203.0.113.7", headers: {} } },
      error: null,
    });
  });

  it("refuses an input that its schema does not accept, with the path of each fault, and starts nothing", async () => {
    const { slug, id } = await publish();
    const input = parseExactJson(
      '{"distance":-0.5,"count":10,"color":"green","stops":[{"a/b":1},{"city":"x"},{"city":"y"}],"more":1}',
    );
    expect(await faultsOf(run(slug, { input }))).toEqual([
      ["BODY_INVALID", "/input/plate", "This field is required"],
      ["BODY_INVALID", "/input/distance", "Must be at least 0"],
      ["BODY_INVALID", "/input/count", "Must be at most 9"],
      ["BODY_INVALID", "/input/color", 'Must be one of "red", "blue"'],
      ["BODY_INVALID", "/input/stops", "Must have at most 2 items"],
      ["BODY_INVALID", "/input/more", "Unknown field"],
    ]);
    const stops = [{ "a/b": 1 }];
    expect(await faultsOf(run(slug, { input: { plate: "🚗", count: 1.5, stops } }))).toEqual([
      ["BODY_INVALID", "/input/plate", "Must have from 2 to 4 characters"],
      ["BODY_INVALID", "/input/count", "Must be of the type integer or null"],
      ["BODY_INVALID", "/input/stops/0/city", "This field is required"],
      ["BODY_INVALID", "/input/stops/0/a~1b", "Must be of the type boolean"],
    ]);
    expect(await faultsOf(run(slug, { input: { plate: "a\0b" } }))).toEqual([
      ["BODY_INVALID", "/input/plate", "The text contains a character that cannot be stored"],
    ]);
    expect(
      await environment.database.query(
        "select from system.workflow_runs where workflow_id = $1::text::uuid",
        [id],
      ),
    ).toEqual([]);
  });

  it("without a schema takes no input", async () => {
    const { slug } = await publish(mark());
    expect(await dataOf(run(slug))).toMatchObject({ status: "SUCCEEDED", result: { body: {} } });
    expect(await faultsOf(run(slug, { input: { a: 1 } }))).toEqual([
      ["BODY_INVALID", "/input", "The workflow takes no input"],
    ]);
  });

  it("is reported like an unknown one without mark, grant or version", async () => {
    const unknown = await faultsOf(run("unknown"));
    const plain = await publish({ access: "AUTHENTICATED" });
    const open = await publish({});
    const closed = await environment.publish([...steps], mark());
    const disabled = await publish(mark());
    await setWorkflowEnabled(environment.database, disabled.id, false, actor);
    for (const { slug } of [plain, open, closed, disabled]) {
      expect(await faultsOf(run(slug))).toEqual(unknown);
    }
  });

  it("stops being a tool with the next version, and being runnable with its grant", async () => {
    const { slug, id } = await publish(mark());
    expect(await dataOf(run(slug))).toMatchObject({ status: "SUCCEEDED" });
    const definition = {
      trigger: { kind: "webhook" as const, access: "AUTHENTICATED" as const },
      steps: [...steps],
    };
    const { database } = environment;
    await updateWorkflow(database, id, { definition }, actor);
    await publishWorkflow({ database, vault }, id, actor);
    expect((await faultsOf(run(slug)))[0]?.[0]).toBe("WORKFLOW_NOT_FOUND");
    const other = await publish(mark());
    const [roleId = ""] = environment.caller.roleIds;
    await removeInvokeGrant(database, other.id, roleId, actor);
    expect((await faultsOf(run(other.slug)))[0]?.[0]).toBe("WORKFLOW_NOT_FOUND");
  });

  it("runs once for a key, waits again for its result, and refuses the key for another input", async () => {
    const { slug } = await publish();
    const call = { input: { plate: "AB" }, idempotencyKey: "one" };
    const [first, second] = await Promise.all([run(slug, call), run(slug, call)]);
    expect(second.body).toBe(first.body);
    expect([first.isRepeated, second.isRepeated].sort()).toEqual([false, true]);
    expect(await faultsOf(run(slug, { ...call, input: { plate: "CD" } }))).toMatchObject([
      ["IDEMPOTENCY_CONFLICT", undefined, expect.any(String)],
    ]);
  });

  it("redacts its input before the run is stored, and returns the run that outlives the wait", async () => {
    const secret = { type: "object", properties: { key: { type: "string" } } };
    const waiting = await publish(
      {
        ...mark({ ...secret, additionalProperties: false }),
        redactBody: ["/key"],
        waitSeconds: 1,
      },
      [{ id: "wait", kind: "delay", seconds: 3600 }],
    );
    const error = await run(waiting.slug, { input: { key: "canary" } }).catch((it) => it);
    expect(error).toMatchObject({
      code: "WORKFLOW_SYNC_TIMEOUT",
      meta: { run: expect.any(String) },
    });
    const [row] = await environment.database.query<{ input: string }>(
      "select input::text as input from system.workflow_runs where id = $1::text::uuid",
      [error.meta.run],
    );
    expect(row?.input).toContain("[redacted]");
    expect(row?.input).not.toContain("canary");
  });
});

describe("the list of tools", () => {
  it("has the tools of the caller's roles only, by slug, with a part of a text and a page", async () => {
    const { database } = environment;
    const { roleIds } = environment.caller;
    const before = await listTools(database, { roleIds, limit: 1000 });
    const one = await publish(mark(inputSchema));
    const hidden = await environment.publish([...steps], mark());
    await publish({ access: "AUTHENTICATED" });
    const tools = await listTools(database, { roleIds, limit: 1000 });
    expect(tools).toHaveLength(before.length + 1);
    expect(tools.map(({ slug }) => slug)).toEqual(tools.map(({ slug }) => slug).toSorted());
    expect(tools.find(({ slug }) => slug === one.slug)).toEqual({
      slug: one.slug,
      name: one.slug,
      description: "Books a trip.",
      input: inputSchema,
      isSynchronous: true,
    });
    const slugs = async (more: object) =>
      (await listTools(database, { roleIds, limit: 1000, ...more })).map(({ slug }) => slug);
    expect(await slugs({ slug: one.slug })).toEqual([one.slug]);
    expect(await slugs({ slug: hidden.slug })).toEqual([]);
    expect(await slugs({ query: "BOOKS A" })).toContain(one.slug);
    expect(await slugs({ query: "100%" })).toEqual([]);
    const [first = "", second] = tools.map(({ slug }) => slug);
    expect(await slugs({ after: first, limit: 1 })).toEqual([second]);
    expect(await slugs({ roleIds: [] })).toEqual([]);
  });
});
