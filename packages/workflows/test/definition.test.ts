import { AppError } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { describe, expect, it } from "vitest";
import type { ExpressionContext } from "../src/base/expression-context.ts";
import { compileCondition } from "../src/compile/condition.ts";
import { compileDefinition, type DefinitionInput, parseDefinition } from "../src/index.ts";
import { parseTemplate } from "../src/template/parse-template.ts";
import { compileTemplates, renderTree } from "../src/template/render-template.ts";

const user = "00000000-0000-4000-8000-000000000001";
const trigger = { kind: "webhook", executeAs: user } as const;

function faultsOf(work: () => unknown): { path: string | undefined; message: string }[] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError)
      return error.faults.map(({ path, message }) => ({ path, message }));
    throw error;
  }
  return [];
}

const compile = (steps: unknown[], more: object = {}) =>
  compileDefinition(parseDefinition({ trigger: { ...trigger, ...more }, steps }, "")).faults.map(
    (fault) => fault.path,
  );

describe("a definition", () => {
  it("a webhook has the documented defaults", () => {
    const { trigger: filled } = parseDefinition({ trigger: { kind: "webhook" }, steps: [] }, "");
    expect(filled).toEqual({
      kind: "webhook",
      method: "POST",
      response: "SYNCHRONOUS",
      waitSeconds: 30,
      onTimeout: "CONTINUE",
      access: "PUBLIC",
      executeAs: null,
      redactHeaders: [],
      redactQuery: [],
      redactBody: [],
      signature: null,
    });
  });

  it("a note has at most 1000 characters, and neither note nor disabled has a default", () => {
    const read = (more: object) =>
      parseDefinition({ trigger, steps: [{ id: "a", kind: "finish", ...more }] }, "").steps[0];
    expect(read({})).toEqual({ id: "a", kind: "finish" });
    expect(read({ note: "x".repeat(1000), disabled: true })).toMatchObject({ disabled: true });
    const faults = faultsOf(() => read({ note: "x".repeat(1001) }));
    expect(faults.map(({ path }) => path)).toEqual(["/steps/0/note"]);
  });

  it("a reader of a disabled step is warned, and the caller who waits for a disabled finish", () => {
    const warningsOf = (steps: unknown[], more: object = {}) =>
      compileDefinition(
        parseDefinition({ trigger: { ...trigger, ...more }, steps }, ""),
      ).warnings.map(({ path }) => path);
    const off = {
      ...{ id: "off", kind: "forEach", items: [], disabled: true },
      steps: [
        { id: "inner", kind: "setValues", values: {} },
        { id: "reader", kind: "setValues", values: { a: "{{steps.inner}}" } },
      ],
    };
    const readers = [
      { id: "template", kind: "setValues", values: { a: "{{steps.off.0 ?? 1}}" } },
      { id: "condition", kind: "condition", expression: "steps.off == null && true" },
      { id: "other", kind: "setValues", values: { a: "{{steps.template.a}}" } },
    ];
    const finish = { id: "end", kind: "finish", disabled: true };
    expect(warningsOf([off, ...readers])).toEqual(["/steps/1/values/a", "/steps/2/expression"]);
    expect(warningsOf([{ ...off, disabled: false }, ...readers])).toEqual([]);
    expect(warningsOf([off, finish])).toEqual(["/steps/1"]);
    expect(warningsOf([off, finish], { response: "ASYNCHRONOUS" })).toEqual([]);
  });

  it("a disabled step has to be right as well", () => {
    const step = { id: "off", kind: "setValues", values: { a: "{{steps.none}}" }, disabled: true };
    expect(compile([step])).toEqual(["/steps/0/values/a"]);
  });

  it("a condition reads what its place has, and nothing else", () => {
    const condition = (id: string, expression: string) => ({ id, kind: "condition", expression });
    const loop = (...steps: object[]) => ({ id: "loop", kind: "forEach", items: [1], steps });
    expect(
      compile([
        condition("a", "item == null"),
        condition("b", "has(start.data.index) && index == 0"),
        condition("c", "[1].exists(item, item == 1)"),
        loop(condition("d", "item == 1 && index == 0"), condition("e", "has(steps.d.x)")),
        condition("f", "index == 0 || has(errors.typo) || has(steps.d)"),
        condition("g", "has(errors.typo) || steps.f || has(steps.d.x)"),
        condition("h", "errors['loop'].code == 'X' && size(steps) > 1 && has(vars.never)"),
      ]),
    ).toEqual([
      "/steps/0/expression",
      "/steps/1/expression",
      "/steps/4/expression",
      "/steps/5/expression",
      "/steps/5/expression",
    ]);
    const filtered = (filter: string) =>
      compileDefinition(
        parseDefinition(
          {
            trigger: {
              ...{ kind: "databaseEvent", schema: "public", table: "t", on: ["insert"] },
              ...{ filter, executeAs: user },
            },
            steps: [{ id: "end", kind: "finish" }],
          },
          "",
        ),
      ).faults.map(({ message }) => message);
    expect(filtered("start.data.new.n * 1.5 == 3")).toEqual([]);
    for (const root of ["steps", "vars", "errors", "item", "index"]) {
      expect(filtered(`${root} == null`)).toEqual([
        `A filter reads start only; ${root} is available in the steps`,
      ]);
    }
  });

  it("a published condition that a later build rejects fails its run with the reason", () => {
    const { compiled } = compileDefinition(
      parseDefinition(
        { trigger, steps: [{ id: "a", kind: "condition", expression: "item == null" }] },
        "",
      ),
    );
    const [step] = compiled.steps;
    if (step?.kind !== "CONDITION") throw new Error("The step must be a condition");
    expect(() => step.condition.evaluate({ start: {}, steps: {}, vars: {}, errors: {} })).toThrow(
      "item is available only inside a forEach",
    );
  });

  it("a definition that is started by hand names the user whose rights it has", () => {
    const read = (trigger: object) => () => parseDefinition({ trigger, steps: [] }, "");
    expect(read({ kind: "manual", executeAs: user })().trigger).toEqual({
      kind: "manual",
      executeAs: user,
    });
    for (const executeAs of [undefined, null, "someone"]) {
      const faults = faultsOf(read({ kind: "manual", executeAs }));
      expect(faults.map(({ path }) => path)).toEqual(["/trigger/executeAs"]);
    }
    for (const kind of ["nope", undefined]) {
      expect(faultsOf(read({ kind, executeAs: user })).map(({ path }) => path)).toEqual([
        "/trigger/kind",
      ]);
    }
  });

  it("a malformed definition names each fault by a JSON pointer into the body", () => {
    const faults = faultsOf(() =>
      parseDefinition(
        {
          trigger: { kind: "webhook", method: "PATCH", nope: 1 },
          steps: [
            { id: "1 bad", kind: "finish" },
            // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
            { id: "a", kind: "condition", expression: "true", then: [{ id: "b", kind: "nope" }] },
          ],
        },
        "/data/definition",
      ),
    );
    expect(faults.map((fault) => fault.path)).toEqual([
      "/data/definition/trigger/method",
      "/data/definition/trigger",
      "/data/definition/steps/0/id",
      "/data/definition/steps/1/then/0/kind",
    ]);
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "a definition keeps the key %s in values and rejects it among its own fields",
    (key) => {
      const text = `{"${key}":{"${key}":{"a":1}}}`;
      const steps = [{ id: "a", kind: "setValues", values: JSON.parse(text) as unknown }];
      const [step] = parseDefinition({ trigger, steps }, "/d").steps;
      expect(step?.kind === "setValues" && JSON.stringify(step.values)).toBe(text);
      const own = { ...steps[0], ...(JSON.parse(`{"${key}":1}`) as object) };
      expect(faultsOf(() => parseDefinition({ trigger, steps: [own] }, "/d"))).toEqual([
        { path: "/d/steps/0", message: `Unrecognized key: "${key}"` },
      ]);
      const named = [{ id: key, kind: "setValues", values: {} }];
      expect(faultsOf(() => parseDefinition({ trigger, steps: named }, "/d"))).toEqual([
        { path: "/d/steps/0/id", message: "This id is not allowed" },
      ]);
    },
  );

  it("excessive nesting and text that cannot be stored are rejected", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 200; depth += 1) deep = [deep];
    for (const value of [deep, "nul \0", "half \ud800"]) {
      const steps = [{ id: "a", kind: "finish", result: value }];
      expect(faultsOf(() => parseDefinition({ trigger, steps }, ""))).toHaveLength(1);
    }
  });

  it("a definition is published only with valid ids, templates and conditions", () => {
    expect(
      compile(
        [
          { id: "a", kind: "setValues", values: { x: "{{start.data.body.x" } },
          { id: "a", kind: "finish", result: ["{{steps.later.id}}", "{{nope.x}}"] },
          {
            id: "c",
            kind: "condition",
            expression: "start.data.x >",
            else: [{ id: "d", kind: "condition", expression: "1 + 1" }],
          },
          { id: "later", kind: "httpRequest", url: "ftp://x/{{start..data}}" },
        ],
        { executeAs: null },
      ),
    ).toEqual([
      "/trigger/executeAs",
      "/steps/1/id",
      "/steps/0/values/x",
      "/steps/1/result/1",
      "/steps/1/result/0",
      "/steps/2/expression",
      "/steps/2/else/0/expression",
      "/steps/3/url",
      "/steps/3/url",
    ]);
    expect(compile([])).toEqual(["/steps"]);
    expect(
      compile([{ id: "a", kind: "finish" }], { access: "AUTHENTICATED", executeAs: null }),
    ).toEqual([]);
  });

  it("a template can read a step of a branch after the branch, with a default for the other branch", () => {
    const steps: DefinitionInput["steps"] = [
      {
        id: "c",
        kind: "condition",
        expression: "true",
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "in", kind: "setValues", values: {} }],
      },
      { id: "end", kind: "finish", result: "{{steps.in.x ?? null}}" },
    ];
    expect(compile(steps)).toEqual([]);
  });
});

