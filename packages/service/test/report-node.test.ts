import { expect, it } from "vitest";
import { reportNode } from "../src/index.ts";

function linesOf(version: string): readonly string[] {
  const lines: string[] = [];
  reportNode({ warn: (line: string) => lines.push(line) } as never, version);
  return lines;
}

it("a line of Node.js without security fixes is one line of the log, which names a newer one", () => {
  expect(linesOf("20.20.2")).toEqual([
    "Node 20.20.2 has had no security fixes since April 2026: run Rowhouse on Node 24",
  ]);
  for (const version of ["21.7.3", "23.11.0", "25.2.1"]) expect(linesOf(version)).toHaveLength(1);
});

it("a supported line of Node.js is no line of the log", () => {
  for (const version of ["22.20.0", "24.11.1", "26.3.0", "200.0.0"]) {
    expect(linesOf(version)).toEqual([]);
  }
});
