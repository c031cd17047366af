import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useCommands } from "../shell/commands.ts";
import { homeEntries, keepRecent, preferencesQuery } from "../shell/home-entries.ts";
import { ariaKeys } from "../shell/keys.ts";
import { KeysHint } from "../shell/keys-hint.tsx";
import { type Navigation, navigationQuery, personQuery } from "../shell/navigation.ts";
import { Palette } from "../shell/palette.tsx";
import {
  changePreferences,
  currentPreferences,
  onPreferencesChange,
  type Preferences,
} from "../shell/preferences.ts";
import { useRenewal } from "../shell/renewal.ts";
import type { Session } from "../shell/session.ts";
import { listenForShortcuts, type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { PersonProvider } from "../shell/time/person-provider.tsx";
import { useReturnToSignIn, useSession } from "../shell/use-session.ts";
import { stopViewing, viewedAs } from "../shell/viewed-as.ts";
import { Eye, Menu, Search, X } from "../ui/icons.generated.ts";
import { Mark } from "../ui/mark.tsx";
import { ModalBox } from "../ui/modal-box.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { useWide } from "../ui/use-wide.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useActionCommands, usePageCommands } from "./frame-commands.ts";
import { FrameNavigation } from "./frame-navigation.tsx";
import { useFoundRows } from "./use-found-rows.ts";

const RenewalDialog = lazy(async () => ({
  default: (await import("../shell/renewal-dialog.tsx")).RenewalDialog,
}));
const ShortcutDialog = lazy(async () => ({
  default: (await import("../shell/shortcut-dialog.tsx")).ShortcutDialog,
}));

/** The frame of every page behind the sign-in: what the person may open, and their account. */
export function WorkspaceFrame() {
  const session = useSession();
  useReturnToSignIn(session);
  return session === null ? null : <Frame session={session} />;
}

function Frame({ session }: { readonly session: Session }) {
  const t = useTranslations("workspace");
  const { data: person } = useQuery(personQuery);
  const { data: navigation } = useQuery(navigationQuery);
  const { dialog, show, close, showShortcuts } = useFrameDialogs();
  usePreferenceSync();
  useRecent(navigation);
  useCommands(usePageCommands(navigation, person));
  useCommands(useActionCommands(showShortcuts));
  const isRenewing = useRenewal();
  const isWide = useWide();
  const openPalette = () => show("palette");
  const account = (
    <AccountMenu
      name={person?.name || session.user.name || session.user.email}
      email={person?.email ?? session.user.email}
    />
  );
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[220px_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="fixed top-2 left-2 z-30 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-accent-ink focus-visible:translate-y-0"
      >
        {t("skip")}
      </a>
      {isWide ? (
        <header className="sticky top-0 grid h-dvh grid-rows-[auto_minmax(0,1fr)_auto] border-line border-r print:hidden">
          <div className="p-3">
            <SidebarHead onSearch={openPalette} />
          </div>
          <div className="overflow-y-auto px-2 pb-3">
            <FrameNavigation />
          </div>
          <div className="border-line border-t p-2">{account}</div>
        </header>
      ) : (
        <PhoneBar
          isOpen={dialog === "menu"}
          onOpen={() => show("menu")}
          onClose={close}
          onSearch={openPalette}
          account={account}
        />
      )}
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <ViewedBanner />
        <PersonProvider>
          <Outlet />
        </PersonProvider>
      </main>
      <Suspense>{isRenewing && <RenewalDialog session={session} />}</Suspense>
      {/* Part of this script: letters that arrive while another one loads would be lost, or be shortcuts of the page. */}
      {dialog === "palette" && <Palette onClose={close} useFound={useFoundRows} />}
      <Suspense>{dialog === "shortcuts" && <ShortcutDialog onClose={close} />}</Suspense>
    </div>
  );
}

/** Keeps what the person opens, for their home page. */
function useRecent(navigation: Navigation | undefined): void {
  const queries = useQueryClient();
  const { pathname } = useLocation();
  useEffect(() => {
    if (navigation === undefined) return;
    const opened = homeEntries(navigation).find(({ href }) => href === pathname);
    // Without it the page works as well.
    if (opened !== undefined) keepRecent(queries, opened).catch(() => {});
  }, [navigation, pathname, queries]);
}

/** States whom an administrator views the workspace as, and leads back. */
function ViewedBanner() {
  const t = useTranslations("workspace");
  const viewed = viewedAs();
  if (viewed === null) return null;
  return (
    <section
      aria-label={t("viewed")}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-warn-soft px-4 py-1.5 text-warn"
    >
      <Eye size={16} aria-hidden="true" className="shrink-0" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {t.rich("viewedAs", { name: () => <bdi className="font-semibold">{viewed.name}</bdi> })}
      </p>
      <ToolButton onClick={stopViewing}>{t("stopViewing")}</ToolButton>
    </section>
  );
}