const context: ExpressionContext = {
  start: {
    data: {
      body: { n: 0, t: "{{vars.secret}}", list: [{ a: 1 }], "a b": { "x.y": 2 }, no: null },
    },
  },
  steps: { s: { id: "7" } },
  vars: { secret: "never", big: 12 },
  errors: {},
};
const render = (template: unknown) =>
  renderTree(
    compileTemplates(template, (_pointer, error) => {
      throw error;
    }),
    context,
  );

describe("a template", () => {
  it("a template that is only a path keeps the type of the value", () => {
    expect(render("{{start.data.body.n}}")).toBe(0);
    expect(render("{{ start.data.body.list }}")).toEqual([{ a: 1 }]);
    expect(render("{{start.data.body.no}}")).toBeNull();
    expect(render({ a: ["{{vars.big}}", 1, true] })).toEqual({ a: [12, 1, true] });
  });

  it("a value inside a longer text becomes text", () => {
    expect(render("n={{start.data.body.n}}, {{start.data.body.list}}{{start.data.body.no}}")).toBe(
      'n=0, [{"a":1}]',
    );
  });

  it("a path can read list positions and any quoted key", () => {
    expect(render("{{start.data.body.list.0.a}}")).toBe(1);
    expect(render("{{start.data.body.list[0].a}}")).toBe(1);
    expect(render('{{start.data.body["a b"]["x.y"]}}')).toBe(2);
  });

  it("a path can read keys with quotes, backslashes and line breaks", () => {
    const odd = { start: { data: { 'a"\\b\n\tc': 3 } }, steps: {}, vars: {}, errors: {} };
    const template = parseTemplate('{{start.data["a\\"\\\\b\n\tc"]}}');
    expect(renderTree({ kind: "TEMPLATE", template }, odd)).toBe(3);
  });

  it("a default applies only if the path has no value", () => {
    expect(render("{{start.data.body.x ?? 5}}")).toBe(5);
    expect(render('{{start.data.body.x ?? {"a":"}}"} }}')).toEqual({ a: "}}" });
    expect(render("{{start.data.body.n ?? 5}}")).toBe(0);
    expect(render("{{start.data.body.no ?? 5}}")).toBe(5);
    expect(render("{{start.data.body.no}}")).toBeNull();
  });

  it("a path without a value and without a default is an error", () => {
    for (const path of ["vars.x", "start.data.body.n.x", "start.data.body.list.5", "steps.q"]) {
      expect(() => render(`{{${path}}}`)).toThrow("has no value");
    }
  });

  it("a value is never rendered as a template", () => {
    expect(render("{{start.data.body.t}}")).toBe("{{vars.secret}}");
    expect(render("<{{start.data.body.t}}>")).toBe("<{{vars.secret}}>");
  });

  it.each([
    "{{constructor.constructor('return process')()}}",
    "{{__proto__}}",
    "{{start.data}",
    "{{start..data}}",
    "{{}}",
    "{{start.data ?? process}}",
    "{{start.data + 1}}",
    "{{start.data.toString()}}",
    "{{process.env.PATH}}",
    "{{secrets.key}}",
    "{{secrets.KEY.x}}",
    '{{secrets.KEY ?? "x"}}',
  ])("the template %s is rejected", (text) => {
    expect(() => parseTemplate(text)).toThrow();
  });

  it.each([
    "start.toString",
    "start.data.body.list.length",
    "start.data.body.t.length",
    "vars.hasOwnProperty",
  ])("a path reads own keys only: %s has no value", (path) => {
    expect(() => render(`{{${path}}}`)).toThrow("has no value");
  });
});

