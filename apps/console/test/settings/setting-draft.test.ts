import { describe, expect, it } from "vitest";
import { changeOf, kindOf, type Setting, textOf } from "../../src/settings/setting-draft.ts";

const presets = [{ name: "thumbnail", width: 320 }];
const setting = {
  ...{ key: "files.image_presets", default: presets, value: presets },
  ...{ type: {}, description: "", sessionOnly: false, fault: null },
} as unknown as Setting;

describe("a setting that is a list of records", () => {
  it("is edited as one JSON object in each line, and sent as records", () => {
    expect(kindOf(setting)).toBe("RECORDS");
    const text = textOf(setting.value);
    expect(text).toBe('{"name":"thumbnail","width":320}');
    const typed = `${text}\n\n {"name":"large","width":2000} `;
    expect(changeOf([setting], { "files.image_presets": typed })).toEqual({
      "files.image_presets": [...presets, { name: "large", width: 2000 }],
    });
  });

  it("is sent as it was typed where a line is no JSON", () => {
    expect(changeOf([setting], { "files.image_presets": "thumbnail" })).toEqual({
      "files.image_presets": ["thumbnail"],
    });
  });
});
