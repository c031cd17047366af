// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
});
afterAll(() => api.test.drop());

interface Property {
  readonly title?: string;
  readonly description?: string;
  readonly const?: string;
  readonly "x-control"?: string;
}
interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly help: string;
  readonly schema: { readonly properties: Readonly<Record<string, Property>> };
}

describe("the kinds of steps", () => {
  it("have a title, help, and for each field a title, a description and a control", async () => {
    const { status, body } = await api.ask("GET", "/workflow-step-kinds");
    expect(status).toBe(200);
    const kinds: Kind[] = [...body.data.steps, ...body.data.triggers];
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([
        "createRow",
        "httpRequest",
        "switch",
        "forEach",
        "webhook",
        "manual",
      ]),
    );
    for (const { kind, title, help, schema } of kinds) {
      expect([kind, title, help]).not.toContain("");
      for (const [name, property] of Object.entries(schema.properties)) {
        if (name === "kind") {
          expect(property.const).toBe(kind);
          continue;
        }
        expect([kind, name, property]).toEqual([
          kind,
          name,
          expect.objectContaining({
            title: expect.stringMatching(/./),
            description: expect.stringMatching(/\.$/),
            "x-control": expect.stringMatching(/./),
          }),
        ]);
      }
    }
  });

  it("name the inner lists of steps, and which steps have effects", async () => {
    const { body } = await api.ask("GET", "/workflow-step-kinds");
    const steps: { kind: string; hasEffects: boolean; branches: { path: string[] }[] }[] =
      body.data.steps;
    const branches = Object.fromEntries(
      steps.map(({ kind, branches }) => [kind, branches.map(({ path }) => path.join("/"))]),
    );
    expect(branches).toMatchObject({
      createRow: ["onError/steps"],
      condition: ["then", "else", "onError/steps"],
      switch: ["cases/*/steps", "default", "onError/steps"],
      forEach: ["steps", "onError/steps"],
      finish: [],
      fail: [],
    });
    expect(steps.filter(({ hasEffects }) => !hasEffects).map(({ kind }) => kind)).toEqual([
      "delay",
      "setValues",
      "fail",
      "finish",
      "condition",
      "switch",
      "forEach",
    ]);
  });
});
