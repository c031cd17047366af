import { describe, expect, it } from "vitest";
import { settingDefinitions, settingsOf } from "../src/index.ts";

describe("settings", () => {
  it("have defaults that their own definitions allow", () => {
    for (const definition of Object.values(settingDefinitions)) {
      expect(definition.schema.safeParse(definition.default).success).toBe(true);
    }
  });

  it("have null as their default where null is a value, so that null always stands for the default", () => {
    for (const { schema, default: standard } of Object.values(settingDefinitions)) {
      expect(schema.safeParse(null).success).toBe(standard === null);
    }
  });

  it("take a stored value, and pass over one that is not allowed", () => {
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
});
