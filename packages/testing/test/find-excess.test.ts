import { expect, it } from "vitest";
import { openStepCounter } from "../src/index.ts";

it("reports a reader that takes more than in proportion, in its own steps or in those of built-in functions", async () => {
  const counter = await openStepCounter();
  const names = new Map<string, number>();
  const readers: Record<string, (text: string) => void> = {
    loops: (text) => {
      let count = 0;
      for (const one of text) for (const other of text) if (one === other) count += 1;
      names.set("count", count);
    },
    names: (text) => {
      for (let dot = 0; dot >= 0; dot = text.indexOf(".", dot + 1)) names.has(text.slice(0, dot));
    },
    searches: (text) => {
      for (let at = 0; at < text.length; at += 1) text.indexOf("x", at);
    },
    sound: (text) => {
      for (let dot = 0; dot >= 0; dot = text.indexOf(".", dot + 1)) names.has("a");
    },
  };
  const found: Record<string, number> = {};
  for (const [name, read] of Object.entries(readers)) {
    found[name] = (await counter.findExcess(read, ["a."])).length;
  }
  await counter.close();
  expect(found).toEqual({ loops: 1, names: 1, searches: 1, sound: 0 });
});
