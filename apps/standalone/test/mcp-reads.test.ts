// Tiers: usual, topologies.
import type { Client } from "@modelcontextprotocol/client";
import { createToken, expose } from "@rowhouse/testing";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool, connectMcp, connectMcp1 } from "./mcp-client.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

const digits = "12345678901234567890.123456789012345678901234567890";

let environment: TestEnvironment;
let client: Client;
let secret: string;
beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(`
    create schema shop;
    create table shop.makers (id int primary key, name text not null);
    create table shop.wares (
      id bigint primary key, maker_id int references shop.makers (id), name text not null, price numeric,
      doc jsonb, secret text
    );
    create table shop.hidden (id int primary key);
    comment on table shop.wares is 'What is sold';
    insert into shop.makers values (1, 'Ada'), (2, 'Grace');
    insert into shop.wares values
      (9007199254740993, 1, 'exact', ${digits}, '{"n": ${digits}, "list": [0.10, 1e30]}', 'x'),
      (2, 2, 'second', 0.10, '{}', 'y');
    insert into shop.wares select n, 1 + n % 2, 'ware ' || n, n, '{}', 'z' from generate_series(100, 399) n;`);
  await expose(database, "shop", "makers", "GET");
  await expose(database, "shop", "wares", "GET", "POST");
  await expose(database, "shop", "hidden", "GET");
  await grantRead("makers", {});
  const fields = ["id", "maker_id", "name", "price", "doc"];
  await grantRead("wares", { fields, rowFilter: { name: { _neq: "ware 399" } } });
  ({ secret } = await createToken(database, environment.member.id, "api"));
  await environment.set("mcp.enabled", true);
  client = await connectMcp(environment, secret);
});
afterAll(async () => {
  await client?.close();
  await environment.stop();
});

async function grantRead(table: string, rest: object): Promise<void> {
  const administer = (method: string, path: string, body?: object) =>
    environment.ask(method, `/admin/api${path}`, { as: environment.admin.secret, body });
  const [role] = (await administer("GET", "/roles?search=Members")).body.data;
  const [resource] = (await administer("GET", `/resources?search=shop.${table}`)).body.data;
  const grant = { roleId: role.id, resourceId: resource.id, action: "READ", ...rest };
  expect((await administer("POST", "/grants", { data: grant })).status).toBe(201);
}

const wares = { schema: "shop", name: "wares" };

describe("a refusal", () => {
  const unknown = { name: "read_rows", arguments: { schema: "shop", name: "nothing" } };

  it("reaches clients of both generations, which check results against the tool's schema", async () => {
    const first = await connectMcp1(environment, secret);
    try {
      for (const each of [client, first]) {
        const { tools } = await each.listTools();
        expect(tools.find(({ name }) => name === "read_rows")?.outputSchema).toBeDefined();
        const refused = await each.callTool(unknown);
        expect([refused.isError, refused.structuredContent]).toEqual([true, undefined]);
        const [block] = refused.content as { text: string }[];
        expect(JSON.parse(block?.text ?? "")).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
        const read = await each.callTool({ name: "read_rows", arguments: wares });
        expect([read.isError, typeof read.structuredContent]).toEqual([undefined, "object"]);
      }
    } finally {
      await first.close();
    }
  });
});

describe("numbers", () => {
  it("keep every digit in results, as structured content and as text", async () => {
    const raw = await environment.ask("POST", "/mcp", {
      as: secret,
      headers: { Accept: "application/json, text/event-stream" },
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "read_rows", arguments: { ...wares, key: ["9007199254740993"] } },
      },
    });
    const row = `{"id":"9007199254740993","maker_id":1,"name":"exact","price":"${digits}","doc":{"n": ${digits}, "list": [0.10, 1${"0".repeat(30)}]}}`;
    expect(raw.text).toContain(`"structuredContent":{"data":[${row}]`);
    expect(raw.text).toContain(JSON.stringify(`{"data":[${row}]`).slice(1, -1));
  });

  it("keep every digit in arguments", async () => {
    const where = `{"doc":{"_json_contains":{"n":${digits}}},"price":{"_eq":${digits}},"id":{"_eq":9007199254740993}}`;
    const send = (filter: string) =>
      environment.ask("POST", "/mcp", {
        as: secret,
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
        },
        raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_rows","arguments":{"schema":"shop","name":"wares","fields":["name"],"where":${filter}}}}`,
      });
    expect((await send(where)).body.result.structuredContent.data).toEqual([{ name: "exact" }]);
    const other = where.replace(`"_eq":${digits}`, `"_eq":${digits.replace(/0$/, "1")}`);
    expect((await send(other)).body.result.structuredContent.data).toEqual([]);
  });
});

