// Tiers: usual, topologies.
import { createToken } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listTools, useTool } from "./mcp-call.ts";
import { addWorkflowTool } from "./mcp-workflows.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
let token: string;
const query = (text: string) => environment.test.database.query<Record<string, string>>(text);
const input = {
  type: "object",
  properties: { plate: { type: "string" }, km: { type: "number" } },
  required: ["plate"],
  additionalProperties: false,
};

beforeAll(async () => {
  environment = await openTestEnvironment();
  token = (await createToken(environment.test.database, environment.member.id, "api")).secret;
  await environment.set("mcp.enabled", true);
  await environment.set("mcp.allow_workflows", true);
  await addWorkflowTool(environment, "book", "Members", { description: "Books a trip.", input });
  await addWorkflowTool(environment, "archive", "Members");
  await addWorkflowTool(environment, "hidden", null);
});
afterAll(() => environment.stop());
beforeEach(() => environment.set("mcp.allow_workflows", true));

const find = async (more: object = {}) => {
  const { content } = await useTool(environment, token, "search_resources", {
    ...{ kind: "workflows", ...more },
  });
  return content;
};
const run = (slug: string, more: string | object = {}) =>
  useTool(environment, token, "run_workflow", {
    ...{ slug, idempotencyKey: crypto.randomUUID() },
    ...(typeof more === "string" ? {} : more),
  });

describe("search_resources", () => {
  it("lists the workflows that the caller may run, page by page and in more detail", async () => {
    const named = await find();
    expect(named.data).toEqual([
      { slug: "archive", description: "Tool archive." },
      { slug: "book", description: "Books a trip." },
    ]);
    const { nextCursor, data } = await find({ limit: 1 });
    expect(data).toHaveLength(1);
    expect((await find({ limit: 1, cursor: nextCursor })).data).toEqual([named.data[1]]);
    expect((await find({ query: "books" })).data).toEqual([named.data[1]]);
    expect((await find({ name: "book" })).data).toEqual([
      { slug: "book", name: "book", description: "Books a trip.", input, isSynchronous: false },
    ]);
    expect((await find({ name: "hidden" })).data).toEqual([]);
    await environment.set("mcp.allow_workflows", false);
    expect((await find()).data).toEqual([]);
  });
});

describe("run_workflow", () => {
  it("exists only with mcp.allow_workflows, also while mcp.access is READ_ONLY", async () => {
    expect(await listTools(environment, token)).toContain("run_workflow");
    await environment.set("mcp.allow_workflows", false);
    expect(await listTools(environment, token)).not.toContain("run_workflow");
    expect((await run("archive")).faults).toEqual(["Unknown tool: run_workflow"]);
  });

  it("starts a run once for a key, with every digit of its input and the token of its caller", async () => {
    const call = `{"slug":"book","idempotencyKey":"one","input":{"plate":"B-1","km":0.10000000000000000000001}}`;
    const first = await useTool(environment, token, "run_workflow", call);
    expect(first.content.data).toEqual({ run: expect.any(String) });
    const second = await useTool(environment, token, "run_workflow", call);
    expect(second.content).toMatchObject({ data: first.content.data, replayed: true });
    const [row] = await query(
      `select input::text as input, caller_user_id::text as caller, token_plane from system.workflow_runs where id = '${first.content.data.run}'`,
    );
    expect(row).toMatchObject({ caller: environment.member.id, token_plane: "api" });
    expect(row?.input).toContain("0.10000000000000000000001");
    const other = await run("book", { idempotencyKey: "one", input: { plate: "other" } });
    expect(other.faults).toEqual(["IDEMPOTENCY_CONFLICT"]);
  });

  it("refuses an invalid input with its paths, and hides workflows without a grant", async () => {
    expect((await run("book", { input: { km: "far", more: 1 } })).faults).toEqual([
      ...["BODY_INVALID /input/plate", "BODY_INVALID /input/km", "BODY_INVALID /input/more"],
    ]);
    expect((await run("book")).faults).toEqual(["BODY_INVALID /input/plate"]);
    const unknown = await run("nothing");
    expect(unknown.faults).toEqual(["WORKFLOW_NOT_FOUND"]);
    expect((await run("hidden")).content).toEqual(unknown.content);
    expect((await run("archive", { idempotencyKey: undefined })).faults).toEqual([
      "BODY_INVALID /idempotencyKey",
    ]);
  });

  it("is refused at once after the grant was revoked or the workflow disabled", async () => {
    expect((await run("archive")).faults).toEqual([]);
    await query("update system.workflows set enabled = false where slug = 'archive'");
    expect((await run("archive")).faults).toEqual(["WORKFLOW_NOT_FOUND"]);
    await query("update system.workflows set enabled = true where slug = 'archive'");
    expect((await run("archive")).faults).toEqual([]);
    await query(
      "delete from system.workflow_invoke_grants g using system.workflows w where w.id = g.workflow_id and w.slug = 'archive'",
    );
    expect((await run("archive")).faults).toEqual(["WORKFLOW_NOT_FOUND"]);
    expect((await find()).data.map(({ slug }: { slug: string }) => slug)).toEqual(["book"]);
  });

  it("passes an input with the keys of JavaScript's objects on as data", async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"array","items":{"type":"number"}}}',
    ) as object;
    await addWorkflowTool(environment, "odd", "Members", {
      description: "Any key.",
      input: { ...input, properties, required: ["__proto__"] },
    });
    const sent = '{"__proto__":"a","constructor":[1]}';
    const call = (data: string) => `{"slug":"odd","idempotencyKey":"odd","input":${data}}`;
    const started = await useTool(environment, token, "run_workflow", call(sent));
    expect(started.faults).toEqual([]);
    const [row] = await query(
      `select input::text as input from system.workflow_runs where id = '${started.content.data.run}'`,
    );
    expect(row?.input).toContain(`"body":${sent}`);
    const refused = await useTool(environment, token, "run_workflow", call('{"constructor":[1]}'));
    expect(refused.faults).toEqual(["BODY_INVALID /input/__proto__"]);
    const other = call('{"__proto__":"a","prototype":1}');
    expect((await useTool(environment, token, "run_workflow", other)).faults).toEqual([
      "BODY_INVALID /input/prototype",
    ]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});