/** The name of the product, and the button that opens the palette. */
function SidebarHead({ onSearch }: { readonly onSearch: () => void }) {
  const t = useTranslations();
  return (
    <div className="flex items-center gap-2 pl-1">
      <Mark size={22} />
      <span className="flex-1 font-semibold">{t("product")}</span>
      <button
        type="button"
        aria-keyshortcuts={ariaKeys("Mod+K")}
        onClick={onSearch}
        className="flex h-7 items-center rounded-control px-1 hover:bg-sunken"
      >
        <span className="sr-only">{t("palette.open")} </span>
        <KeysHint keys="Mod+K" isRead />
      </button>
    </div>
  );
}

/** A dialog that the frame shows over any page. */
type FrameDialog = "palette" | "shortcuts" | "menu" | undefined;

/** The dialogs of the frame and the shortcuts that open them. */
function useFrameDialogs() {
  const t = useTranslations("shortcuts");
  const [dialog, show] = useState<FrameDialog>();
  const shortcuts = useMemo<readonly Shortcut[]>(
    () => [
      { keys: "Mod+K", label: t("palette"), run: () => show("palette") },
      { keys: "?", label: t("list"), run: () => show("shortcuts") },
    ],
    [t],
  );
  useShortcuts(shortcuts);
  useEffect(listenForShortcuts, []);
  const actions = useMemo(
    () => ({ close: () => show(undefined), showShortcuts: () => show("shortcuts") }),
    [],
  );
  return { dialog, show, ...actions };
}

/** The preferences that follow a person to another browser. */
type Followed = Pick<Preferences, "theme" | "density" | "singleKeys">;

/**
 * Takes the preferences that the service has for the person, and keeps changes there. Without the service those of this
 * browser apply.
 */
function usePreferenceSync(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isEnded = false;
    const first = currentPreferences();
    let known: Followed = first;
    const stop = onPreferencesChange(() => {
      const { theme, density, singleKeys } = currentPreferences();
      const data = {
        ...(theme === known.theme ? {} : { theme }),
        ...(density === known.density ? {} : { density }),
        ...(singleKeys === known.singleKeys ? {} : { shortcuts: singleKeys }),
      };
      known = { theme, density, singleKeys };
      if (Object.keys(data).length > 0) client.app.patch("/preferences", { data }).catch(() => {});
    });
    queries.fetchQuery(preferencesQuery).then(
      (data) => {
        // A choice made meanwhile is newer.
        if (isEnded || currentPreferences() !== first) return;
        known = {
          theme: data.theme ?? first.theme,
          density: data.density ?? first.density,
          singleKeys: data.shortcuts ?? first.singleKeys,
        };
        changePreferences(known);
      },
      () => {},
    );
    return () => {
      isEnded = true;
      stop();
    };
  }, [queries]);
}

const button =
  "grid size-9 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink";

/** The bar of narrow windows, where the navigation is a drawer. */
function PhoneBar(props: {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onSearch: () => void;
  readonly account: ReactNode;
}) {
  const t = useTranslations();
  return (
    <header className="sticky top-0 z-20 flex items-center gap-1 border-line border-b bg-canvas px-2 py-1.5 print:hidden">
      <button
        type="button"
        aria-label={t("workspace.openMenu")}
        aria-expanded={props.isOpen}
        onClick={props.onOpen}
        className={button}
      >
        <Menu size={18} aria-hidden="true" />
      </button>
      <Mark size={22} />
      <span className="ml-1 min-w-0 flex-1 truncate font-semibold">{t("product")}</span>
      <button
        type="button"
        aria-label={t("palette.open")}
        onClick={props.onSearch}
        className={button}
      >
        <Search size={18} aria-hidden="true" />
      </button>
      {props.account}
      {props.isOpen && <Drawer onClose={props.onClose} />}
    </header>
  );
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("workspace");
  const { href } = useLocation();
  const first = useRef(href);
  // A chosen entry closes the drawer.
  useEffect(() => {
    if (href !== first.current) onClose();
  }, [href, onClose]);
  return (
    <ModalBox
      label={t("navigation")}
      onClose={onClose}
      look="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-y-0 border-l-0"
    >
      <div className="flex justify-end px-2 pt-1.5">
        <button type="button" aria-label={t("closeMenu")} onClick={onClose} className={button}>
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      <div className="px-3 pb-6">
        <FrameNavigation />
      </div>
    </ModalBox>
  );
}
