import type { Page } from "playwright-core";

/** Names and paths of the person's own data, the names of languages, methods and units, and a text of React Aria. */
const own =
  /^(?:English|Deutsch|GET|HEAD|POST|PUT|PATCH|DELETE|ms|[a-z+]|[€\d.,]+|\W|.*(?:@|\/api\/).*|fleet|vehicles|trips|workshop_visits|numbered \d+|Click to start dragging\.|Gro|Ivo|Ada Dahl|Iris Lund|Period|Example ID|laptop|Ctrl (?:[A-Z]|Enter)|Dismiss|nightly import|Chrome, Linux|node)$/i;

/** Shows the pages that are opened from now on in a language whose texts are long and in brackets. */
export async function usePseudoLocale(page: Page): Promise<void> {
  // Frames have no storage.
  await page.addInitScript(() => {
    if (window === window.top) localStorage.setItem("rowhouse.language", "en-XA");
  });
}

/** Returns the texts of a page in the pseudo-locale that are not of the catalogs; a page with hardly any text is a fault too. */
export async function forgottenTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    /** How many texts of the catalogs are open: a sentence with names in it has several nodes. */
    let open = 0;
    while (walker.nextNode() !== null) {
      const { parentElement, textContent } = walker.currentNode;
      const isWithin = open > 0;
      for (const letter of textContent ?? "") {
        if (letter === "⟦") open += 1;
        if (letter === "⟧") open -= 1;
      }
      if (isWithin) continue;
      if (parentElement?.closest("noscript, script, style") !== null) continue;
      // Names and values of the person's data set their own direction; texts of the service state their language.
      const apart = '[dir="auto"], bdi, code, time, main [lang], .cm-editor, [role="gridcell"]';
      if (parentElement?.closest(apart) !== null) continue;
      found.push((textContent ?? "").trim());
    }
    const data = new Set(
      [...document.querySelectorAll('[dir="auto"], bdi')].map((element) =>
        (element.textContent ?? "").trim(),
      ),
    );
    /** A name is also shown as words, and in braces, before a person gives it a label. */
    const nameOf = (text: string) =>
      text
        .replace(/^\{(.*)\}$/, "$1")
        .toLowerCase()
        .replaceAll(" ", "_");
    const names = new Set([...data].map(nameOf));
    const named = [...document.querySelectorAll("[aria-label], [placeholder]")];
    return [
      ...found,
      ...named.flatMap((element) => [
        element.getAttribute("aria-label") ?? "",
        element.getAttribute("placeholder") ?? "",
      ]),
      document.title,
    ].filter((text) => text !== "" && !data.has(text) && !names.has(nameOf(text)));
  });
  // A sentence with names in it begins here and ends in another node.
  const forgotten = texts.filter((text) => !/⟦.*⟧|^⟦/s.test(text) && !own.test(text));
  return texts.length > 3 ? forgotten : ["A page of fewer than four texts", ...forgotten];
}
