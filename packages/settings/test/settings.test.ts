import { describe, expect, it } from "vitest";
import { settingDefinitions, settingsOf, withoutTrailingSlashes } from "../src/index.ts";

describe("settings", () => {
  it("every default is allowed by its own definition", () => {
    for (const definition of Object.values(settingDefinitions)) {
      expect(definition.schema.safeParse(definition.default).success).toBe(true);
    }
  });

  it("a nullable setting has null as its default, so that null always selects the default", () => {
    for (const { schema, default: standard } of Object.values(settingDefinitions)) {
      expect(schema.safeParse(null).success).toBe(standard === null);
    }
  });

  it("a stored value is used unless its definition does not allow it", () => {
    const settings = settingsOf({
      settings: new Map<string, unknown>([
        ["auth.session_ttl_hours", 8],
        ["system.timezone", "Not/AZone"],
        ["security.cors_origins", ["*"]],
      ]),
    });
    expect(settings["auth.session_ttl_hours"]).toBe(8);
    expect(settings["system.timezone"]).toBeNull();
    expect(settings["security.cors_origins"]).toEqual([]);
  });

  it.each([
    ["https://a.test///", "https://a.test"],
    ["https://a.test//b/", "https://a.test//b"],
    ["https://a.test/b", "https://a.test/b"],
    ["", ""],
  ])("the base URL %s gets a path after its last slash", (base, plain) => {
    expect(withoutTrailingSlashes(base)).toBe(plain);
  });
});
