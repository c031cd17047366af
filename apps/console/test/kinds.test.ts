import { expect, it } from "vitest";
import { kindsFile } from "../build/kinds-file.ts";
import { factsOf, listedKinds } from "../src/kinds/record-facts.ts";
import * as words from "../src/words/en/records.ts";

it("the pages know the fields that the kinds of records have; `npm run kinds` writes them", async () => {
  await expect(kindsFile()).toMatchFileSnapshot("../src/kinds/kinds.generated.ts");
});

it("every simple kind has the words of its page, sentences, steps and fields", () => {
  const texts = words as unknown as Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;
  for (const { kind, part } of listedKinds) {
    const page = { title: "", text: "", search: "", add: "", empty: "" };
    expect(Object.keys(texts.recordPages?.[kind] ?? {}).sort()).toEqual(Object.keys(page).sort());
    expect(Object.keys(texts.recordNames?.[kind] ?? {}).sort()).toEqual(["any", "gone", "named"]);
    const steps = ["create", "update", "delete"].map((verb) => `${kind}_${verb}`);
    expect(Object.keys(texts.recordSteps ?? {})).toEqual(expect.arrayContaining(steps));
    expect(Object.keys(texts.recordParts ?? {})).toContain(part);
    for (const { name, choices = [] } of factsOf(kind)) {
      const field = Object.keys(texts.recordFields?.[kind]?.[name] ?? {});
      expect(field).toEqual(expect.arrayContaining(["label", "changed", ...choices]));
    }
  }
});
