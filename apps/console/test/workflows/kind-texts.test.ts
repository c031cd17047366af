import { describeStepKinds } from "@rowhouse/workflows";
import { expect, it } from "vitest";
import { workflowKinds } from "../../src/words/de/workflow-kinds.ts";
import { loadKindTexts, translateKinds } from "../../src/workflows/parts/kind-texts.ts";

const texts = new Set<string>();
translateKinds(describeStepKinds(), (text) => {
  texts.add(text);
  return text;
});

it("every title and help of a kind has German words, and no words are left over", () => {
  expect([...texts].filter((text) => !Object.hasOwn(workflowKinds, text))).toEqual([]);
  expect(Object.keys(workflowKinds).filter((text) => !texts.has(text))).toEqual([]);
});

it("words change titles and helps only, also of a field that is called title", async () => {
  const kinds = describeStepKinds();
  const german = translateKinds(kinds, await loadKindTexts("de"));
  const back = new Map(Object.entries(workflowKinds).map(([english, text]) => [text, english]));
  expect(german).not.toEqual(kinds);
  // Two English texts may have the same German one, so only the structure is compared.
  const without = (value: unknown) => translateKinds(value, () => "");
  expect(without(german)).toEqual(without(kinds));
  expect(back.size).toBeGreaterThan(200);
  const store = german.steps.find(({ kind }) => kind === "storeFile");
  expect(store?.schema).toMatchObject({ properties: { title: { title: "Titel" } } });
  expect(translateKinds(kinds, await loadKindTexts("en"))).toEqual(kinds);
});