describe("a result over mcp.max_result_bytes", () => {
  it("ends at a whole row and continues by its cursor until the last one", async () => {
    await environment.set("mcp.max_result_bytes", 4096);
    const names: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const page = await callTool(client, "read_rows", {
        ...wares,
        fields: ["name"],
        orderBy: ["name"],
        limit: 1000,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.isError).toBe(false);
      // The cursor and the other members are not part of the limit.
      expect(page.text.length).toBeLessThan(4096 + 1000);
      names.push(...page.content.data.map(({ name }: { name: string }) => name));
      cursor = page.content.nextCursor;
      expect(page.content.truncated).toBe(cursor === undefined ? undefined : true);
      pages += 1;
    } while (cursor !== undefined);
    expect([pages > 1, names.length, new Set(names).size]).toEqual([true, 301, 301]);
    await environment.set("mcp.max_result_bytes", 65_536);
  });

  it("is refused if one row alone is larger, with what to do", async () => {
    const { database } = environment.test;
    await database.query("insert into shop.wares values (50, 1, repeat('x', 70000))");
    const { isError, content } = await callTool(client, "read_rows", { ...wares, key: ["50"] });
    expect([isError, content.errors[0].path]).toEqual([true, "/fields"]);
    const fewer = await callTool(client, "read_rows", { ...wares, key: ["50"], fields: ["id"] });
    expect(fewer.content.data).toEqual([{ id: "50" }]);
    await database.query("delete from shop.wares where id = 50");
  });
});

describe("aggregate_rows", () => {
  it("counts and sums by the fields of related rows, only of the rows that the owner may see", async () => {
    const { content } = await callTool(client, "aggregate_rows", {
      ...wares,
      aggregate: ["count", "max(price)"],
      groupBy: ["maker.name"],
      where: { id: { _gte: 100, _lt: 1000 } },
      orderBy: ["maker.name"],
    });
    // Ware 399 belongs to Grace.
    expect(content.data).toEqual([
      { "maker.name": "Ada", count: 150, max_price: "398" },
      { "maker.name": "Grace", count: 149, max_price: "397" },
    ]);
  });

  it("reports faults with the path of the argument", async () => {
    const faultsOf = async (input: Record<string, unknown>) => {
      const { content } = await callTool(client, "aggregate_rows", { ...wares, ...input });
      return content.errors.map((fault: { path: string }) => fault.path);
    };
    expect(await faultsOf({ aggregate: ["sum(secret)"] })).toEqual(["/aggregate"]);
    expect(await faultsOf({ aggregate: ["count"], groupBy: ["nope"] })).toEqual(["/groupBy"]);
    expect(await faultsOf({ aggregate: [] })).toEqual(["/aggregate"]);
  });
});

