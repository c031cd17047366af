import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { iconFiles, iconsFile } from "../build/icons-file.ts";
import type { IconComponent } from "../src/ui/create-icon.ts";
import * as firstIcons from "../src/ui/first-icons.generated.ts";
import * as otherIcons from "../src/ui/icons.generated.ts";

it("the generated icons are those that the pages import; `npm run icons` writes them", async () => {
  for (const name of iconFiles) {
    await expect(iconsFile(name)).toMatchFileSnapshot(`../src/ui/${name}`);
  }
});

it("an icon renders the same element as the icon of its library", () => {
  const originals = lucide as unknown as Readonly<Record<string, IconComponent | undefined>>;
  for (const [name, icon] of Object.entries<IconComponent>({ ...firstIcons, ...otherIcons })) {
    const original = originals[name] ?? expect.fail(name);
    for (const props of [
      {},
      { size: 14, "aria-hidden": "true" },
      { size: 36, strokeWidth: 1.5, className: "shrink-0 text-ink-2" },
      { role: "img", "aria-label": "Locked" },
    ] as const) {
      expect(renderToStaticMarkup(createElement(icon, props))).toBe(
        renderToStaticMarkup(createElement(original, props)),
      );
    }
  }
});
