// Tier: long. Starts processes.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "@rowhouse/testing";
import { describe, expect, it } from "vitest";
import { examplesOf, patternOf, runExamples, withoutBlanks } from "./run-document.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

// Without bundles `npm start` would build them.
const isBuilt = process.env.ROWHOUSE_TEST_BUILT === "1" && process.platform !== "win32";

describe.runIf(isBuilt)("the page about tests of an application", () => {
  it("starts, seeds, resets and ends an instance by the commands that it shows", async () => {
    const page = await readFile(`${root}docs/test-your-application.md`, "utf8");
    const examples = examplesOf(page);
    const outputs = await runExamples(examples, {
      ROWHOUSE: root.replace(/\/$/, ""),
      PORT: String(await findFreePort()),
    });
    expect(outputs.length).toBe(examples.length);
    for (const [index, { commands, shown }] of examples.entries()) {
      expect(withoutBlanks(outputs[index] ?? ""), commands).toMatch(patternOf(shown ?? ""));
    }
  }, 120_000);
});
