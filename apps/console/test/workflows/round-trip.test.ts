import { readJson, writeJson } from "@rowhouse/client";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { type ComponentProps, createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, it, vi } from "vitest";
import { isObject, readWhere } from "../../src/records/filter/read-where.ts";
import { writeWhere } from "../../src/records/filter/write-where.ts";
import { loadWords } from "../../src/words/languages.ts";
import { readOrder, writeOrder } from "../../src/workflows/form/columns-text.ts";
import { controlFits } from "../../src/workflows/form/control-fits.ts";
import { type FormField, fieldsOf } from "../../src/workflows/form/form-field.ts";
import { jsonText, readJsonText } from "../../src/workflows/form/json-text.ts";
import { withMembers } from "../../src/workflows/form/members.ts";
import { formOf, inForm } from "../../src/workflows/form/value-form.ts";
import { walkSteps } from "../../src/workflows/model/branches.ts";
import { kindOf } from "../../src/workflows/model/definition.ts";
import { definitions, stepKinds, triggerKinds } from "./arbitrary-definition.ts";

type Json = Readonly<Record<string, unknown>>;
const runs = { numRuns: generatedRuns(500) };

/** Every step of a definition, with its kind. */
function stepsOf(definition: Json) {
  return [...walkSteps(definition, stepKinds)].map(({ step }) => {
    const kind = stepKinds.find((one) => one.kind === kindOf(step));
    if (kind === undefined || !isObject(step)) throw new Error("a step has an unknown kind");
    return { kind, step };
  });
}

/** What the control of a field makes of a value that it shows and that nobody changes. */
function throughControl({ control }: FormField, value: unknown): unknown {
  if (control === "filter" && isObject(value)) return writeWhere(readWhere(value)).where;
  if (control === "orderBy" && typeof value === "string") {
    const order = readOrder(value);
    return order === undefined ? value : writeOrder(order);
  }
  if (control === "templateJson") return inForm(value, formOf(value));
  return value;
}

it("a definition passes through the code without a change", () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const given = readJson(writeJson(definition));
      expect(writeJson(readJsonText(jsonText(given))?.value)).toBe(writeJson(given));
    }),
    runs,
  );
});

it("each field of each step passes through its control, or through JSON, without a change", () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      for (const { kind, step } of stepsOf(definition)) {
        for (const field of fieldsOf(kind.schema)) {
          const value = step[field.name];
          if (value === undefined) continue;
          const after = controlFits(field, value)
            ? throughControl(field, value)
            : readJsonText(jsonText(value))?.value;
          expect([kind.kind, field.name, writeJson(after)]).toEqual([
            ...[kind.kind, field.name, writeJson(value)],
          ]);
        }
      }
    }),
    runs,
  );
});

it("a change of one field changes no other one, and no order", () => {
  fc.assert(
    fc.property(definitions, fc.nat(), (definition, seed) => {
      for (const { step } of stepsOf(definition)) {
        const names = Object.keys(step);
        const name = names[seed % names.length] ?? "id";
        const changed = withMembers(step, { [name]: "changed" });
        expect(writeJson(withMembers(changed, { [name]: step[name] }))).toBe(writeJson(step));
        expect(Object.keys(withMembers(step, { [name]: undefined }))).toEqual(
          names.filter((one) => one !== name),
        );
      }
    }),
    runs,
  );
});

it("every value that the service accepts has a control", () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      for (const { kind, step } of stepsOf(definition)) {
        for (const field of fieldsOf(kind.schema)) {
          const value = step[field.name];
          expect([kind.kind, field.name, value, controlFits(field, value)]).toEqual([
            ...[kind.kind, field.name, value, true],
          ]);
        }
      }
    }),
    runs,
  );
});

it("the form of each generated step and trigger shows it and changes nothing by itself", async () => {
  // Modules of the pages name the page that they are on.
  vi.stubGlobal("location", new URL("https://rowhouse.example"));
  const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", storage);
  vi.stubGlobal("addEventListener", () => {});
  const { StepForm } = await import("../../src/workflows/form/step-form.tsx");
  const { TriggerForm } = await import("../../src/workflows/form/trigger-form.tsx");
  const { QueryClient, QueryClientProvider } = await import("@tanstack/react-query");
  const parts = (["start", "workspace", "administration"] as const).map((part) =>
    loadWords("en", part),
  );
  const messages = Object.assign({}, ...(await Promise.all(parts)));
  const onChange = vi.fn();
  const onError = vi.fn();
  const show = (element: ReturnType<typeof createElement>) =>
    renderToStaticMarkup(
      createElement(
        QueryClientProvider,
        { client: new QueryClient() },
        createElement(
          // Its properties require the children, which are an argument here.
          IntlProvider as FunctionComponent<Omit<ComponentProps<typeof IntlProvider>, "children">>,
          { locale: "en", messages, timeZone: "UTC", onError },
          element,
        ),
      ),
    );
  fc.assert(
    fc.property(definitions, (definition) => {
      const shared = { onChange, faults: [], field: undefined, isLocked: false };
      const place = (stepId: string | null) => ({ workflowId: "w", definition, stepId });
      for (const { kind, step } of stepsOf(definition)) {
        const html = show(
          createElement(StepForm, { ...shared, kind, value: step, place: place("a") }),
        );
        expect(html).toContain(kind.kind === "" ? "" : "Id");
      }
      const value = definition.trigger as Json;
      const html = show(
        createElement(TriggerForm, {
          ...{ ...shared, kinds: triggerKinds, value },
          ...{ place: place(null), slug: "a" },
        }),
      );
      expect(html).toContain("Webhook");
    }),
    { numRuns: generatedRuns(60) },
  );
  expect(onChange).not.toHaveBeenCalled();
  expect(onError).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
}, 300_000);