describe("what the caller may know", () => {
  it("is all that resources, searches and explanations name", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "rowhouse://schema/public/things",
      "rowhouse://schema/shop/makers",
      "rowhouse://schema/shop/wares",
    ]);
    const { contents } = await client.readResource({ uri: "rowhouse://schema/shop/wares" });
    const [first] = contents;
    const text = first !== undefined && "text" in first ? first.text : "";
    expect(JSON.parse(text)).toMatchObject({ description: "What is sold", key: ["id"] });
    const full = await callTool(client, "search_resources", { detail: "full" });
    for (const answer of [text, full.text]) {
      expect(answer).not.toContain("secret");
      expect(answer).not.toContain("hidden");
    }
    expect((await callTool(client, "search_resources", { query: "secret" })).content.data).toEqual(
      [],
    );
    const { content } = await callTool(client, "explain_access", wares);
    expect(content.data).toEqual([
      {
        action: "READ",
        allowed: true,
        rows: "SOME",
        fields: ["id", "maker_id", "name", "price", "doc"],
      },
      ...["CREATE", "UPDATE", "DELETE"].map((action) => ({
        action,
        allowed: false,
        reason: "No role of the owner permits it",
      })),
    ]);
  });

  it("does not tell a hidden resource from a missing one", async () => {
    for (const [tool, input] of [
      ["read_rows", {}],
      ["aggregate_rows", { aggregate: ["count"] }],
      ["explain_access", {}],
      ["search_resources", {}],
    ] as const) {
      const [hidden, missing] = await Promise.all(
        ["hidden", "absent"].map((name) =>
          callTool(client, tool, { ...input, schema: "shop", name }),
        ),
      );
      expect([tool, hidden]).toEqual([tool, missing]);
    }
    for (const name of ["hidden", "absent"]) {
      const uri = `rowhouse://schema/shop/${name}`;
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
    }
  });
});

describe("prompts", () => {
  it("are constant texts with one checked argument", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      "answer_question",
      "describe_data",
      "explain_my_access",
    ]);
    const question = "How many?";
    const got = await client.getPrompt({ name: "answer_question", arguments: { question } });
    expect(JSON.stringify(got.messages)).toContain(question);
    await expect(client.getPrompt({ name: "answer_question" })).rejects.toThrow(/required/);
    const wrong = { question, nope: "1" };
    await expect(client.getPrompt({ name: "answer_question", arguments: wrong })).rejects.toThrow(
      /Unknown argument/,
    );
  });
});

describe("the next call", () => {
  it("is refused after a right or the setting was taken, also where the statement proves it", async () => {
    const read = () => callTool(client, "read_rows", { ...wares, limit: 1 });
    const explain = () => callTool(client, "explain_access", wares);
    const { database } = environment.test;
    const { secret: other, id } = await createToken(database, environment.member.id, "api");
    const second = await connectMcp(environment, other);
    expect((await callTool(second, "read_rows", { ...wares, limit: 1 })).isError).toBe(false);
    await database.query("update system.tokens set revoked_at = now() where id = $1::text::uuid", [
      id,
    ]);
    await expect(callTool(second, "read_rows", wares)).rejects.toThrow();

    expect((await read()).isError).toBe(false);
    await environment.set("mcp.enabled", false);
    await expect(read()).rejects.toThrow();
    await expect(explain()).rejects.toThrow();
    await environment.set("mcp.enabled", true);

    await database.query(
      "update system.resources set exposed_methods = '{}' where relation_name = 'makers'",
    );
    const gone = await callTool(client, "read_rows", { schema: "shop", name: "makers" });
    expect(gone.content.errors[0].code).toBe("NOT_FOUND");
  });
});

describe("the cost in tokens", () => {
  it("is at most 1,500 for the tools that read, and 2,000 for a typical session with them", async () => {
    const { tools } = await client.listTools();
    const list = encode(JSON.stringify(tools)).length;
    const instructions = encode(client.getInstructions() ?? "").length;
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ["search_resources", {}],
      ["search_resources", { ...wares }],
      ["aggregate_rows", { ...wares, aggregate: ["count", "avg(price)"] }],
      ["read_rows", { ...wares, fields: ["name", "price"], orderBy: ["-price"], limit: 10 }],
    ];
    let session = list + instructions;
    for (const [name, input] of calls) {
      session += encode(JSON.stringify(input)).length;
      session += encode((await callTool(client, name, input)).text).length;
    }
    expect(tools.length).toBe(4);
    // docs/mcp.md names these numbers, rounded up.
    expect(list + instructions).toBeLessThanOrEqual(1500);
    expect(session).toBeLessThanOrEqual(2000);
  });
});
