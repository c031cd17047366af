import { useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { accountPages, accountPath } from "../shell/account-pages.ts";
import { AppLink } from "../shell/app-link.tsx";
import { signOut } from "../shell/client.ts";
import { LanguageSelect, ThemeSelect } from "../shell/preference-selects.tsx";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { Button } from "../ui/button.tsx";
import { densities } from "../ui/density.ts";
import { CircleUserRound, LogOut } from "../ui/icons.generated.ts";
import { Select } from "../ui/select.tsx";

/**
 * The account: who is signed in, language, colors, sign-out. The panel is a popover of the browser, which closes on Escape
 * and outside presses, and returns the focus.
 */
export function AccountMenu({ name, email }: { readonly name: string; readonly email: string }) {
  const t = useTranslations("workspace");
  const words = useTranslations();
  const panelId = useId();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button
        type="button"
        popoverTarget={panelId}
        aria-label={t("account", { name })}
        className="flex h-8 min-w-8 items-center md:w-full gap-2.5 rounded-control px-2 text-left text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <CircleUserRound size={16} aria-hidden="true" className="shrink-0" />
        <span className="truncate max-md:hidden" dir="auto">
          {name}
        </span>
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        role="dialog"
        aria-label={t("account", { name })}
        className="inset-auto m-0 w-64 rounded-panel border border-line-strong bg-surface p-4 text-ink max-md:top-12 max-md:right-2 md:bottom-13 md:left-2"
      >
        <div className="grid gap-4">
          <div className="min-w-0">
            <p className="text-2 text-ink-2">{t("signedInAs")}</p>
            <p className="truncate font-medium" dir="auto" title={name}>
              {name}
            </p>
            {email !== name && (
              <p className="truncate text-2 text-ink-2" title={email}>
                {email}
              </p>
            )}
          </div>
          <div className="grid gap-2 *:justify-between">
            <LanguageSelect />
            <ThemeSelect />
            <DensitySelect />
          </div>
          <ul className="-mx-2 grid gap-px">
            {accountPages.map((page) => (
              <li key={page}>
                <AppLink
                  href={accountPath(page)}
                  onClick={() => panel.current?.hidePopover()}
                  className="flex h-7 items-center rounded-control px-2 hover:bg-sunken"
                >
                  {words(`account.tabs.${page}`)}
                </AppLink>
              </li>
            ))}
          </ul>
          <Button isWide onPress={() => void signOut()}>
            <LogOut size={16} aria-hidden="true" />
            {t("signOut")}
          </Button>
        </div>
      </div>
    </>
  );
}

/** The choice of the height of rows. */
function DensitySelect() {
  const t = useTranslations("choices");
  const { density } = usePreferences();
  return (
    <Select
      label={t("density")}
      value={density}
      options={densities.map((value) => ({ value, label: t(value) }))}
      onChange={(next) => changePreferences({ density: next })}
    />
  );
}
