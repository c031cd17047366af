// Tier: long. One of the longest files.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMutex } from "@rowhouse/limits";
import { liveBytes } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ComputeBudget } from "../src/base/compute-budget.ts";
import { compileCondition } from "../src/compile/condition.ts";
import type { DefinitionInput } from "../src/index.ts";
import { claimRun } from "../src/run/claim-run.ts";
import { Execution } from "../src/run/execution.ts";
import { TimeLimit } from "../src/run/time-limit.ts";
import { createJournalWriter } from "../src/run/write-journal.ts";
import { compileTemplates, renderTree } from "../src/template/render-template.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

/** Each item has a condition of the greatest cost, whose fault is handled. */
const costlyLoop: DefinitionInput["steps"][number] = {
  id: "each",
  kind: "forEach",
  items: "{{start.data.body.some}}",
  steps: [
    {
      id: "test",
      kind: "condition",
      expression: "start.data.body.items.all(x, start.data.body.items.exists(y, y < x))",
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      then: [],
      onError: "continue",
    },
  ],
};

/** A body that an anonymous caller of a public webhook can send within the limit of 1 MiB. */
const items = Array.from({ length: 25_000 }, (_, index) => index);
const letters = "a".repeat(400_000);
const body = {
  items,
  rows: items.map((index) => ({ price: index })),
  keys: Object.fromEntries(items.map((index) => [`k${index}`, index])),
  letters,
  needle: `${"a".repeat(100_000)}b${"a".repeat(100_000)}`,
  zone: "Asia/Kolkata",
  lists: `[${"[],".repeat(100_000)}1]`,
};

const contextOf = (data: unknown) => ({ start: { data }, steps: {}, vars: {}, errors: {} });

function faultOf(work: () => unknown): { readonly code: string; readonly message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      return { code: String(error.code), message: error.message };
    }
    throw error;
  }
  throw new Error("there was no fault");
}

