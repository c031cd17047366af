import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// Sentences, codes, variables, settings and metrics that the pages for operators quote exist in the processes.
const root = fileURLToPath(new URL("../../../", import.meta.url));

function* sourcesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesBelow(path);
    else if (entry.name.endsWith(".ts")) yield readFileSync(path, "utf8");
  }
}

const sources = ["apps", "packages"]
  .flatMap((part) => readdirSync(join(root, part)).map((name) => join(root, part, name, "src")))
  .flatMap((folder) => [...sourcesBelow(folder)])
  .join("\n");

/** Returns a page without its blocks of code. */
const proseOf = (name: string) =>
  readFileSync(join(root, `docs/operations/${name}.md`), "utf8").replaceAll(
    /^```[\s\S]*?^```$/gm,
    "",
  );
const quotedIn = (prose: string) =>
  [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);

it("troubleshooting quotes only sentences that a process prints", () => {
  const prose = proseOf("troubleshoot");
  const ofStarts = quotedIn(prose).filter((word) => /^[A-Z][a-z]+ .*…/.test(word));
  const ofLogs = [...prose.matchAll(/\b(?:log|line|has) "([A-Z][^"]+)"/g)];
  const parts = [...ofStarts, ...ofLogs.map(([, sentence = ""]) => sentence)]
    .flatMap((sentence) => sentence.split("…"))
    .map((part) => part.trim().replaceAll(/^[.,;:]+|[.,;:]+$/g, ""))
    .filter((part) => part.length > 3);
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

describe.each(["edge", "harden", "monitor", "troubleshoot"])("docs/operations/%s.md", (name) => {
  it("the pages name only existing variables, codes, settings and metrics", () => {
    const known =
      /^(?:[A-Z]+(?:_[A-Z]+)+|(?:auth|api_keys|data|limits|mcp|security|sql_console|system|workflows)\.[a-z]+(?:_[a-z]+)+|rowhouse_[a-z_]+)$/;
    const words = quotedIn(proseOf(name))
      .flatMap((word) => word.match(/[A-Za-z_.]+/g) ?? [])
      // A histogram's counter is named after the metric; the others belong to Node and OpenTelemetry.
      .map((word) => word.replace(/_count$/, ""))
      .filter((word) => known.test(word) && !/^(?:NODE|OTEL)_/.test(word));
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter((word) => !sources.includes(word))).toEqual([]);
  });
});
