import { expect, it } from "vitest";
import { type Language, loadWords } from "../src/words/languages.ts";

type Node = { readonly [key: string]: string | Node };

/** All parts of the texts of a language. */
async function catalogOf(language: Language): Promise<Node> {
  const parts = ["start", "workspace", "administration"] as const;
  return Object.assign({}, ...(await Promise.all(parts.map((part) => loadWords(language, part)))));
}

/** The texts of a catalog by their whole key. */
function textsOf(node: Node, prefix = ""): Map<string, string> {
  const entries = Object.entries(node).flatMap(([key, text]): [string, string][] =>
    typeof text === "string"
      ? [[prefix + key, text]]
      : [...textsOf(text, `${prefix}${key}.`).entries()],
  );
  return new Map(entries);
}

/** The names of the arguments of a text. In a choice, `{…}` after a selector is a text of its own: `one {# row}`. */
function argumentsOf(text: string): string[] {
  const found = new Set<string>();
  const readText = (from: number): number => {
    let at = from;
    while (at < text.length && text[at] !== "}")
      at = text[at] === "{" ? readArgument(at + 1) : at + 1;
    return at + 1;
  };
  const readArgument = (from: number): number => {
    const [name = ""] = /^\s*\w+/.exec(text.slice(from)) ?? [];
    found.add(name.trim());
    let at = from + name.length;
    while (at < text.length && text[at] !== "}") at = text[at] === "{" ? readText(at + 1) : at + 1;
    return at + 1;
  };
  readText(0);
  return [...found].sort();
}

it("every language has the same texts, with the same arguments, and none is empty", async () => {
  const english = textsOf(await catalogOf("en"));
  for (const name of ["de", "en-XA"] as const) {
    const texts = textsOf(await catalogOf(name));
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

/** Texts that are the same in both languages, in alphabetical order. */
const shared = new Set([
  "<name></name>",
  "= {duration}",
  "{line}: {fault}",
  "API",
  "Administrator",
  "Alt",
  "Base64",
  "CSV",
  "Client",
  "Clients",
  "Commit",
  "Dashboard",
  "Dashboards",
  "DataView",
  "DataViews",
  "Esc",
  "Format",
  "GB",
  "GitHub",
  "Google",
  "Graph",
  "HTML",
  "Id",
  "JSON",
  "KB",
  "Kanban",
  "Live",
  "MB",
  "Mail",
  "Matrix",
  "Median / p95",
  "Name",
  "Normal",
  "OpenID Connect",
  "Person",
  "Problem",
  "Region",
  "Rowhouse",
  "SQL",
  "Schema",
  "Schemas",
  "Standard",
  "Start",
  "Status",
  "System",
  "TB",
  "Test",
  "Text",
  "Token",
  "Tokens",
  "URL",
  "Version {number, number}",
  "Version",
  "Webhook",
  "Workflow",
  "Workflows",
  "{action}: {name}",
  "{count, number} s",
  "{count, number} ×",
  "{count, number}",
  "{count, number}+",
  "{label} {position, number}",
  "{label}: {name}",
  "{name} ↑",
  "{name} ↓",
  "{part}: {name}",
  "{where}: {value}.",
  "Σ {name} {sum}",
]);

it("no German text was left in English", async () => {
  const german = textsOf(await catalogOf("de"));
  const same = [...textsOf(await catalogOf("en"))].filter(
    ([key, text]) => german.get(key) === text,
  );
  expect(same.filter(([, text]) => !shared.has(text))).toEqual([]);
});
