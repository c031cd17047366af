import { settingKeys } from "@rowhouse/settings";
import { expect, it } from "vitest";
import { readInUnit, unitOf } from "../../src/settings/setting-unit.ts";
import { settingNames as german } from "../../src/words/de/administration/setting-names.ts";
import { settingNames as english } from "../../src/words/en/administration/setting-names.ts";

it.each([
  ["English", english],
  ["German", german],
])("every setting has a title and a description in %s, and no other key has", (_, names) => {
  const entries = Object.entries(names).flatMap(([group, own]) =>
    Object.entries(own).map(([name, texts]) => [`${group}.${name}`, texts] as const),
  );
  expect(entries.map(([key]) => key).sort()).toEqual([...settingKeys].sort());
  const titles = entries.map(([, { title }]) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(entries.filter(([, { title, text }]) => title === "" || text === "")).toEqual([]);
});

it("a setting is shown in the largest unit that needs few digits", () => {
  const nameOf = (key: string, value: unknown) => unitOf(key, value)?.name;
  expect(nameOf("limits.body_bytes", 1_048_576)).toBe("MB");
  expect(nameOf("limits.body_bytes", 1_610_612_736)).toBe("GB");
  expect(nameOf("limits.body_bytes", 5000)).toBe("B");
  expect(nameOf("files.max_bytes_total", 0)).toBe("MB");
  expect(nameOf("data.statement_timeout_ms", 100)).toBe("s");
  expect(nameOf("auth.session_ttl_hours", 720)).toBe("h");
  expect(nameOf("auth.attempts_per_minute", 120)).toBeUndefined();
});

it("a number is read with and without its unit", () => {
  const read = (key: string, text: string, value: number) =>
    readInUnit(key, text, unitOf(key, value));
  expect(read("limits.body_bytes", "2", 1_048_576)).toBe(2_097_152);
  expect(read("limits.body_bytes", "1,5 gb", 1_048_576)).toBe(1_610_612_736);
  expect(read("data.statement_timeout_ms", "0.25", 1000)).toBe(250);
  expect(read("data.max_limit", "20", 1000)).toBe(20);
  for (const text of ["", "many", "2 GB more", "1.2.3", "3 KB"]) {
    expect(read("data.statement_timeout_ms", text, 1000)).toBeUndefined();
  }
});
