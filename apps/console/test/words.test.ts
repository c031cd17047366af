import { expect, it } from "vitest";
import { de } from "../src/words/de.ts";
import { en } from "../src/words/en.ts";
import { pseudo } from "../src/words/pseudo.ts";

type Node = { readonly [key: string]: string | Node };

/** The texts of a catalog by their whole key. */
function textsOf(node: Node, prefix = ""): Map<string, string> {
  const entries = Object.entries(node).flatMap(([key, text]): [string, string][] =>
    typeof text === "string"
      ? [[prefix + key, text]]
      : [...textsOf(text, `${prefix}${key}.`).entries()],
  );
  return new Map(entries);
}

/** The names of the arguments of a text. */
function argumentsOf(text: string): string[] {
  return [...text.matchAll(/\{(\w+)[,}]/g)].map((match) => match[1] ?? "").sort();
}

it("every language has the same texts, with the same arguments, and none is empty", () => {
  const english = textsOf(en);
  for (const [name, catalog] of Object.entries({ de, pseudo })) {
    const texts = textsOf(catalog);
    expect([name, [...texts.keys()]]).toEqual([name, [...english.keys()]]);
    for (const [key, text] of texts) {
      expect([name, key, text.trim() === "", argumentsOf(text)]).toEqual([
        name,
        key,
        false,
        argumentsOf(english.get(key) ?? ""),
      ]);
    }
  }
});

it("no German text was left in English", () => {
  const german = textsOf(de);
  const same = [...textsOf(en)].filter(([key, text]) => german.get(key) === text);
  expect(same.map(([key]) => key)).toEqual([
    "product",
    "choices.system",
    "keys.Alt",
    "keys.Escape",
    "register.name",
    "invitation.name",
    "account.tokens.actionOf",
    "grid.sortedUp",
    "grid.sortedDown",
    "grid.sum",
    "grid.text",
    "workspace.dataViews",
    "workspace.dashboards",
    "workspace.name",
    "workspace.schema",
  ]);
});
