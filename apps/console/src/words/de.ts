import type { Words } from "./en.ts";

/** The texts of the pages in German. */
export const de: Words = {
  product: "Rowhouse",
  missing: {
    title: "Diese Seite gibt es nicht",
    text: "Prüfen Sie die Adresse, oder beginnen Sie in Ihrem Arbeitsbereich.",
    back: "Arbeitsbereich öffnen",
  },
  failure: {
    title: "Diese Seite lässt sich nicht anzeigen",
    text: "Laden Sie sie neu. Hilft das nicht, melden Sie Zeit und Adresse Ihrem Administrator.",
    reload: "Neu laden",
  },
};