describe("a delay", () => {
  it("a delay that is longer than the run's time limit is not published", () => {
    const faults = (seconds: unknown, timeLimitSeconds?: number) =>
      compileDefinition(
        parseDefinition(
          {
            trigger: { kind: "webhook", access: "AUTHENTICATED" },
            steps: [{ id: "nap", kind: "delay", seconds }],
            ...(timeLimitSeconds === undefined ? {} : { timeLimitSeconds }),
          },
          "",
        ),
      ).faults.map((fault) => fault.path);
    expect(faults(60, 60)).toEqual(["/steps/0/seconds"]);
    expect(faults("61", 60)).toEqual(["/steps/0/seconds"]);
    expect(faults(31 * 86_400)).toEqual(["/steps/0/seconds"]);
    expect(faults(59.5, 60)).toEqual([]);
    expect(faults("{{start.data.body.s}}", 60)).toEqual([]);
  });
});

describe("a condition", () => {
  const holds = (expression: string, body: unknown = {}) =>
    compileCondition(expression).evaluate({
      start: { data: { body } },
      steps: {},
      vars: {},
      errors: {},
    });

  it.each([
    ["start.data.body.x > 10", { x: 11 }, true],
    ["start.data.body.x > 10", { x: 10.5 }, true],
    ["start.data.body.x == 11", { x: 11 }, true],
    ["start.data.body.x > 10.5", { x: 11 }, true],
    ["start.data.body.x + 1 == 12", { x: 11 }, true],
    ["start.data.body.x + 1 > 3", { x: 2.5 }, true],
    ["start.data.body.x * 0.5 == 5.5", { x: 11 }, true],
    ["start.data.body.x in [1, 11]", { x: 11 }, true],
    ["has(start.data.body.y)", { x: 11 }, false],
    ["size(start.data.body.l) == 2 && start.data.body.l.exists(i, i == 2)", { l: [1, 2] }, true],
    ['start.data.body.s.startsWith("a")', { s: "ab" }, true],
  ])("%s over %o is %s", (expression, body, expected) => {
    expect(holds(expression, body)).toBe(expected);
  });

  it.each([
    ["n == 1 && n == 1.0 && n < 1.5 && n >= 1", "1"],
    ["n == 1 && n == 1.0 && n < 1.5 && n in [1] && n in [1.0]", "1.0"],
    ["n == 1.1 && n > 1 && n + 1 > 2 && n * 2 == 2.2", "1.10"],
    ["n == 1000 && n - 1 == 999 && n / 8 == 125", "1e3"],
    ["n == 0 && n + 0.5 == 0.5", "-0"],
    ["n == 0.5 && n + n == 1 && 1 - n == n && n * 4 == 2", "0.5"],
    [
      "n == 9007199254740993 && n != 9007199254740992 && n + 1 == 9007199254740994",
      "9007199254740993",
    ],
    ["n == 9223372036854775807 && n > 9223372036854775806 && n - 1 < n", "9223372036854775807"],
    ["n > 9223372036854775807 && n > 1.5 && n == start.data.body.same", "12345678901234567890"],
    ["n != start.data.body.next && n < start.data.body.next", "12345678901234567890"],
    ["n > 1.7e308", "1e400"],
    ["n < -1 && n == -3 && n * -1 == 3 && -n == 3", "-3"],
  ])("a condition compares numbers by value: %s with n = %s", (expression, n) => {
    const body = parseExactJson(
      `{"n":${n},"same":12345678901234567890,"next":12345678901234567891}`,
    );
    expect(holds(expression.replaceAll(/\bn\b/g, "start.data.body.n"), body)).toBe(true);
  });

  it("an integer that grows too large to be exact is an error", () => {
    const body = parseExactJson('{"n":9223372036854775807}');
    expect(() => holds("start.data.body.n + 1 > 0", body)).toThrow("overflow");
  });

  it("a missing key, a wrong type and a result that is not a boolean are errors", () => {
    expect(() => holds("start.data.body.x > 1")).toThrow("No such key");
    expect(() => holds("start.data.body.x > 1", { x: "a" })).toThrow("no such overload");
    expect(() => holds("start.data.body.x", { x: 1 })).toThrow("must yield true or false");
    expect(() => holds("start.data.body.__proto__ == null")).toThrow("No such key");
    expect(() => holds("start.data.body.constructor == null")).toThrow("No such key");
  });

  it.each(['start.s.matches("^(a+)+$")', '[1].exists(x, "a".matches(start.p))'])(
    "a condition does not run regular expressions, whose cost has no bound: %s",
    (expression) => {
      expect(() => compileCondition(expression)).toThrow("matches is not available");
    },
  );

  it.each(["x > 1", "1 + 1", "start.data >", "process.exit(1)", "true; false"])(
    "the template %s is rejected",
    (expression) => {
      expect(() => compileCondition(expression)).toThrow();
    },
  );
});