describe("a condition", () => {
  it.each([
    "b.items.all(x, b.items.exists_one(y, y == x))",
    "b.items.all(x, b.items.all(y, b.items.all(z, true)))",
    "b.items.all(x, !(-1 in b.items))",
    "b.items.filter(x, b.items.exists(y, y == -1)).size() == 0",
    "b.items.all(x, b.keys.exists(k, true))",
    "b.items.map(x, b.items.map(y, y)).size() > 0",
    "b.rows.all(x, b.rows == b.rows.map(y, y))",
    // `all()` and `||` absorb errors.
    "b.rows.all(x, x.missing == 1)",
    'b.items.all(x, int("x") == 1 || true)',
    // Texts that grow.
    "b.letters.contains(b.needle)",
    'b.letters.lastIndexOf(b.letters + "b") == 0',
    'b.items.all(x, b.letters < b.letters + "b")',
    'b.items.all(x, b.letters + string(x) != "")',
    "b.items.map(x, b.letters).join().size() > 0",
    'b.items.all(x, b.letters.split("").size() > 0)',
    "b.items.all(x, b.letters.lowerAscii() == b.letters)",
    "b.items.all(x, bytes(b.letters).base64().size() > 0)",
    "b.items.all(x, size(bytes(b.lists).json()) > 0)",
    "cel.bind(c, b.letters + b.letters, cel.bind(d, c + c, cel.bind(e, d + d, cel.bind(f, e + e, size(f + f) > 0))))",
    "cel.bind(c, b.items + b.items, cel.bind(d, c + c, cel.bind(e, d + d, cel.bind(f, e + e, size(f + f) > 0))))",
    // Each call builds a formatter.
    "b.items.all(x, timestamp(0).getHours(b.zone) >= 0)",
    'b.items.all(x, duration("1s") < duration("2s"))',
  ])("an expression stops at its cost limit: %s", (expression) => {
    const condition = compileCondition(expression.replaceAll(/\bb\./g, "start.data.body."));
    expect(faultOf(() => condition.evaluate(contextOf({ body }))).code).toBe(
      "CONDITION_TOO_COSTLY",
    );
  });

  it.each([
    ...[
      "size(t) > 0",
      "t.size() > 0",
      't.trim() != ""',
      't.lowerAscii() != ""',
      't.upperAscii() != ""',
    ],
    ...["size(bytes(t)) > 0", "double(t) > 0.0", "int(t) > 0", "uint(t) > 0u"],
    ...['t.contains("11")', 't.indexOf("11") < 9', 't.indexOf("11", 0) < 9'],
    ...['t.lastIndexOf("11") < 9', 't.lastIndexOf("11", 0) < 9'],
    ...[
      '"1".startsWith(t)',
      '"1".endsWith(t)',
      't.split("2").size() > 0',
      't.split("2", 1).size() > 0',
    ],
    ...['[t].join() != ""', '["1", "1"].join(t) != ""', 't + "1" != ""', "[t] == [t]", "t in [t]"],
    ...["t == t", "t < t || true", "t <= t", "t > t || true", "t >= t"],
  ])("work that grows with a text costs more for a longer text: %s", (expression) => {
    const condition = compileCondition(`cel.bind(t, string(start.data.body), ${expression})`);
    expect(() =>
      condition.evaluate(contextOf({ body: "1" }), new ComputeBudget(1000)),
    ).not.toThrow();
    const long = contextOf({ body: "1".repeat(300_000) });
    expect(faultOf(() => condition.evaluate(long, new ComputeBudget(1000))).code).toBe(
      "RUN_TOO_COSTLY",
    );
  });

  it.each([
    ...['string(t) != ""', 't.string() != ""', 't.hex() != ""', 't.base64() != ""'],
    ...["t.json().size() > 0", 't + b"1" != t', "t == t"],
  ])("work that grows with bytes costs more for more bytes: %s", (expression) => {
    const condition = compileCondition(`cel.bind(t, bytes(start.data.body), ${expression})`);
    const short = contextOf({ body: "{}" });
    expect(() => condition.evaluate(short, new ComputeBudget(1000))).not.toThrow();
    const long = contextOf({ body: `{"a": "${"1".repeat(300_000)}"}` });
    expect(faultOf(() => condition.evaluate(long, new ComputeBudget(20_000))).code).toBe(
      "RUN_TOO_COSTLY",
    );
  });

  it("an expression reads any key of an object that it parses", () => {
    const condition = compileCondition(
      "cel.bind(o, bytes(start.data.body).json(), o.constructor == 1.0 && !has(o.toString))",
    );
    expect(condition.evaluate(contextOf({ body: '{"constructor": 1}' }))).toBe(true);
  });

  it("the types of nested values that callers send are not kept", () => {
    const condition = compileCondition("start.data.body != 1");
    const shapeOf = (number: number): unknown =>
      Array.from({ length: 14 }).reduce<unknown>(
        (inner, _, level) => ((number >> level) & 1 ? [inner] : { a: inner }),
        true,
      );
    const evaluateShapes = (from: number, to: number) => {
      for (let number = from; number < to; number++) {
        condition.evaluate(contextOf({ body: shapeOf(number) }));
      }
    };
    evaluateShapes(0, 100);
    const before = liveBytes();
    evaluateShapes(100, 16_384);
    expect(liveBytes() - before).toBeLessThan(5_000_000);
  });

  it("a duration whose text would make its pattern backtrack is rejected", () => {
    const condition = compileCondition('duration(start.data.body) > duration("1s")');
    const { code, message } = faultOf(() =>
      condition.evaluate(contextOf({ body: `${"1".repeat(100_000)}x` })),
    );
    expect({ code, message }).toEqual({
      code: "CONDITION_ERROR",
      message: "A duration has at most 40 characters",
    });
  });

  it.each([
    "b.items.all(x, x >= 0)",
    "b.items.exists(x, x == 24999)",
    "b.rows.filter(x, x.price > 10).size() == 24989",
    "size(b.items) == 25000 && b.items.map(x, x + 1).exists(x, x == 25000)",
    'b.letters.contains("b") == false',
    "b.items == b.items.map(x, x)",
  ])("an expression can iterate once over the largest body: %s", (expression) => {
    const condition = compileCondition(expression.replaceAll(/\bb\./g, "start.data.body."));
    expect(condition.evaluate(contextOf({ body }))).toBe(true);
  });

  it("an expression costs only the values that it reads", () => {
    const budget = new ComputeBudget(100);
    const condition = compileCondition('item.price > 3 && start.data.meta["x-y"] == "z"');
    const context = {
      ...contextOf({ body, meta: { "x-y": "z" } }),
      item: { price: 4, more: items },
    };
    expect(condition.evaluate(context, budget)).toBe(true);
    expect(faultOf(() => condition.evaluate(contextOf({ body }), new ComputeBudget(2))).code).toBe(
      "RUN_TOO_COSTLY",
    );
  });

  it("an expression receives the whole of a part that it names", () => {
    const holds = (expression: string) =>
      compileCondition(expression).evaluate({
        ...contextOf({ body: { a: { b: 1, c: 2 }, d: 3 } }),
        vars: { only: true },
      });
    expect(holds("start.data.body.a.b == 1 && size(start.data.body.a) == 2")).toBe(true);
    expect(holds('start.data.body == {"a": {"b": 1, "c": 2}, "d": 3}')).toBe(true);
    expect(holds('start["data"].body.exists(k, k == "d") && start.data.body.d == 3')).toBe(true);
    expect(holds("start.data[?'body'].?a.?b.orValue(0) == 1 && !has(start.data.body.e)")).toBe(
      true,
    );
    expect(holds("cel.bind(s, start, s.data.body.d == 3) && size(vars) == 1")).toBe(true);
  });
});

