import type { Page } from "playwright-core";

/**
 * Returns what a person cannot get at: controls that no scrolling brings into the window or that another element covers,
 * and a page that is wider than its window.
 */
export function unreachableControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`${scrollWidth - clientWidth} pixels too wide`);
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    const controls = (modal ?? document).querySelectorAll<HTMLElement>(
      "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex='0']",
    );
    for (const control of controls) {
      // The grid draws its rows anew while it scrolls; it has keys of its own.
      if (control.closest("[role=grid] *, [inert]") !== null) continue;
      // The link that skips the navigation appears with the focus.
      if (control.getAttribute("href")?.startsWith("#") === true) continue;
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      control.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, right, top, bottom } = control.getBoundingClientRect();
      // A control for programs that read the screen has one pixel.
      if (right - left < 2 || bottom - top < 2) continue;
      const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
      let [upper, lower] = [Math.max(0, top), Math.min(innerHeight, bottom)];
      // The part of a tall control that its frame shows, such as of an editor.
      for (let frame = control.parentElement; frame !== null; frame = frame.parentElement) {
        if (getComputedStyle(frame).overflowY === "visible") continue;
        const shown = frame.getBoundingClientRect();
        [upper, lower] = [Math.max(upper, shown.top), Math.min(lower, shown.bottom)];
      }
      const y = (upper + lower) / 2;
      const hit = document.elementFromPoint(x, y);
      // A menu or a list of choices closes when the focus leaves it.
      const open = hit?.closest(":popover-open, [role=listbox]");
      if (open != null && !open.contains(control)) continue;
      const label = control.closest("label");
      const isHit =
        hit !== null && (control.contains(hit) || hit.contains(control) || label?.contains(hit));
      const isCut = left < -1 || right > innerWidth + 1;
      if (!isHit || isCut) {
        const place = [left, top, right, bottom].map(Math.round).join(" ");
        faults.push(
          `${control.outerHTML.slice(0, 150)} at ${place}, under ${hit?.outerHTML.slice(0, 80)}`,
        );
      }
    }
    return faults;
  });
}
