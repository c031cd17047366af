import { useTranslations } from "use-intl";
import { type HomeKey, homeEntries, isSameEntry, useHome } from "../shell/home-entries.ts";
import type { Navigation } from "../shell/navigation.ts";
import { EntryList } from "./entry-list.tsx";

/** How many of the things that were opened last are shown. */
const recentShown = 8;

/** What the person works with: dashboards, what they pinned, what they opened last, DataViews. */
export function HomeLists({ navigation }: { readonly navigation: Navigation }) {
  const t = useTranslations("home");
  const words = useTranslations("workspace");
  const { pinned, recent } = useHome();
  const all = homeEntries(navigation);
  // What the person may open no longer is left out.
  const known = (keys: readonly HomeKey[]) =>
    keys.flatMap((key) => all.filter((entry) => isSameEntry(entry, key)));
  return (
    <>
      <EntryList
        title={words("dashboards")}
        entries={all.filter(({ kind }) => kind === "dashboard")}
      />
      <EntryList title={t("pinned")} entries={known(pinned)} />
      <EntryList title={t("recent")} entries={known(recent).slice(0, recentShown)} />
      <EntryList
        title={words("dataViews")}
        entries={all.filter(({ kind }) => kind === "dataView")}
      />
    </>
  );
}