describe("a template", () => {
  const render = (value: unknown, data: unknown) =>
    renderTree(
      compileTemplates(value, () => {}),
      contextOf(data),
    );

  it("a step writes no more text than its limit, however often a template names a large value", () => {
    const { code } = faultOf(() => render("{{start.data}}".repeat(5000), letters));
    expect(code).toBe("INPUT_TOO_LARGE");
    expect(
      faultOf(() =>
        render(
          Array.from({ length: 5000 }, () => "x{{start.data}}"),
          items,
        ),
      ).code,
    ).toBe("INPUT_TOO_LARGE");
    expect(render("x{{start.data}}", letters)).toBe(`x${letters}`);
  });
});

describe("a run", () => {
  let environment: TestEnvironment;
  let deep: string;
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(`{"a": 1.50, "list": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  });

  beforeAll(async () => {
    environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"] });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    deep = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.close();
    await environment.close();
  });

  it("a run whose condition costs too much is FAILED and names the step", async () => {
    const { slug } = await environment.publish([
      {
        id: "unique",
        kind: "condition",
        expression: "start.data.body.items.all(x, start.data.body.items.exists_one(y, y == x))",
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [],
      },
    ]);
    const { body: answer } = await environment.call(slug, { body: { items } });
    expect(answer.data).toMatchObject({
      status: "FAILED",
      error: { code: "CONDITION_TOO_COSTLY", step: "unique" },
    });
  });

  it("a run whose conditions together cost too much is FAILED, even if each fault is handled", async () => {
    const { slug } = await environment.publish([costlyLoop]);
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const { body: answer } = await environment.call(slug, {
      body: { items, some: items.slice(0, 9000) },
    });
    isOver = true;
    expect(answer.data).toMatchObject({ status: "FAILED", error: { code: "RUN_TOO_COSTLY" } });
    // The process did other work meanwhile: each of the fifty evaluations that the run can afford may be one turn.
    expect(turns).toBeGreaterThan(40);
  });

  it("a run that only computes ends at its time limit", async () => {
    const idle = await openTestEnvironment({ workers: 0 });
    const { slug } = await idle.publish([costlyLoop], { response: "ASYNCHRONOUS" });
    const { body: answer } = await idle.call(slug, { body: { items, some: items.slice(0, 9000) } });
    const claim = await claimRun(idle.database, answer.data.run, "a worker");
    if (claim === undefined) throw new Error("the run was not claimed");
    const hold = {
      lost: new AbortController().signal,
      isStopping: () => false,
      handBack: new AbortController().signal,
      moved: () => {},
      isLate: () => false,
    };
    const journal = createJournalWriter(idle.database);
    // One millisecond of its time limit is left.
    const execution = new Execution(
      { database: idle.database, journal, watched: createMutex(), report: () => {} },
      claim,
      hold,
      new TimeLimit(1),
    );
    const executed = await execution.run(await idle.versions.load(claim.versionId), () => {
      throw new Error("the run has no effects");
    });
    expect(executed.kind).toBe("ENDED");
    expect((await idle.readRun(claim.runId)).error?.code).toBe("RUN_TIMED_OUT");
    await idle.close();
  });

  it("a response that is nested 100,000 levels deep fails the step", async () => {
    const { slug } = await environment.publish([
      { id: "ask", kind: "httpRequest", url: deep, onError: "continue" },
      { id: "end", kind: "finish", result: "{{errors.ask}}" },
    ]);
    const { body: answer } = await environment.call(slug);
    expect(answer.data).toMatchObject({
      status: "SUCCEEDED",
      result: {
        code: "HTTP_BODY_INVALID",
        message: "The response body is nested more than 200 levels deep",
        step: "ask",
      },
    });
  });

  it("a row that is nested deeper than a run can store fails the step", async () => {
    await environment.database.query(
      "insert into public.trip (note, meta) values ('deep', (repeat('[', 3000) || repeat(']', 3000))::jsonb)",
    );
    const { slug } = await environment.publish([
      {
        id: "read",
        kind: "listRows",
        table: "trip",
        where: { note: { _eq: "deep" } },
        onError: "continue",
      },
      { id: "end", kind: "finish", result: "{{errors.read}}" },
    ]);
    const { body: answer } = await environment.call(slug);
    expect(answer.data).toMatchObject({
      status: "SUCCEEDED",
      result: {
        code: "OUTPUT_TOO_DEEP",
        message: "The output of this step is nested more than 200 levels deep",
        step: "read",
      },
    });
  });
});
