import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { filesResource } from "../records/library/file-record.ts";
import { accountPages, accountPath } from "../shell/account-pages.ts";
import { administrationPages } from "../shell/administration-pages.ts";
import { useOpen } from "../shell/app-link.tsx";
import { signOut } from "../shell/client.ts";
import type { Command } from "../shell/commands.ts";
import { homeEntries } from "../shell/home-entries.ts";
import { useLanguage } from "../shell/language-provider.tsx";
import { type Navigation, type Person, resourcePath } from "../shell/navigation.ts";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { chooseLanguage } from "../shell/words-store.ts";
import { densities } from "../ui/density.ts";
import {
  CircleUserRound,
  Files,
  House,
  Keyboard,
  Languages,
  LogOut,
  Rows3,
  SunMoon,
  Table2,
  TableProperties,
} from "../ui/icons.generated.ts";
import { themes } from "../ui/theme.ts";
import { languages } from "../words/languages.ts";

/** The commands that open the dashboards, DataViews, tables, views and pages of the person. */
export function usePageCommands(
  navigation: Navigation | undefined,
  person: Person | undefined,
): readonly Command[] {
  const t = useTranslations("workspace");
  const words = useTranslations("account");
  const administration = useTranslations("administration");
  const open = useOpen();
  return useMemo(() => {
    const pages: Command[] = [
      { id: "home", group: "pages", label: t("home"), icon: House, run: () => open("/app") },
    ];
    if (filesResource(navigation) !== undefined || person?.isAdministrator === true) {
      const run = () => open("/app/files");
      pages.push({ id: "files", group: "pages", label: t("files"), icon: Files, run });
    }
    for (const page of accountPages) {
      pages.push({
        id: `account ${page}`,
        group: "pages",
        label: words(`tabs.${page}`),
        detail: words("title"),
        icon: CircleUserRound,
        run: () => open(accountPath(page)),
      });
    }
    if (person?.isAdministrator === true) {
      for (const { name, path, icon } of administrationPages) {
        pages.push({
          id: `administration ${name}`,
          group: "pages",
          label: administration(`pages.${name}`),
          detail: administration("title"),
          icon,
          run: () => open(path),
        });
      }
    }
    const tables = (navigation?.resources ?? []).map((resource): Command => {
      const { id, schema, name, label, kind } = resource;
      return {
        id: `resource ${id}`,
        group: "tables",
        label: label ?? name,
        detail: label === null || label === name ? schema : `${schema}.${name}`,
        icon: kind === "VIEW" ? TableProperties : Table2,
        run: () => open(resourcePath(resource)),
      };
    });
    const readings = (navigation === undefined ? [] : homeEntries(navigation))
      .filter(({ kind }) => kind !== "resource")
      .map(
        ({ kind, id, name, icon, href }): Command => ({
          id: `${kind} ${id}`,
          group: "readings",
          label: name,
          detail: t(kind === "dashboard" ? "dashboard" : "dataView"),
          icon,
          run: () => open(href),
        }),
      );
    return [...readings, ...tables, ...pages];
  }, [navigation, person, open, t, words, administration]);
}

/** The commands that work on every page. */
export function useActionCommands(showShortcuts: () => void): readonly Command[] {
  const t = useTranslations("palette");
  const words = useTranslations();
  const language = useLanguage();
  const { theme, density, singleKeys } = usePreferences();
  return useMemo(() => {
    const action = (
      id: string,
      label: string,
      icon: Command["icon"],
      run: () => void,
    ): Command => ({
      id,
      group: "actions",
      label,
      ...(icon === undefined ? {} : { icon }),
      run,
    });
    const others = (Object.keys(languages) as (keyof typeof languages)[]).filter(
      (one) => one !== language,
    );
    return [
      { ...action("shortcuts", words("shortcuts.title"), Keyboard, showShortcuts), keys: "?" },
      action("single-keys", t(singleKeys ? "singleKeysOff" : "singleKeysOn"), Keyboard, () =>
        changePreferences({ singleKeys: !singleKeys }),
      ),
      ...themes
        .filter((one) => one !== theme)
        .map((one) =>
          action(`theme ${one}`, t("theme", { name: words(`choices.${one}`) }), SunMoon, () =>
            changePreferences({ theme: one }),
          ),
        ),
      ...densities
        .filter((one) => one !== density)
        .map((one) =>
          action(`density ${one}`, t("density", { name: words(`choices.${one}`) }), Rows3, () =>
            changePreferences({ density: one }),
          ),
        ),
      ...others.map((one) =>
        action(
          `language ${one}`,
          t("language", { name: languages[one] }),
          Languages,
          () => void chooseLanguage(one),
        ),
      ),
      action("sign-out", words("workspace.signOut"), LogOut, () => void signOut()),
    ];
  }, [t, words, language, theme, density, singleKeys, showShortcuts]);
}
