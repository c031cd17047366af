import { auditActions } from "@rowhouse/db";
import { expect, it } from "vitest";
import { audit as german } from "../../src/words/de/administration/audit.ts";
import { audit as english } from "../../src/words/en/administration/audit.ts";

it.each([
  ["English", english],
  ["German", german],
])(
  "every action that the services write has a sentence in %s, and no other has",
  (_, { actions }) => {
    const texts = Object.entries(actions).flatMap(([kind, verbs]) =>
      Object.keys(verbs).map((verb) => `${kind}.${verb}`),
    );
    expect(texts.sort()).toEqual([...auditActions].sort());
  },
);

it("every sentence names who acts or what is concerned", () => {
  const sentences = [english, german].flatMap(({ actions }) =>
    Object.values(actions).flatMap((verbs): string[] => Object.values(verbs)),
  );
  expect(sentences.filter((text) => !/<(?:actor|target)>/.test(text))).toEqual([]);
});
